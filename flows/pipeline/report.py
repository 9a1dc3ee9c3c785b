"""The report of a run: a summary for scripts (`--json`), and all details in a file by the audio."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from audiomill.flows.console import finite_level
from audiomill.flows.execution.stage_times import StageTimes
from audiomill.flows.execution.windows import WindowResult
from audiomill.flows.job import Job, describe_chapters, name_of_source
from audiomill.flows.pipeline.levelling import Levelling
from audiomill.flows.pipeline.library import LibraryChanges, OtherFile
from audiomill.flows.pipeline.places import ChapterPlace, chapter_places, heard_at
from audiomill.flows.pipeline.plan import OutputSpec, Plan, Recording
from audiomill.flows.pipeline.suspects import Suspect, describe_suspects
from audiomill.flows.pipeline.voices import VoiceShare, voice_shares
from audiomill.inputs.book import Cover, Skipped
from audiomill.inputs.ledger import Ledger, make_ledger
from audiomill.outputs.audio.loudness import integrated_lufs, rms_db
from audiomill.outputs.audio.mastering import level_db
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.files import write_atomically
from audiomill.outputs.formats import CUE_SHEET
from audiomill.outputs.lists.cue_sheet import MAX_TRACKS
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.plot.picture import Plot
from audiomill.outputs.types import Cue, EncodedOutput, FileLevels, MeasuredChapter, OutputFile
from audiomill.renderers.base import NO_USAGE, Remark, ShardInfo, Usage, total_usage

MAX_LISTED_FILES = 5  # in a note
TOLERANCE_DB = 0.02  # of true peaks: meters differ by as much
OFF_LU = 0.5  # a level that is off by more is told
OFF_RMS_DB = 2.8  # stores take a range of RMS levels, of 3 dB below the usual aim
MAX_REMARK_WARNINGS = 5  # the report file lists all remarks


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """What a run did that had files to make."""

    windows: tuple[WindowResult, ...]
    chapters: tuple[MeasuredChapter, ...]
    silent: tuple[Skipped, ...]  # segments for which the engine returned silence
    suspects: tuple[Suspect, ...]
    gains_db: dict[str, float]  # of voices that were louder or softer than the main one
    music: Mapping[Recording, RecordingMusic]  # of each recording, also where there is none
    levelling: Levelling
    recorded: dict[tuple[OutputSpec, ...], EncodedOutput]  # by the specs of a recording's files
    transcripts: dict[OutputSpec, OutputFile]
    warnings: tuple[str, ...]  # of damage that was repaired during the run
    usages: tuple[Usage, ...]  # of segments that were rendered for that
    stage_times: StageTimes

    @property
    def files(self) -> dict[OutputSpec, OutputFile]:
        """The new files, by their spec."""
        return self.audio_files | self.transcripts

    @property
    def audio_files(self) -> dict[OutputSpec, OutputFile]:
        """The new recordings, by their spec."""
        return {
            spec: file
            for specs, recorded in self.recorded.items()
            for spec, file in zip(specs, recorded.files, strict=True)
        }

    @property
    def chapter_gains_db(self) -> tuple[float, ...]:
        """The gain of each chapter, as planned for the first format; 0 dB without audio files."""
        gains_db: dict[Recording, float] = {}
        for (recording, _), level in self.levelling.items():
            gains_db.setdefault(recording, level.master.gain_db)
        return tuple(
            gains_db.get(recording, 0.0)
            for recording, music in self.music.items()
            for _ in music.chapters
        )

    @property
    def levels(self) -> dict[OutputSpec, FileLevels]:
        """The levels of the new recordings as they were encoded, by their spec."""
        return {
            spec: levels
            for specs, recorded in self.recorded.items()
            for spec, levels in zip(specs, recorded.levels, strict=True)
        }


@dataclass(frozen=True, slots=True)
class ReportedRemark:
    """Text that the engine could not speak as written, and what it did instead."""

    text: str
    done: str  # "spelled out", "left out"
    where: str  # the chapter's title
    recording: str  # the name of the finished file, without suffix
    at_s: float  # in that file


@dataclass(frozen=True, slots=True)
class ReportedCredits:
    """Credits that were spoken. They are no text of the source."""

    title: str
    text: str
    spoken: str  # the words that the engine was given


@dataclass(frozen=True, slots=True)
class ReportedChapter:
    """A chapter that was made."""

    title: str
    level: int
    is_credits: bool
    words: int  # as they are spoken
    recording: str  # the name of its files, without suffix
    at_s: float  # in those
    start_s: float  # in the whole run
    duration_s: float
    loudness_lufs: float | None  # None: silence


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """One book's finished run. `result` is None if all files already existed.

    Each segment is rendered, cached or repeated.
    """

    job: Job
    title: str
    authors: tuple[str, ...]
    language: str
    cover: Cover | None
    files: tuple[OutputFile, ...]
    audio_s: float  # of the book, counted in one format
    wall_s: float
    segments: int
    repeated: int  # segments that an earlier one equals; they share its audio
    skipped: tuple[Skipped, ...]
    chapters: tuple[ReportedChapter, ...]  # none without `result`
    credits: tuple[ReportedCredits, ...]
    remarks: tuple[ReportedRemark, ...]
    warnings: tuple[str, ...]
    lists: tuple[OutputFile, ...]  # playlists and cue sheets of the files
    retagged: tuple[str, ...]  # names of files that only got other metadata
    notes: tuple[str, ...]  # what the run means for files that earlier runs have finished
    other_files: tuple[OtherFile, ...]  # in the folder, finished by earlier runs
    voices: tuple[VoiceShare, ...]  # of the run's chapters, most words first
    ledger: Ledger | None  # where all text of the source went; None without `result`
    plots: tuple[Plot, ...]  # pictures that were drawn
    path: Path  # of the report file
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
        """What the engine was asked for in this run."""
        if self.result is None:
            return NO_USAGE
        windows = (window.usage for window in self.result.windows)
        return total_usage((*windows, *self.result.usages))

    @property
    def extra_takes(self) -> int:
        """How often a segment was rendered once more, because its first audio was faulty."""
        n_again = len(self.result.usages) if self.result else 0
        return self.usage.n_takes - self.rendered - n_again

    def summary(self) -> dict[str, Any]:
        """The JSON object that `--json` prints. Scripts rely on it."""
        return {
            "files": [
                {
                    "path": str(file.path),
                    "format": file.format,
                    "duration_s": round(file.duration_s, 3),
                    "chapters": file.chapters,
                    "bytes": _size(file.path),
                }
                for file in self.files
            ],
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

    def full(self) -> dict[str, Any]:
        """The content of the report file: the summary, the settings used, all skipped text."""
        return (
            self.summary()
            | {
                "title": self.title,
                "authors": list(self.authors),
                "language": self.language,
                "source": name_of_source(self.job),
                "engine": self.job.engine,
                "voice": self.job.voice,
                "speed": self.job.speed,
                "cast": self.job.cast.where or None,
                "settings": _settings_json(self.job),
                "voices": [asdict(share) for share in self.voices],
                "ledger": asdict(self.ledger) if self.ledger else None,
                "skipped_by_reason": Counter(str(skipped.reason) for skipped in self.skipped),
                "credits": [
                    {"title": one.title, "text": one.text, "spoken": one.spoken}
                    for one in self.credits
                ],
                "remarks": [asdict(remark) for remark in self.remarks],
                "skipped_text": [
                    {"reason": skipped.reason, "where": skipped.where, "text": skipped.text}
                    for skipped in self.skipped
                ],
            }
            | (_made_json(self.result, self.chapters) if self.result else {})
            | {"extra_takes": self.extra_takes}
            | {"characters_billed": self.usage.n_characters_billed}
            | {"bytes_billed": self.usage.n_bytes_billed}
            | {"music": list(_music_json(self.job, self.result)) if self.result else []}
        )

    def save(self, content: dict[str, Any] | None = None) -> None:
        """Write the report file, or another content of it. Raises OutputUnwritable."""
        text = json.dumps(content or self.full(), ensure_ascii=False, indent=1)
        # A file name need not be valid text. Its other bytes are surrogates, which UTF-8 cannot
        # encode; they are written as escapes, which JSON can read.
        write_atomically(self.path, text.encode(errors="backslashreplace"))


def make_report(
    job: Job,
    plan: Plan,
    result: RunResult | None,
    files: Sequence[OutputFile],
    lists: Sequence[OutputFile],
    changes: LibraryChanges,
    wall_s: float,
    plots: tuple[Plot, ...] = (),
) -> Report:
    """The report of a run with these `files`, new or already finished."""
    places = chapter_places(result.music, result.chapters) if result else ()
    remarks = tuple(_reported_remarks(plan, result, places)) if result else ()
    return Report(
        job=job,
        title=plan.book.title,
        authors=plan.book.authors,
        language=plan.book.language,
        cover=plan.book.cover,
        files=tuple(files),
        audio_s=sum(file.duration_s for file in files if file.format == files[0].format),
        wall_s=wall_s,
        segments=len(plan.segments),
        repeated=len(plan.segments) - plan.n_requests,
        skipped=(*plan.skipped, *(result.silent if result else ())),
        chapters=tuple(_reported_chapters(plan, result, places)) if result else (),
        credits=tuple(_reported_credits(plan)),
        remarks=remarks,
        warnings=(
            *job.warnings,
            *plan.book.warnings,
            *(_result_warnings(result) if result else ()),
            *_remark_warnings(remarks),
            *_cue_sheet_warnings(lists),
        ),
        lists=tuple(lists),
        retagged=changes.retagged,
        notes=tuple(_notes(changes)),
        other_files=changes.others,
        voices=voice_shares(job, plan, _spoken_s(result) if result else None),
        ledger=_ledger(plan, result) if result else None,
        plots=plots,
        path=changes.folder / _report_name(job, plan),
        result=result,
    )


def _ledger(plan: Plan, result: RunResult) -> Ledger:
    spoken_s = _spoken_s(result)
    chapters = dict.fromkeys(segment.chapter for segment in plan.segments)
    numbers = (chapter.number for chapter in plan.chapters)
    return make_ledger(
        plan.book,
        (segment for segment in plan.segments if spoken_s.get(segment.id)),
        (*plan.skipped, *result.silent),
        dict(zip(chapters, numbers, strict=True)),
        plan.not_chosen,
    )


def _reported_credits(plan: Plan) -> Iterator[ReportedCredits]:
    texts = {segment.id: segment.text for segment in plan.segments}
    for chapter in plan.chapters:
        if chapter.is_credits:
            yield ReportedCredits(
                chapter.title,
                " ".join(texts[segment.segment_id] for segment in chapter.segments),
                " ".join(segment.request.spoken for segment in chapter.segments),
            )


def _spoken_s(result: RunResult) -> dict[str, float]:
    """The seconds that each segment sounds, by its id."""
    spoken_s: dict[str, float] = defaultdict(float)
    for chapter in result.chapters:
        for cue in chapter.cues:  # one for each piece of a segment
            spoken_s[cue.segment_id] += (cue.end - cue.start) / chapter.sample_rate
    return spoken_s


def _reported_remarks(
    plan: Plan, result: RunResult, places: Sequence[ChapterPlace]
) -> Iterator[ReportedRemark]:
    """The engine's remarks, once for each place in the book, with the time of the word."""
    by_key = {key: remarks for window in result.windows for key, remarks in window.remarks.items()}
    shards = {key: shard for window in result.windows for key, shard in window.shards.items()}
    for chapter, measured, place in zip(plan.chapters, result.chapters, places, strict=True):
        cues: dict[str, list[Cue]] = defaultdict(list)
        for cue in measured.cues:
            cues[cue.segment_id].append(cue)
        for segment in chapter.segments:
            for remark in by_key.get(segment.request.key, ()):
                text = segment.request.spoken[remark.start : remark.end]
                said = _said_at(shards.get(segment.request.key), remark)
                at = place.start + heard_at(cues[segment.segment_id], said)
                at_s = round(at / measured.sample_rate, 3)
                yield ReportedRemark(text, remark.words, chapter.title, place.recording, at_s)


def _said_at(shard: ShardInfo | None, remark: Remark) -> int:
    """The sample of the shard where the word is; 0 of an engine that does not tell."""
    timings = shard.timings if shard else ()
    before = [one.start_s for one in timings if one.start <= remark.start]
    return round(before[-1] * shard.sample_rate) if shard and before else 0


def _reported_chapters(
    plan: Plan, result: RunResult, places: Sequence[ChapterPlace]
) -> Iterator[ReportedChapter]:
    starts = accumulate((chapter.n_samples for chapter in result.chapters), initial=0)
    gains_db = result.chapter_gains_db
    for planned, chapter, place, start, gain_db in zip(
        plan.chapters, result.chapters, places, starts, gains_db, strict=False
    ):
        rate = chapter.sample_rate
        yield ReportedChapter(
            title=chapter.title,
            level=chapter.level,
            is_credits=planned.is_credits,
            words=sum(len(one.request.spoken.split()) for one in planned.segments),
            recording=place.recording,
            at_s=round(place.start / rate, 3),
            start_s=round(start / rate, 3),
            duration_s=round(chapter.n_samples / rate, 3),
            loudness_lufs=finite_level(integrated_lufs([chapter.loudness]) + gain_db),
        )


def _result_warnings(result: RunResult) -> Iterator[str]:
    for window in result.windows:
        yield from (f"{words}; rendered anew." for words in window.damaged)
    yield from result.warnings
    yield from _unmarked_warnings(result)
    yield from _level_warnings(result)
    if result.suspects:
        yield describe_suspects(result.suspects)
    yield from (f"The voice says nothing for “{segment.text}”." for segment in result.silent)


def _unmarked_warnings(result: RunResult) -> Iterator[str]:
    """A warning for each file whose format has no place for the marks of all its chapters."""
    for spec, file in result.audio_files.items():
        n_marks = len(book_marks(result.chapters[spec.recording.chapters]))
        if file.chapters < n_marks:
            yield (
                f"{file.path.name} marks the first {file.chapters:,} of {n_marks:,} chapters, which"
                f" is all that {file.format} can hold. Choose m4b or mp3, or one file per chapter"
                " with --split."
            )


def _level_warnings(result: RunResult) -> Iterator[str]:
    """A warning for each file that is not what its plan aims at, after a second try."""
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
        off_db = OFF_RMS_DB if aim.in_rms else OFF_LU
        if aim.level_db is not None and off_db < abs(level - aim.level_db) < math.inf:
            unit = "dB RMS" if aim.in_rms else "LUFS"
            yield (
                f"{spec.name} is at {level:.1f} {unit} instead of {aim.level_db:g}: more would"
                " need a limiter that is heard."
            )


def _remark_warnings(remarks: Sequence[ReportedRemark]) -> Iterator[str]:
    for remark in remarks[:MAX_REMARK_WARNINGS]:
        yield f"“{remark.text}” ({remark.where}) was {remark.done}."
    if len(remarks) > MAX_REMARK_WARNINGS:
        yield f"{len(remarks) - MAX_REMARK_WARNINGS} more: see “remarks” in the report."


def _cue_sheet_warnings(lists: Sequence[OutputFile]) -> Iterator[str]:
    for one in lists:
        if one.format == CUE_SHEET and one.chapters > MAX_TRACKS:
            yield (
                f"{one.path.name} has {one.chapters} tracks. Some players read no more than the"
                f" first {MAX_TRACKS} of a cue sheet."
            )


def _notes(changes: LibraryChanges) -> Iterator[str]:
    """A sentence for each kind of change."""
    if changes.first_folder:
        yield (
            f"{changes.first_folder} has this book in another voice or at another speed, and stays"
            f" as it is. This run's files are in {changes.folder}."
        )
    if changes.outdated:
        yield f"Replaced, as made from an earlier text or settings: {_listed(changes.outdated)}."
    if changes.retagged:
        yield (
            "Given other tags, chapter titles or another cover, without encoding:"
            f" {_listed(changes.retagged)}."
        )
    for folder in changes.reused_from:
        yield (
            f"{folder} has the same audio under an earlier name, and stays as it is. Delete it if"
            " you do not want it."
        )
    if changes.stale.removed:
        yield f"Removed, as their chapters are gone or renamed: {_listed(changes.stale.removed)}."
    if changes.stale.kept:
        yield (
            "Their chapters are gone or renamed, but they were changed after they had been made, so"
            f" they stay: {_listed(changes.stale.kept)}."
        )
    if changes.altered:
        yield f"Replaced, as changed after it had been made: {_listed(changes.altered)}."
    if changes.kept_sidecars:
        yield f"Not written, as they are not of an earlier run: {_listed(changes.kept_sidecars)}."
    if outdated := [other.path.name for other in changes.others if other.is_outdated]:
        yield (
            f"In {changes.folder}, but not of this run, and from an earlier text or settings:"
            f" {_listed(outdated)}. Render that format too, or delete what you do not want."
        )


def _listed(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - MAX_LISTED_FILES
    return ", ".join(names[:MAX_LISTED_FILES]) + (f" and {more} more" if more > 0 else "")


def _report_name(job: Job, plan: Plan) -> str:
    """The report file's name. A run of some chapters does not replace the whole book's report."""
    if not job.chapters:
        return "report.json"
    return f"report ({describe_chapters(chapter.number for chapter in plan.chapters)}).json"


def _made_json(result: RunResult, chapters: Iterable[ReportedChapter]) -> dict[str, Any]:
    """What only a run that made files knows."""
    suspects = [asdict(suspect) for suspect in result.suspects]
    return {"suspects": suspects, "work": _result_json(result, chapters)}


def _settings_json(job: Job) -> dict[str, Any]:
    """What was chosen, for people who wonder later."""
    return {
        "profile": job.delivery.profile,
        "formats": list(job.formats),
        "transcripts": list(job.transcripts),
        "split": job.split,
        "chapters": job.chapters,
        "read": job.read,
        "target_lufs": job.mastering.target_lufs,
        "target_rms_db": job.mastering.target_rms_db,
        "ceiling_dbtp": job.mastering.ceiling_dbtp,
    }


def _size(path: Path) -> int | None:
    """The bytes of a finished file; None if it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def _music_json(job: Job, result: RunResult) -> Iterator[dict[str, Any]]:
    """Each piece of music, with its file and its place in the recording."""
    for recording, music in result.music.items():
        rate = music.chapters[0].sample_rate
        for piece in music.pieces:
            yield {
                "use": piece.use,
                "file": str(job.music.files[piece.use]),
                "recording": recording.name,
                "start_s": round(piece.start / rate, 3),
                "end_s": round(piece.end / rate, 3),
            }


def _result_json(result: RunResult, chapters: Iterable[ReportedChapter]) -> dict[str, Any]:
    """Where the time went, and how loud the audio was and is. Levels are None for silence."""
    # Of each recording's first file: the others hold the same.
    levels = [part for recorded in result.recorded.values() for part in recorded.levels[0].parts]
    loudness_before = integrated_lufs(chapter.loudness for chapter in result.chapters)
    return {
        "engine_busy_share": round(result.stage_times.busy_share, 4),
        "spent": {name: round(stage_s, 3) for name, stage_s in asdict(result.stage_times).items()},
        "damaged_shards": [words for window in result.windows for words in window.damaged],
        "loudness_before_lufs": finite_level(loudness_before),
        "gain_db": next((round(one.master.gain_db, 2) for one in result.levelling.values()), 0.0),
        "voice_gains_db": result.gains_db,
        "loudness_lufs": finite_level(integrated_lufs(level.loudness for level in levels)),
        "true_peak_dbtp": finite_level(true_peak_dbtp(level.true_peak for level in levels)),
        "levels": [
            {
                "file": spec.name,
                "gain_db": round(one.gain_db, 2),
                "loudness_lufs": finite_level(integrated_lufs(part.loudness for part in one.parts)),
                "rms_db": finite_level(rms_db(part.loudness for part in one.parts)),
                "true_peak_dbtp": finite_level(
                    true_peak_dbtp(part.true_peak for part in one.parts)
                ),
                "room_tone_db": result.levelling[spec.recording, spec.format].tone_db,
            }
            for spec, one in result.levels.items()
        ],
        "chapters": [asdict(chapter) for chapter in chapters],
    }
