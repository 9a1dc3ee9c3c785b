"""What a report tells of chapters, credits, remarks and the text of the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.rendering.chapter_places import ChapterPlace, heard_at
from audiomill.flows.pipeline.result import FinishedRecording, RunResult
from audiomill.inputs.ledger import Ledger, make_ledger
from audiomill.outputs.types import Cue
from audiomill.renderers.base import Remark, ShardInfo


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
