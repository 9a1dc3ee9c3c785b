"""Writes playlists and cue sheets of the files that a run has finished."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from audiomill.flows.pipeline.finished.retagging import recorded_chapters
from audiomill.flows.pipeline.library.records import ChapterLengths
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.run import Run
from audiomill.outputs.files import Announce, write_output
from audiomill.outputs.formats.registry import PLAYLIST
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.metadata.lists import PlaylistEntry, cue_sheet_text, playlist_text
from audiomill.outputs.types import OutputFile


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
    entry.record(written)
    return written
