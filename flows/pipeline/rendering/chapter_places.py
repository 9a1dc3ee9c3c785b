"""Where each chapter lies: in which recording, and how far from its beginning. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.outputs.types import Cue, MeasuredChapter


@dataclass(frozen=True, slots=True)
class ChapterPlace:
    """The place of a chapter's first sample."""

    recording: str  # the name of its files, without suffix
    start: int  # samples before it in that recording


def chapter_places(
    recordings: Iterable[Recording], chapters: Sequence[MeasuredChapter]
) -> tuple[ChapterPlace, ...]:
    """The place of each chapter, in order. Every chapter is in one recording."""
    places: list[ChapterPlace] = []
    for recording in recordings:
        start = 0
        for chapter in chapters[recording.chapters]:
            places.append(ChapterPlace(recording.name, start))
            start += chapter.n_samples
    return tuple(places)


def heard_at(cues: Sequence[Cue], at: int) -> int:
    """Where sample `at` of a segment's shard is heard: samples from the start of its chapter.

    `cues` are those of the segment's pieces. It is in the last one that has begun by then.
    """
    cue = max(
        (cue for cue in cues if cue.origin + at >= cue.start),
        key=lambda cue: cue.start,
        default=cues[0],
    )
    return max(cue.origin + at, cue.start)
