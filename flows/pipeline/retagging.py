"""Gives a finished file the metadata that a run asks for. Its audio stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from audiomill.flows.execution.executor import stop_stages_on_error
from audiomill.flows.pipeline.encode_recordings import RECORDINGS_IN_FLIGHT
from audiomill.flows.pipeline.library.records import ChapterLengths
from audiomill.flows.pipeline.library.reusable import Reusable
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import ChapterPlan, Plan
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.flows.pipeline.run_state import Run
from audiomill.outputs.files import Announce
from audiomill.outputs.formats.encoder import retag
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.metadata.tags import EmbeddedMetadata
from audiomill.outputs.transcripts.writer import retitle_transcript
from audiomill.outputs.types import OutputFile
from audiomill.renderers.host.threads import Future, map_in_order


@dataclass(frozen=True, slots=True)
class RecordedChapter:
    """A chapter of a finished file, under the title that it has now."""

    title: str
    level: int
    n_samples: int
    sample_rate: int


def retag_files(
    run: Run, missing: Iterable[OutputSpec]
) -> tuple[dict[OutputSpec, Reusable], dict[OutputSpec, OutputFile]]:
    """Make files of finished ones that sound alike: which ones were found, and the files.

    Raises OutputError, Interrupted.
    """
    entry, retagged = run.library_entry, dict[OutputSpec, OutputFile]()

    def start(item: tuple[OutputSpec, Reusable]) -> Future[OutputFile]:
        run.context.check()
        spec, source = item
        announce = entry.announcer(spec, source.record.lengths, source.record.levels)
        return run.executor.submit(
            f"retag {spec.name}",
            retag_file,
            run.plan,
            spec,
            source,
            entry.folder,
            run.ffmpeg.path,
            announce,
        )

    with entry.reusable_files(missing) as found, stop_stages_on_error(run.executor, run.context):
        if found:
            entry.create_folder()
        files = map_in_order(start, found.items(), RECORDINGS_IN_FLIGHT)
        for spec, file in zip(found, files, strict=True):
            entry.record_finished([spec])
            retagged[spec] = file
    return found, retagged


def retag_file(
    plan: Plan,
    spec: OutputSpec,
    source: Reusable,
    folder: Path,
    ffmpeg: str,
    announce: Announce,
) -> OutputFile:
    """Make the file of `spec` in `folder` of a finished one with the same audio.

    Reads no shard. Raises OutputError.
    """
    path, tags, record = folder / spec.name, spec.recording.tags, source.record
    if spec.is_transcript:
        file = OutputFile(source.path, spec.format, record.duration_s, 0, record.sha256)
        return retitle_transcript(file, path, tags.title, plan.book.language, announce)
    if record.lengths is None:
        raise ValueError(f"the lengths of the chapters of {source.path} are not known")
    chapters = tuple(_marked_chapters(plan, spec.recording, record.lengths))
    target = Target(spec.format, path, spec.encoding)
    n_samples, sample_rate = sum(record.lengths.n_samples), record.lengths.sample_rate
    metadata = EmbeddedMetadata(
        tags, book_marks(chapters), sample_rate, n_samples, spec.recording.cover
    )
    return retag(source.path, target, metadata, announce=announce, ffmpeg=ffmpeg)


def _marked_chapters(
    plan: Plan, recording: Recording, lengths: ChapterLengths
) -> Iterator[RecordedChapter]:
    """The chapters that are marked in the file of a recording."""
    if recording.is_sample:
        return iter(
            [RecordedChapter(recording.tags.title, 1, sum(lengths.n_samples), lengths.sample_rate)]
        )
    return recorded_chapters(plan.chapters[recording.chapters], lengths)


def recorded_chapters(
    chapters: tuple[ChapterPlan, ...], lengths: ChapterLengths
) -> Iterator[RecordedChapter]:
    """The chapters of a recording, as long as they are in its finished file."""
    for chapter, n_samples in zip(chapters, lengths.n_samples, strict=True):
        yield RecordedChapter(chapter.title, chapter.level, n_samples, lengths.sample_rate)
