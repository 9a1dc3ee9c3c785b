"""From a manuscript to work: what to render, in which windows, and what each chapter waits for.

Pure. The plan depends on the book and the job only, never on what is already rendered.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from flows.job import Job
from inputs.book import Book, Manuscript, Segment, SourceEmpty
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

    title: str
    level: int
    parts: tuple[Part, ...]
    last_window: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All the work of one run, in book order."""

    manuscript: Manuscript
    windows: tuple[Window, ...]
    chapters: tuple[ChapterPlan, ...]
    sample_rate: int

    @property
    def book(self) -> Book:
        """The book, with the chapters that were chosen."""
        return self.manuscript.book

    @property
    def n_segments(self) -> int:
        """Segments in all chapters."""
        return len(self.manuscript.segments)

    @property
    def estimated_s(self) -> float:
        """Seconds of audio to be rendered, repeated segments once."""
        return sum(window.estimated_s for window in self.windows)


def make_plan(manuscript: Manuscript, job: Job, renderer: Renderer) -> Plan:
    """The work that `manuscript` takes. Raises SourceEmpty if there is nothing to say."""
    if not manuscript.segments:
        raise SourceEmpty(
            f"{job.source}: nothing in it to read aloud."
            " `audiomill inspect` lists what was left out and why."
        )
    requests = [request_for(segment, renderer, job.speed) for segment in manuscript.segments]
    windows = plan_windows(requests, renderer.traits, window_s=job.window_s)
    chapters = _chapters(manuscript, requests, windows)
    return Plan(manuscript, windows, chapters, renderer.sample_rate)


def _chapters(
    manuscript: Manuscript, requests: list[Request], windows: tuple[Window, ...]
) -> tuple[ChapterPlan, ...]:
    """A plan for each chapter that has something to say."""
    rendered_in = {
        request.key: window.index
        for window in windows
        for batch in window.batches
        for request in batch.requests
    }
    pairs = zip(manuscript.segments, requests, strict=True)
    return tuple(
        _chapter(manuscript.book, index, list(group), rendered_in)
        for index, group in groupby(pairs, key=lambda pair: pair[0].chapter)
    )


def _chapter(
    book: Book, index: int, pairs: list[tuple[Segment, Request]], rendered_in: dict[str, int]
) -> ChapterPlan:
    chapter = book.chapters[index]
    parts = tuple(Part(segment.id, request, segment.pause_after_s) for segment, request in pairs)
    last_window = max(rendered_in[request.key] for _, request in pairs)
    return ChapterPlan(chapter.title, chapter.level, parts, last_window)
