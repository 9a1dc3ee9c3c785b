"""Messages of a run to the user: warnings of what is wrong, notes on earlier files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.changes import LibraryChanges, listed_names
from audiomill.flows.pipeline.report_parts import ReportedRemark
from audiomill.flows.pipeline.run_state import RunFiles, RunResult
from audiomill.flows.pipeline.suspects import describe_suspects
from audiomill.outputs.audio.mastering import level_db
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.formats.lists import MAX_TRACKS
from audiomill.outputs.formats.registry import CUE_SHEET, FORMATS
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.targets import Mastering
from audiomill.outputs.types import OutputFile

_HOLD_ALL = ", ".join(name for name, one in FORMATS.items() if one.holds_all_marks)
TOLERANCE_DB = 0.02  # of true peaks: meters differ by as much
OFF_LU = 0.5  # a level that is off by more is told
OFF_RMS_DB = 3.0  # below the usual aim, which stores still take
MAX_REMARK_WARNINGS = 5  # the report file lists all remarks


def result_warnings(result: RunResult, mastering: Mastering) -> Iterator[str]:
    """The warnings of a run that had files to make."""
    for window in result.windows:
        yield from (f"{words}; rendered anew." for words in window.damaged)
    yield from result.warnings
    yield from _unmarked_warnings(result)
    yield from _level_warnings(result, mastering)
    if result.suspects:
        yield describe_suspects(result.suspects)
    yield from (f"The voice says nothing for “{segment.text}”." for segment in result.silent)


def _unmarked_warnings(result: RunResult) -> Iterator[str]:
    """A warning for each file whose format has no place for the marks of all its chapters."""
    for spec, file in result.audio_files.items():
        n_marks = len(book_marks(result.chapters[spec.recording.chapters]))
        if file.chapters < n_marks:
            yield (
                f"{file.path.name} marks {file.chapters:,} of {n_marks:,} chapters, which is all"
                f" that {file.format} can hold: the upper levels, or of one level the first. Choose"
                f" one of {_HOLD_ALL}, or one file per chapter with --split."
            )


def _level_warnings(result: RunResult, mastering: Mastering) -> Iterator[str]:
    """A warning for each file that is not what its plan aims at, after a second try.

    A short file aims at less RMS than `mastering`, by as much as stores take: that counts, too.
    """
    for spec, levels in result.levels.items():
        aim = result.levelling[spec.recording, spec.format].master.aim
        if aim is None:
            continue
        peak_dbtp = true_peak_dbtp(part.true_peak for part in levels.parts)
        if peak_dbtp > aim.ceiling_dbtp + TOLERANCE_DB:
            yield (
                f"{spec.name} peaks at {peak_dbtp:.2f} dBTP, over the ceiling of"
                f" {aim.ceiling_dbtp:g}. A lower mastering.ceiling_dbtp helps."
            )
        level = level_db((part.loudness for part in levels.parts), in_rms=aim.in_rms)
        wanted = mastering.target_rms_db if aim.in_rms else aim.level_db
        off_db = OFF_RMS_DB if aim.in_rms else OFF_LU
        if aim.level_db is not None and wanted and off_db < abs(level - wanted) < math.inf:
            unit = "dB RMS" if aim.in_rms else "LUFS"
            yield (
                f"{spec.name} is at {level:.1f} {unit} instead of {wanted:g}: more would"
                " need a limiter that is heard."
            )


def length_warnings(job: Job, made: RunFiles) -> Iterator[str]:
    """A warning for each file of a split book, and each sample, that could not be cut in time."""
    longest = dict.fromkeys(made.files if job.split else (), job.delivery.max_file_s)
    longest |= dict.fromkeys(made.samples, job.delivery.sample_s)
    for file, most_s in longest.items():
        if file.format in FORMATS and most_s and file.duration_s > most_s:
            name = "sample_s" if file in made.samples else "max_file_s"
            yield (
                f"{file.path.name} has {file.duration_s:,.0f} s, more than delivery.{name}"
                f" ({most_s:g} s): no pause comes in time. Shorter pauses, head or tail help, or"
                " edit the text."
            )


def remark_warnings(remarks: Sequence[ReportedRemark]) -> Iterator[str]:
    """A warning for each of the first remarks of the engine."""
    for remark in remarks[:MAX_REMARK_WARNINGS]:
        yield f"“{remark.text}” ({remark.where}) was {remark.done}."
    if len(remarks) > MAX_REMARK_WARNINGS:
        yield f"{len(remarks) - MAX_REMARK_WARNINGS} more: see “remarks” in the report."


def cue_sheet_warnings(lists: Sequence[OutputFile]) -> Iterator[str]:
    """A warning for each cue sheet with more tracks than some players read."""
    for one in lists:
        if one.format == CUE_SHEET and one.chapters > MAX_TRACKS:
            yield (
                f"{one.path.name} has {one.chapters} tracks. Some players read no more than the"
                f" first {MAX_TRACKS} of a cue sheet."
            )


def notes_of(changes: LibraryChanges) -> Iterator[str]:
    """A sentence for each kind of change."""
    if changes.first_folder:
        yield (
            f"{changes.first_folder} has this book in another voice or at another speed, and stays"
            f" as it is. This run's files are in {changes.folder}."
        )
    if changes.outdated:
        names = listed_names(changes.outdated)
        yield f"Replaced, as made from an earlier text or settings: {names}."
    if changes.retagged:
        yield (
            "Given other tags, chapter titles or names, or another cover, without encoding:"
            f" {listed_names(changes.retagged)}."
        )
    for folder in changes.renamed_from:
        yield (
            f"{folder} has this book under another name, and stays as it is. Delete it if you do"
            " not want it, and nothing in it is yours."
        )
    if changes.stale.removed:
        names = listed_names(changes.stale.removed)
        yield f"Removed, as this text and these settings make them no more: {names}."
    if changes.stale.kept:
        yield (
            "This text and these settings make them no more, but they were changed after they had"
            f" been made, so they stay: {listed_names(changes.stale.kept)}."
        )
    if changes.changed:
        yield (
            "Left as they are, as they were changed after they had been made:"
            f" {listed_names(changes.changed)}. Move away what is to be made again."
        )
    if changes.kept_beside:
        names = listed_names(changes.kept_beside)
        yield f"Left as they are, as no run wrote them so: {names}. Move them away to get ours."
    if outdated := [other.name for other in changes.others if other.is_outdated]:
        yield (
            f"In {changes.folder}, but not of this run, and from an earlier text or settings:"
            f" {listed_names(outdated)}. Make them again with the same options, or delete"
            " what you do not want."
        )


def check_notes(job: Job) -> Iterator[str]:
    """A note for a run that has made nothing, so that it has checked nothing either."""
    if job.check_speech:
        yield (
            "The speech was not checked, as all files are finished. Delete one to have it checked"
            " when it is made again."
        )


def server_notes(job: Job, made: Iterable[OutputFile], changes: LibraryChanges) -> Iterator[str]:
    """A note if there is more than one copy of the book in a folder that a server scans."""
    if job.chapters or "metadata.json" not in job.delivery.sidecars:
        return
    copies = {(one.format, job.split): one.path.name for one in made}
    for other in changes.others:
        copies.setdefault((other.format, other.is_split), other.path.name)
    names = [name for (file_format, _), name in copies.items() if file_format in FORMATS]
    if len(names) > 1:
        yield (
            f"A server like Audiobookshelf plays all audio of {changes.folder} one after the other,"
            f" so the book more than once: {listed_names(names)}. Keep one of them there, and give"
            " the others a place of their own with --out."
        )
