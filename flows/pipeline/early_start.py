"""Has the engine begin with a book's first segments while the rest of the book is being read.

    read ─▶ chapter 1 ─▶ chapter 2 ─▶ … ─▶ plan ─▶ windows
                └▶ does the store lack its first segments? ─▶ the engine loads, finds phonemes

A run that has nothing to render loads nothing: neither where the store has these segments, nor
where the library has finished files of the book. Then the engine begins with the first window.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.places import has_finished_files
from audiomill.inputs.model.book import Book, Segment
from audiomill.renderers.engine.errors import RenderError, StoreError
from audiomill.renderers.engine.planning import requests_of
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.store.store import open_store

N_FIRST = 16  # segments that are looked up: a minute or two


class EarlyStart:
    """Is told of each chapter of a job's book as it is cut; acts at the first one."""

    def __init__(self, job: Job) -> None:
        self._job = job
        # Which chapters are chosen is known once all are cut.
        self._is_over = bool(job.chapters)

    def __call__(self, book: Book, segments: Sequence[Segment]) -> None:
        """Implement `OnChapter`. Raises nothing: the run meets the same errors later."""
        if self._is_over:
            return
        self._is_over = True
        if not has_finished_files(book, self._job.out):
            with suppress(RenderError, StoreError, OSError):
                self._begin(segments)

    def _begin(self, segments: Sequence[Segment]) -> None:
        job = self._job
        renderer, store = open_renderer(job.engine, job.options), open_store(job.store)
        if store.is_remote:  # reading would wait for its answers
            return
        first = requests_of(segments, renderer, job.speed)[:N_FIRST]
        if missing := [request for request in first if not store.has(request.key)]:
            renderer.prefetch(missing)
