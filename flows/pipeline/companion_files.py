"""Writes what stands beside a book's audio: transcripts, lists, pictures, sidecars.

Transcripts are written of what rendering and measuring have found; lists, pictures and sidecars of
finished files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult, shards_by_key
from audiomill.flows.pipeline.library.records import ChapterLengths
from audiomill.flows.pipeline.planning.fingerprints import times_digest
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.retagging import recorded_chapters
from audiomill.flows.pipeline.run_state import Run, RunResult
from audiomill.outputs.files import Announce, write_output
from audiomill.outputs.formats.lists import PlaylistEntry, cue_sheet_text, playlist_text
from audiomill.outputs.formats.registry import PLAYLIST, TRANSCRIPTS
from audiomill.outputs.metadata.chapters import Mark, book_marks
from audiomill.outputs.metadata.sidecars import SidecarBook
from audiomill.outputs.transcripts.cues import recording_cues
from audiomill.outputs.transcripts.writer import write_transcript
from audiomill.outputs.types import MeasuredChapter, OutputFile
from audiomill.renderers.engine.protocol import ShardInfo
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.threads import Future, map_in_order

if TYPE_CHECKING:
    from audiomill.flows.pipeline.plots import DrawnPlot


def draw_plots(
    run: Run, missing: Iterable[OutputSpec], made: Mapping[OutputSpec, OutputFile]
) -> dict[OutputSpec, DrawnPlot]:
    """Draw the missing pictures from the finished files, and enter them in the library.

    Raises OutputError, Interrupted.
    """
    specs = tuple(missing)
    if not specs:
        return {}
    # Few runs draw, so what measures finished files is not loaded before.
    from audiomill.flows.pipeline.plots import draw_plot

    audio = {spec.recording: file for spec, file in made.items() if spec.is_audio}

    def start(spec: OutputSpec) -> Future[DrawnPlot]:
        run.context.check()
        path, of = run.library_entry.folder / spec.name, audio[spec.recording]
        title = spec.recording.tags.title
        return run.executor.submit(
            f"draw {spec.name}",
            draw_plot,
            of,
            path,
            title,
            run.job.mastering,
            run.context,
            run.library_entry.announcer(spec),
        )

    plots: dict[OutputSpec, DrawnPlot] = {}
    for spec, drawn in zip(specs, map_in_order(start, specs, usable_cores()), strict=True):
        run.library_entry.record_finished([spec])
        plots[spec] = drawn
    return plots


def update_sidecars(
    run: Run, specs: Sequence[OutputSpec], result: RunResult | None
) -> tuple[str, ...]:
    """Write what has changed beside the audio of a whole book; the names of files not ours.

    Raises OutputUnwritable.
    """
    if run.job.chapters or not specs:
        return ()
    book = SidecarBook(
        replace(specs[0].recording.tags, track=0, n_tracks=0, disc=0, n_discs=0, part=""),
        run.plan.book.cover,
        _marks(run, specs, result),
        run.plan.sample_rate,
    )
    names = run.job.delivery.sidecars
    digest = times_digest(run.job, run.digests)
    return run.library_entry.update_sidecars(names, book, digest)


def _marks(run: Run, specs: Sequence[OutputSpec], result: RunResult | None) -> tuple[Mark, ...]:
    """The chapters of a file of the whole book, if they are known; else readers take its own.

    Of a split book there are none. A server that joins its files adds up lengths as ffprobe gives
    them, which for MP3 and Opus may count what the encoder adds: 60 ms a file.
    """
    if run.job.split:
        return ()
    return book_marks(result.chapters) if result else _recorded_marks(run, specs)


def _recorded_marks(run: Run, specs: Sequence[OutputSpec]) -> tuple[Mark, ...]:
    """The chapters of the whole book, as recorded of its finished file; () if they are not."""
    of_book = next(spec for spec in specs if spec.format == run.job.formats[0])
    lengths = run.library_entry.lengths_of(of_book)
    if lengths is None or len(lengths.n_samples) != len(run.plan.chapters):
        return ()
    return book_marks(recorded_chapters(run.plan.chapters, lengths))


def make_transcripts(
    run: Run,
    missing: Iterable[OutputSpec],
    windows: Iterable[WindowResult],
    chapters: Sequence[MeasuredChapter],
) -> dict[OutputSpec, OutputFile]:
    """Write the missing transcripts, and enter them in the library. Raises OutputUnwritable."""
    specs = tuple(spec for spec in missing if spec.is_transcript)
    if not specs:
        return {}
    title, folder = "write the transcripts", run.library_entry.folder
    written = run.executor.submit(
        title,
        write_transcripts,
        run.plan,
        specs,
        folder,
        shards_by_key(windows),
        chapters,
        run.context,
        run.library_entry.announcer,
    ).result()
    run.library_entry.record_finished(written)
    return written


def write_transcripts(
    plan: Plan,
    specs: Sequence[OutputSpec],
    folder: Path,
    shards: Mapping[str, ShardInfo],
    chapters: Sequence[MeasuredChapter],
    context: RunContext,
    announcer: Callable[[OutputSpec], Announce],
) -> dict[OutputSpec, OutputFile]:
    """Write transcripts into `folder`, of what rendering and measuring have found; read no audio.

    `shards` are found by the key of a request. Raises OutputUnwritable, Interrupted.
    """
    written: dict[OutputSpec, OutputFile] = {}
    segments = {segment.id: segment for segment in plan.segments}
    has_words = any(TRANSCRIPTS[spec.format].has_words for spec in specs)
    for recording, alike in groupby(context.until_cancelled(specs), lambda spec: spec.recording):
        planned = (one for chapter in plan.chapters[recording.chapters] for one in chapter.segments)
        by_id = {one.segment_id: shards[one.request.key] for one in planned}
        recorded = chapters[recording.chapters]
        cues = recording_cues(recorded, segments, by_id, has_words=has_words)
        title, language = recording.tags.title, plan.book.language
        for spec in alike:
            path = folder / spec.name
            written[spec] = write_transcript(
                path, spec.format, cues, recorded, title, language, announcer(spec)
            )
    return written


def write_list(
    plan: Plan,
    spec: OutputSpec,
    folder: Path,
    listed: Mapping[OutputSpec, OutputFile],
    lengths: ChapterLengths | None,
    announce: Announce,
) -> OutputFile:
    """Write the list of `spec` for the files `listed`; a cue sheet needs their chapters' lengths.

    Raises OutputUnwritable.
    """
    path = folder / spec.name
    if spec.format == PLAYLIST:
        text, n_chapters = _playlist(spec, listed), len(listed)
    else:
        if lengths is None:
            raise ValueError(f"the lengths of the chapters for {path} are not known")
        text, n_chapters = _cue_sheet(plan, spec, listed, lengths)
    duration_s = sum(file.duration_s for file in listed.values())
    return write_output(path, spec.format, text.encode(), duration_s, n_chapters, announce)


def _playlist(spec: OutputSpec, listed: Mapping[OutputSpec, OutputFile]) -> str:
    tags = spec.recording.tags
    entries = (
        PlaylistEntry(one.name, one.recording.tags.title, file.duration_s)
        for one, file in listed.items()
    )
    return playlist_text(entries, tags.title, tags.artist)


def _cue_sheet(
    plan: Plan, spec: OutputSpec, listed: Iterable[OutputSpec], lengths: ChapterLengths
) -> tuple[str, int]:
    """The sheet, and how many tracks it has."""
    (one,) = listed
    marks = book_marks(recorded_chapters(plan.chapters[one.recording.chapters], lengths))
    tags, rate = spec.recording.tags, lengths.sample_rate
    return cue_sheet_text(one.name, one.format, tags, marks, rate), len(marks)


def write_lists(
    run: Run,
    missing: Iterable[OutputSpec],
    specs: Sequence[OutputSpec],
    made: Mapping[OutputSpec, OutputFile],
) -> dict[OutputSpec, OutputFile]:
    """Write the missing playlists and cue sheets. Raises OutputUnwritable."""
    entry, written = run.library_entry, dict[OutputSpec, OutputFile]()
    listed = {spec: made[spec] for spec in specs if spec.format == run.job.formats[0]}
    for spec in missing:
        lengths = entry.lengths_of(next(iter(listed)))
        announce = entry.announcer(spec)
        written[spec] = write_list(run.plan, spec, entry.folder, listed, lengths, announce)
    entry.record_finished(written)
    return written
