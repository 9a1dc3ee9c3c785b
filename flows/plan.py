"""From a manuscript to work: what to render, in which windows, and what each chapter waits for.

Pure. The plan depends on the book and the job only, never on what is already rendered.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from flows.job import Job, parse_chapters
from inputs.book import (
    Book,
    Chapter,
    Manuscript,
    Segment,
    Skipped,
    SkipReason,
    SourceEmpty,
)
from renderers.base import Renderer
from renderers.keys import request_for
from renderers.planning import plan_windows
from renderers.shard import Request, Window


@dataclass(frozen=True, slots=True)
class Part:
    """One segment's place in a chapter."""

    segment_id: str
    request: Request
    pause_after_s: float


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    """A chapter to be put together once window `last_window` is rendered."""

    number: int  # from 1, among the book's chapters that have something to say
    title: str
    level: int
    parts: tuple[Part, ...]
    last_window: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All the work of one run, in book order."""

    book: Book
    segments: tuple[Segment, ...]  # of the chapters that were chosen
    skipped: tuple[Skipped, ...]
    windows: tuple[Window, ...]
    chapters: tuple[ChapterPlan, ...]  # those that were chosen
    n_chapters: int  # of the whole book, chosen or not
    sample_rate: int

    @property
    def estimated_s(self) -> float:
        """Seconds of audio to be rendered, repeated segments once."""
        return sum(window.estimated_s for window in self.windows)


def make_plan(manuscript: Manuscript, job: Job, renderer: Renderer) -> Plan:
    """The work that `job` asks for. Raises UsageError if it names a chapter that is not there."""
    book = manuscript.book
    spoken = tuple(dict.fromkeys(segment.chapter for segment in manuscript.segments))
    numbers = {index: number for number, index in enumerate(spoken, 1)}
    chosen = {spoken[at] for at in parse_chapters(job.chapters, len(spoken))}
    segments = tuple(one for one in manuscript.segments if one.chapter in chosen)
    requests = [request_for(segment, renderer, job.speed) for segment in segments]
    windows = plan_windows(requests, renderer.traits, window_s=job.window_s)
    rendered_in = _rendered_in(windows)
    pairs = zip(segments, requests, strict=True)
    return Plan(
        book=book,
        segments=segments,
        skipped=(*manuscript.skipped, *_left_out(book, [i for i in spoken if i not in chosen])),
        windows=windows,
        chapters=tuple(
            _chapter(book.chapters[index], numbers[index], list(group), rendered_in)
            for index, group in groupby(pairs, key=lambda pair: pair[0].chapter)
        ),
        n_chapters=len(spoken),
        sample_rate=renderer.sample_rate,
    )


def refuse_empty(plan: Plan, job: Job) -> None:
    """Raise SourceEmpty if there is nothing to say, with what was left out and why."""
    if plan.segments:
        return
    reasons = Counter(str(one.reason) for one in plan.skipped).most_common()
    left_out = "; ".join(f"{count} x {reason}" for reason, count in reasons)
    raise SourceEmpty(
        f"Nothing in “{job.source}” can be read aloud. Left out: {left_out or 'nothing'}."
    )


def _rendered_in(windows: tuple[Window, ...]) -> dict[str, int]:
    """The window that renders each key."""
    return {
        request.key: window.index
        for window in windows
        for batch in window.batches
        for request in batch.requests
    }


def _left_out(book: Book, indices: list[int]) -> tuple[Skipped, ...]:
    return tuple(
        Skipped(SkipReason.NOT_CHOSEN, book.chapters[index].title, f"chapter {index + 1}")
        for index in indices
    )


def _chapter(
    chapter: Chapter,
    number: int,
    pairs: list[tuple[Segment, Request]],
    rendered_in: dict[str, int],
) -> ChapterPlan:
    parts = tuple(Part(segment.id, request, segment.pause_after_s) for segment, request in pairs)
    last_window = max(rendered_in[request.key] for _, request in pairs)
    return ChapterPlan(number, chapter.title, chapter.level, parts, last_window)
