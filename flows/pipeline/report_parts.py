"""Parts of a report: chapters, credits, remarks, the text of the source, and the run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from audiomill.flows.execution.windows import shards_by_key
from audiomill.flows.job import Job
from audiomill.flows.options import PassedOn
from audiomill.flows.pipeline.library.records import RecordedLevels
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.planning.recordings import ChapterPlace, heard_at
from audiomill.flows.pipeline.run_state import FinishedRecording, RunResult
from audiomill.inputs.model.ledger import Ledger, make_ledger
from audiomill.outputs.audio.loudness import finite_level, integrated_lufs
from audiomill.outputs.types import Cue
from audiomill.renderers.engine.protocol import Remark, ShardInfo


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
    loudness_lufs: float | None  # with its music, as encoded; None: silence, or not known
    gain_db: float | None  # of its file; None: not known


def ledger_of(plan: Plan, result: RunResult) -> Ledger:
    """Where all text of the source went."""
    spoken_s = seconds_spoken(result)
    chapters = dict.fromkeys(segment.chapter for segment in plan.segments)
    numbers = (chapter.number for chapter in plan.chapters if not chapter.continues)
    return make_ledger(
        plan.book,
        (segment for segment in plan.segments if spoken_s.get(segment.id)),
        (*plan.skipped, *result.silent),
        dict(zip(chapters, numbers, strict=True)),
        plan.not_chosen,
    )


def reported_credits(plan: Plan) -> Iterator[ReportedCredits]:
    """The credits that the plan has."""
    texts = {segment.id: segment.text for segment in plan.segments}
    for chapter in plan.chapters:
        if chapter.is_credits:
            yield ReportedCredits(
                chapter.title,
                " ".join(texts[segment.segment_id] for segment in chapter.segments),
                " ".join(segment.request.spoken for segment in chapter.segments),
            )


def seconds_spoken(result: RunResult) -> dict[str, float]:
    """The seconds that each segment sounds, by its id."""
    spoken_s: dict[str, float] = defaultdict(float)
    for chapter in result.chapters:
        for cue in chapter.cues:  # one for each piece of a segment
            spoken_s[cue.segment_id] += (cue.end - cue.start) / chapter.sample_rate
    return spoken_s


def reported_remarks(
    plan: Plan, result: RunResult, places: Sequence[ChapterPlace]
) -> Iterator[ReportedRemark]:
    """The engine's remarks, once for each place in the book, with the time of the word."""
    by_key = {key: remarks for window in result.windows for key, remarks in window.remarks.items()}
    shards = shards_by_key(result.windows)
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


def reported_chapters(
    plan: Plan, recordings: Iterable[FinishedRecording]
) -> Iterator[ReportedChapter]:
    """The chapters of the finished recordings. Their loudness is that of the encoded audio."""
    start_s = 0.0
    for one in recordings:
        at, rate = 0, one.lengths.sample_rate
        lengths, planned = one.lengths.n_samples, plan.chapters[one.recording.chapters]
        levels = one.levels.chapters_lufs if one.levels else (None,) * len(lengths)
        for chapter, n_samples, loudness_lufs in zip(planned, lengths, levels, strict=True):
            yield ReportedChapter(
                title=chapter.title,
                level=chapter.level,
                is_credits=chapter.is_credits,
                words=sum(len(segment.request.spoken.split()) for segment in chapter.segments),
                recording=one.recording.name,
                at_s=round(at / rate, 3),
                start_s=round(start_s + at / rate, 3),
                duration_s=round(n_samples / rate, 3),
                loudness_lufs=loudness_lufs,
                gain_db=one.levels.gain_db if one.levels else None,
            )
            at += n_samples
        start_s += at / rate


def sound_json(
    levels: Mapping[str, RecordedLevels],
    recordings: Sequence[FinishedRecording],
    chapters: Iterable[ReportedChapter],
    result: RunResult | None,
) -> dict[str, Any]:
    """How loud the book, its files and their chapters are. None of silence, and if not known."""
    known = [one.levels for one in recordings if one.levels]
    is_known = bool(known) and len(known) == len(recordings)
    gains_db = {one.gain_db for one in known}
    peaks_dbtp = [one.true_peak_dbtp for one in known if one.true_peak_dbtp is not None]
    return {
        "gain_db": gains_db.pop() if is_known and len(gains_db) == 1 else None,
        "loudness_lufs": _whole_lufs(known, len(recordings), result),
        "true_peak_dbtp": max(peaks_dbtp, default=None) if is_known else None,
        "levels": [
            {
                "file": name,
                "gain_db": one.gain_db,
                "loudness_lufs": one.loudness_lufs,
                "rms_db": one.rms_db,
                "true_peak_dbtp": one.true_peak_dbtp,
                "room_tone_db": one.room_tone_db,
            }
            for name, one in levels.items()
        ],
        "chapters": [asdict(chapter) for chapter in chapters],
    }


def _whole_lufs(
    known: Sequence[RecordedLevels], n_recordings: int, result: RunResult | None
) -> float | None:
    """The loudness of all recordings as one; None if the run has not encoded all of several."""
    if result and len(result.recorded) == n_recordings:
        # Of each recording's first file: the others hold the same.
        first = (recorded.levels[0] for recorded in result.recorded.values())
        return finite_level(integrated_lufs(one.loudness for each in first for one in each.parts))
    return known[0].loudness_lufs if len(known) == n_recordings == 1 else None


def settings_json(job: Job) -> dict[str, Any]:
    """The choices of the run, for people who wonder later."""
    return {
        "profile": job.delivery.profile,
        "formats": [*job.formats, *job.readalongs],
        "transcripts": list(job.transcripts),
        "split": job.split,
        **{one.name: getattr(job, one.name) for one in fields(PassedOn)},
        "read": job.read,
        "check_speech": job.check_speech or None,
        "target_lufs": job.mastering.target_lufs,
        "target_rms_db": job.mastering.target_rms_db,
        "ceiling_dbtp": job.mastering.ceiling_dbtp,
    }


def music_json(job: Job, result: RunResult) -> Iterator[dict[str, Any]]:
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


def result_json(result: RunResult) -> dict[str, Any]:
    """Where the time went, and how loud the audio was before; None for silence."""
    loudness_before = integrated_lufs(chapter.loudness for chapter in result.chapters)
    return {
        "engine_busy_share": round(result.stage_times.busy_share, 4),
        "spent": {name: round(stage_s, 3) for name, stage_s in asdict(result.stage_times).items()},
        "damaged_shards": [words for window in result.windows for words in window.damaged],
        "loudness_before_lufs": finite_level(loudness_before),
        "voice_gains_db": result.gains_db,
    }
