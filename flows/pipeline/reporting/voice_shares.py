"""How much of a book each voice reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.reading.voices import book_narrator, known_cast
from audiomill.inputs.book import Book, Segment
from audiomill.renderers.registry import open_renderer


@dataclass(frozen=True, slots=True)
class VoiceShare:
    """How much of a book a voice reads."""

    voice: str
    parts: tuple[str, ...]  # of the cast; "narrator" for the book's own
    segments: int
    words: int  # as they are spoken
    spoken_s: float | None = None  # of audio, without pauses; None if it is not rendered


def voice_shares(
    job: Job, plan: Plan, spoken_s: Mapping[str, float] | None = None
) -> tuple[VoiceShare, ...]:
    """How much each voice reads, most first. `spoken_s` has the seconds of segments, by id."""
    parts = _parts_of_voices(job, plan.book)
    shares = (
        VoiceShare(
            voice,
            tuple(parts.get(voice, ())),
            len(segments),
            sum(len(segment.spoken.split()) for segment in segments),
            None if spoken_s is None else _sum_s(spoken_s, segments),
        )
        for voice, segments in _by_voice(plan.segments).items()
    )
    return tuple(sorted(shares, key=lambda share: -share.words))


def _sum_s(spoken_s: Mapping[str, float], segments: Iterable[Segment]) -> float:
    return round(sum(spoken_s.get(segment.id, 0.0) for segment in segments), 3)


def _by_voice(segments: Iterable[Segment]) -> dict[str, list[Segment]]:
    by_voice = dict[str, list[Segment]]()
    for segment in segments:
        by_voice.setdefault(segment.voice, []).append(segment)
    return by_voice


def _parts_of_voices(job: Job, book: Book) -> dict[str, list[str]]:
    """The parts that each voice is cast for, under the voices' canonical names."""
    renderer = open_renderer(job.engine, job.options)
    parts = {book_narrator(job, book, renderer): ["narrator"]}
    for part, voice in known_cast(job, renderer).parts():
        parts.setdefault(voice, []).append(part)
    return parts
