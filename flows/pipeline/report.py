"""The report of a run: a summary for scripts (`--json`), and all details in a file by the audio."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audiomill.flows.job import Job, describe_chapters, name_of_source
from audiomill.flows.pipeline.library.changes import LibraryChanges, OtherFile
from audiomill.flows.pipeline.library.records import RecordedLevels
from audiomill.flows.pipeline.messages import (
    check_notes,
    cue_sheet_warnings,
    length_warnings,
    notes_of,
    remark_warnings,
    result_warnings,
    server_notes,
)
from audiomill.flows.pipeline.planning.fingerprints import SUSPECTS_VERSION
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.planning.recordings import chapter_places
from audiomill.flows.pipeline.planning.voices import VoiceShare, voice_shares
from audiomill.flows.pipeline.report_parts import (
    ReportedChapter,
    ReportedCredits,
    ReportedRemark,
    ledger_of,
    music_json,
    reported_chapters,
    reported_credits,
    reported_remarks,
    result_json,
    seconds_spoken,
    settings_json,
    sound_json,
)
from audiomill.flows.pipeline.run_state import FinishedRecording, RunFiles, RunResult
from audiomill.inputs.model.book import Cover, LanguageSource, Skipped
from audiomill.inputs.model.ledger import Ledger
from audiomill.outputs.ffmpeg.find_ffmpeg import Ffmpeg
from audiomill.outputs.formats.registry import name_in_folder
from audiomill.outputs.pages.picture import Plot
from audiomill.outputs.types import OutputFile
from audiomill.renderers.engine.protocol import NO_USAGE, Usage, total_usage


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """One book's finished run. `result` is None if all files already existed.

    Each segment is rendered, cached or repeated.
    """

    job: Job
    title: str
    authors: tuple[str, ...]
    language: str
    language_source: LanguageSource
    cover: Cover | None
    files: tuple[OutputFile, ...]
    audio_s: float  # of the book, counted in one format
    wall_s: float
    segments: int
    repeated: int  # segments that an earlier one equals; they share its audio
    skipped: tuple[Skipped, ...]
    chapters: tuple[ReportedChapter, ...]  # none if old records lack their lengths
    credits: tuple[ReportedCredits, ...]
    remarks: tuple[ReportedRemark, ...]
    warnings: tuple[str, ...]
    samples: tuple[OutputFile, ...]  # the retail sample, which is no part of the book
    lists: tuple[OutputFile, ...]  # playlists and cue sheets of the files
    retagged: tuple[str, ...]  # names of files that only got other metadata
    notes: tuple[str, ...]  # what the run means for files that earlier runs have finished
    other_files: tuple[OtherFile, ...]  # in the folder, finished by earlier runs
    voices: tuple[VoiceShare, ...]  # of the run's chapters, most words first
    ledger: Ledger | None  # where all text of the source went; None without `result`
    plots: tuple[Plot, ...]  # pictures that were drawn
    path: Path  # of the report file
    levels: Mapping[str, RecordedLevels]  # of the files, by name, as far as they are known
    recordings: tuple[FinishedRecording, ...]  # none if old records lack their lengths
    changed: tuple[str, ...]  # names of files that somebody has changed
    made_from: str  # a digest of what all files of the run say
    ffmpeg: Ffmpeg  # that wrote what was written
    result: RunResult | None

    @property
    def page_path(self) -> Path:
        """The report as a page, beside the report file."""
        return self.path.with_suffix(".html")

    @property
    def rendered(self) -> int:
        """Segments that the engine rendered."""
        return sum(window.rendered for window in self.result.windows) if self.result else 0

    @property
    def cached(self) -> int:
        """Segments that the store already had."""
        if self.result is None:
            return self.segments - self.repeated
        return sum(window.cached for window in self.result.windows)

    @property
    def usage(self) -> Usage:
        """The use of the engine in this run: requests, what it bills, what that costs."""
        if self.result is None:
            return NO_USAGE
        windows = (window.usage for window in self.result.windows)
        return total_usage((*windows, *self.result.usages))

    @property
    def extra_takes(self) -> int:
        """How often a segment was rendered once more, because its first audio was faulty."""
        n_again = len(self.result.usages) if self.result else 0
        return self.usage.n_takes - self.rendered - n_again

    @property
    def _book_levels(self) -> dict[str, RecordedLevels]:
        """The levels of the files of the book, without its sample."""
        names = {name_in_folder(file.path, file.format) for file in self.files}
        return {name: one for name, one in self.levels.items() if name in names}

    def summary(self) -> dict[str, Any]:
        """The JSON object that `--json` prints. Scripts rely on it."""
        return {
            "files": [self._file_json(file) for file in self.files],
            "samples": [self._file_json(file) for file in self.samples],
            "audio_s": round(self.audio_s, 3),
            "wall_s": round(self.wall_s, 3),
            "realtime_factor": round(self.audio_s / max(self.wall_s, 1e-6), 2),
            "segments": self.segments,
            "rendered": self.rendered,
            "cached": self.cached,
            "repeated": self.repeated,
            "skipped": len(self.skipped),
            "lists": [{"path": str(one.path), "format": one.format} for one in self.lists],
            "retagged": list(self.retagged),
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "other_files": [
                {"path": str(other.path), "format": other.format, "outdated": other.is_outdated}
                for other in self.other_files
            ],
            "report": str(self.path),
            "page": str(self.page_path),
        }

    def _file_json(self, file: OutputFile) -> dict[str, Any]:
        name = name_in_folder(file.path, file.format)
        return {
            "path": str(file.path),
            "format": file.format,
            "duration_s": round(file.duration_s, 3),
            "chapters": file.chapters,
            "bytes": _size(file.path),
            "changed": name in self.changed,
            **_levels_json(self.levels.get(name)),
        }

    def _result_json(self, result: RunResult) -> dict[str, Any]:
        warnings = list(result_warnings(result, self.job.mastering))
        return result_json(result) | {"warnings": warnings}

    def full(self) -> dict[str, Any]:
        """The content of the report file: the summary, the settings used, all skipped text."""
        result = self.result
        return {
            **self.summary(),
            "title": self.title,
            "authors": list(self.authors),
            "language": self.language,
            "language_source": self.language_source,
            "source": name_of_source(self.job),
            "made_from": self.made_from,
            "engine": self.job.engine,
            "voice": self.job.voice,
            "speed": self.job.speed,
            "cast": self.job.cast.where or None,
            "settings": settings_json(self.job),
            "ffmpeg": {"path": self.ffmpeg.path, "version": self.ffmpeg.version},
            "voices": [asdict(share) for share in self.voices],
            "ledger": asdict(self.ledger) if self.ledger else None,
            "skipped_by_reason": Counter(str(skipped.reason) for skipped in self.skipped),
            "credits": [
                {"title": one.title, "text": one.text, "spoken": one.spoken} for one in self.credits
            ],
            "remarks": [asdict(remark) for remark in self.remarks],
            "skipped_text": [
                {"reason": skipped.reason, "where": skipped.where, "text": skipped.text}
                for skipped in self.skipped
            ],
            "suspects": [asdict(one) for one in result.suspects] if result else [],
            "suspects_version": SUSPECTS_VERSION,
            "work": {
                **sound_json(self._book_levels, self.recordings, self.chapters, result),
                **(self._result_json(result) if result else {}),
            },
            "extra_takes": self.extra_takes,
            "characters_billed": self.usage.n_characters_billed,
            "bytes_billed": self.usage.n_bytes_billed,
            "music": list(music_json(self.job, result)) if result else [],
        }


def make_report(
    job: Job,
    plan: Plan,
    made_from: str,
    made: RunFiles,
    changes: LibraryChanges,
    ffmpeg: Ffmpeg,
    wall_s: float,
) -> Report:
    """The report of a run that has made, or found finished, the files of `made`."""
    result, files = made.result, made.files
    remarks = _remarks(plan, result) if result else ()
    return Report(
        job=job,
        title=plan.book.title,
        authors=plan.book.authors,
        language=plan.book.language,
        language_source=plan.book.language_source,
        cover=plan.book.cover,
        files=files,
        audio_s=sum(file.duration_s for file in files if file.format == files[0].format),
        wall_s=wall_s,
        segments=len(plan.segments),
        repeated=len(plan.segments) - plan.n_requests,
        skipped=(*plan.skipped, *(result.silent if result else ())),
        chapters=tuple(reported_chapters(plan, made.recordings)),
        credits=tuple(reported_credits(plan)),
        remarks=remarks,
        warnings=tuple(_warnings_of(job, plan, ffmpeg, made, remarks)),
        samples=made.samples,
        lists=made.lists,
        retagged=changes.retagged,
        notes=tuple(_notes(job, made, changes)),
        other_files=changes.others,
        voices=voice_shares(job, plan.book, plan.segments, result and seconds_spoken(result)),
        ledger=ledger_of(plan, result) if result else None,
        plots=made.plots,
        path=changes.folder / report_names(job, plan)[0],
        levels=made.levels,
        recordings=made.recordings,
        changed=changes.changed,
        made_from=made_from,
        ffmpeg=ffmpeg,
        result=result,
    )


def _remarks(plan: Plan, result: RunResult) -> tuple[ReportedRemark, ...]:
    places = chapter_places(result.music, result.chapters)
    return tuple(reported_remarks(plan, result, places))


def _notes(job: Job, made: RunFiles, changes: LibraryChanges) -> Iterator[str]:
    yield from notes_of(changes)
    yield from server_notes(job, made.files, changes) if made.result else check_notes(job)


def _warnings_of(
    job: Job, plan: Plan, ffmpeg: Ffmpeg, made: RunFiles, remarks: Sequence[ReportedRemark]
) -> Iterator[str]:
    """Those of the source, of the files that were made, and of how they were."""
    yield from filter(None, (*job.warnings, ffmpeg.warning, *plan.book.warnings))
    if made.result:
        yield from result_warnings(made.result, job.mastering)
    yield from remark_warnings(remarks)
    yield from cue_sheet_warnings(made.lists)
    yield from length_warnings(job, made)


def report_names(job: Job, plan: Plan) -> tuple[str, str]:
    """The names of the report file and its page.

    A run of some chapters does not replace the whole book's report.
    """
    stem = "report"
    if job.chapters:
        stem += f" ({describe_chapters(plan.chosen_chapters)})"
    return f"{stem}.json", f"{stem}.html"


def _levels_json(levels: RecordedLevels | None) -> dict[str, float | None]:
    """The levels of a file, if they are known."""
    if levels is None:
        return {}
    return {
        "loudness_lufs": levels.loudness_lufs,
        "rms_db": levels.rms_db,
        "true_peak_dbtp": levels.true_peak_dbtp,
    }


def _size(path: Path) -> int | None:
    """The bytes of a finished file; None if it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return None
