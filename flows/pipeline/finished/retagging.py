"""Gives a finished file the metadata that a run asks for. Its audio stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from audiomill.flows.pipeline.finished.reusable import Reusable
from audiomill.flows.pipeline.library_records import ChapterLengths
from audiomill.flows.pipeline.plan import ChapterPlan, OutputSpec, Plan
from audiomill.outputs.encoding.pending_file import Target
from audiomill.outputs.encoding.retagging import retag
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.transcripts.writer import retitle_transcript
from audiomill.outputs.types import OutputFile


@dataclass(frozen=True, slots=True)
class RecordedChapter:
    """A chapter of a finished file, under the title that it has now."""

    title: str
    n_samples: int
    sample_rate: int


def retag_file(plan: Plan, spec: OutputSpec, source: Reusable, folder: Path) -> OutputFile:
    """Make the file of `spec` in `folder` of a finished one with the same audio.

    Reads no shard. Raises OutputError.
    """
    path, tags, record = folder / spec.name, spec.recording.tags, source.record
    if spec.is_transcript:
        file = OutputFile(source.path, spec.format, record.duration_s, 0, record.sha256)
        return retitle_transcript(file, path, tags.title, plan.book.language)
    if record.lengths is None:
        raise ValueError(f"the lengths of the chapters of {source.path} are not known")
    chapters = tuple(recorded_chapters(plan.chapters[spec.recording.chapters], record.lengths))
    target = Target(spec.format, path, spec.encoding)
    n_samples, marks = sum(record.lengths.n_samples), book_marks(chapters)
    sample_rate, cover = record.lengths.sample_rate, spec.recording.cover
    return retag(source.path, target, sample_rate, n_samples, marks, tags, cover)


def recorded_chapters(
    chapters: tuple[ChapterPlan, ...], lengths: ChapterLengths
) -> Iterator[RecordedChapter]:
    """The chapters of a recording, as long as they are in its finished file."""
    for chapter, n_samples in zip(chapters, lengths.n_samples, strict=True):
        yield RecordedChapter(chapter.title, n_samples, lengths.sample_rate)
