"""The chapters of a book while they are being measured, and the regions that are known by then.

measured in any order ─▶ waited for in the book's order ─▶ regions, each as soon as it is whole
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import tee
from threading import Condition

from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import EncodeRegion, plan_regions, without_last_pause
from audiomill.flows.pipeline.planning.plan import ChapterPlan
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.outputs.audio.file_ends import with_ends
from audiomill.outputs.targets import Ends
from audiomill.outputs.types import MeasuredChapter


class NoMore(Exception):
    """Nobody waits for further chapters any more."""


class MeasuredSoFar:
    """The chapters of a plan, by their numbers in it, with their plans. Thread-safe."""

    def __init__(self) -> None:
        self._there = dict[int, tuple[ChapterPlan, MeasuredChapter]]()
        self._changed = Condition()
        self._is_over = False

    def put(self, index: int, plan: ChapterPlan, chapter: MeasuredChapter) -> None:
        """Implement `OnMeasured`."""
        with self._changed:
            self._there[index] = (plan, chapter)
            self._changed.notify_all()

    def end(self) -> None:
        """From now on, whoever asks or waits for a chapter gets NoMore."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def require_more(self) -> None:
        """Raise NoMore if `end` was called."""
        if self._is_over:
            raise NoMore

    def of(self, index: int) -> tuple[ChapterPlan, MeasuredChapter]:
        """A chapter, once it is measured. Raises NoMore."""
        with self._changed:
            self._changed.wait_for(lambda: index in self._there or self._is_over)
            self.require_more()
            return self._there[index]

    def regions_of(self, job: Job, recording: Recording) -> Iterator[EncodeRegion]:
        """The regions of a recording without music, each as soon as its chapters are measured.

        Raises NoMore.
        """
        plans, chapters = tee(self._with_ends(job, recording))
        return plan_regions(
            (plan for plan, _ in plans),
            (chapter for _, chapter in chapters),
            file_rate=job.delivery.encoding.sample_rate,
        )

    def _with_ends(
        self, job: Job, recording: Recording
    ) -> Iterator[tuple[ChapterPlan, MeasuredChapter]]:
        """The chapters of a recording, with the quiet at its ends. Raises NoMore."""
        ends = job.delivery.ends
        for index in range(recording.first, recording.last):
            plan, chapter = self.of(index)
            head_s = ends.head_s if index == recording.first else None
            tail_s = ends.tail_s if index == recording.last - 1 else None
            if tail_s is not None:
                (plan,) = without_last_pause([plan])
            if head_s is not None or tail_s is not None:
                (chapter,) = with_ends([chapter], Ends(head_s, tail_s))
            yield plan, chapter
