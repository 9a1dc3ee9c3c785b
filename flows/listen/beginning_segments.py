"""The first segments of a book, which are rendered before more of it is cut."""

from __future__ import annotations

from collections.abc import Callable

from audiomill.flows.listen.book_chapters import HeardChapter
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import EngineLimits

# Of audio that is rendered before more of a book is cut. The engine of this process would take more
# than its share of time for both; after it, there is enough to hear meanwhile.
FIRST_S = 20.0


class BeginningSegments:
    """The segments with which a book begins, by chapter."""

    def __init__(self, estimated_s: Callable[[PlannedSegment], float]) -> None:
        """`estimated_s` tells the seconds of a segment with the pause after it."""
        self._estimated_s = estimated_s
        self.duration_s = 0.0  # estimated
        self.chapters = list[tuple[PlannedSegment, ...]]()  # each ends with a pause, or whole

    @property
    def is_complete(self) -> bool:
        """Whether there is enough to hear."""
        return self.duration_s >= FIRST_S

    def add(self, chapter: HeardChapter) -> list[PlannedSegment]:
        """The segments of the next chapter that are rendered first; none if there are enough."""
        first = list[PlannedSegment]()
        for segment in chapter.segments:
            if not self.is_complete:
                first.append(segment)
                self.duration_s += self._estimated_s(segment)
        if with_pause := _until_pause(first, chapter):
            self.chapters.append(with_pause)
        return first


def _until_pause(first: list[PlannedSegment], chapter: HeardChapter) -> tuple[PlannedSegment, ...]:
    """What is joined with the next segment is left out: that segment is not known later."""
    n = len(first)
    while 0 < n < len(chapter.segments) and not first[n - 1].pause_after_s:
        n -= 1
    return tuple(first[:n])


def duration_with_pause_s(segment: PlannedSegment, limits: EngineLimits) -> float:
    """The estimated seconds of a segment with the pause after it."""
    return estimate_s(segment.request, limits) + segment.pause_after_s
