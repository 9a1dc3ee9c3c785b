"""The chapters of a book that can be heard: each as soon as it is cut, while the rest is read.

    read ─▶ chapter 1 ─▶ chapter 2 ─▶ … ─▶ plan
              └▶ heard      └▶ heard         └▶ these are all

Chapters come early where nothing is decided later: not where some are chosen by their numbers, nor
for an engine that is paid, whose price is told before anything is sent. They are those of the plan.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import groupby

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.plan import Plan, PlannedSegment, planned_segments
from audiomill.inputs.model.book import Book, Segment
from audiomill.renderers.engine.planning import requests_of
from audiomill.renderers.engine.protocol import EngineLimits, Renderer


@dataclass(frozen=True, slots=True)
class HeardChapter:
    """A chapter, by its segments. `texts` are the same ones as they are printed."""

    title: str
    segments: tuple[PlannedSegment, ...]
    texts: tuple[Segment, ...]


class BookChapters:
    """The chapters of a book as they are cut. Any thread may use it."""

    def __init__(self, job: Job, renderer: Renderer) -> None:
        self._job, self._renderer = job, renderer
        self.limits: EngineLimits = renderer.limits
        self.come_early = not job.chapters and not renderer.limits.is_paid
        self._first = Future[Book]()
        self._changed = threading.Condition()
        self._known = tuple[HeardChapter, ...]()
        self._is_complete = False
        self._error: Exception | None = None

    @property
    def known(self) -> tuple[HeardChapter, ...]:
        """The chapters that there are by now, in order."""
        return self._known

    @property
    def is_complete(self) -> bool:
        """Whether these are all."""
        return self._is_complete

    def add(self, book: Book, segments: Sequence[Segment]) -> tuple[HeardChapter, ...]:
        """Take a chapter as it is cut; returns what can be heard by it. Raises UnknownVoice."""
        if not self.come_early:
            return ()
        requests = requests_of(segments, self._renderer, self._job.speed)
        title = book.chapters[segments[0].chapter].title
        chapter = HeardChapter(title, planned_segments(segments, requests), tuple(segments))
        self._tell(book, (*self._known, chapter))
        return (chapter,)

    def complete(self, plan: Plan) -> None:
        """Take all chapters from the plan of the book."""
        texts = (tuple(group) for _, group in groupby(plan.segments, lambda one: one.chapter))
        chapters = zip(plan.chapters, texts, strict=True)
        all_of_it = (HeardChapter(one.title, one.segments, group) for one, group in chapters)
        self._tell(plan.book, all_of_it, is_complete=True)

    def _tell(
        self, book: Book, chapters: Iterable[HeardChapter], *, is_complete: bool = False
    ) -> None:
        with self._changed:
            self._known, self._is_complete = tuple(chapters), is_complete
            self._changed.notify_all()
        if not self._first.done():
            self._first.set_result(book)

    def fail(self, error: Exception) -> None:
        """Let all who wait for a chapter meet an error: the rest of the book is not read."""
        with self._changed:
            self._error = error
            self._changed.notify_all()
        if not self._first.done():
            self._first.set_exception(error)

    def check(self) -> None:
        """Raise the error by which reading has ended, if it has."""
        if self._error:
            raise self._error

    def book(self) -> Book:
        """The book, once its first chapter is cut; waits for it. Raises as `wait_for`."""
        return self._first.result()

    def wait_for(self, index: int) -> HeardChapter | None:
        """A chapter, once it is cut; None if the book has no such one.

        Raises the error by which reading has ended.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: index < len(self._known) or self._is_complete or self._error
            )
        if index < len(self._known):
            return self._known[index]
        self.check()
        return None
