"""Where a run's time went, and how much of it the engine was busy. Pure; reads no clock.

    reading   synthesis and waiting        measuring   encoding
    ├────────┼───███████─██████████─█████┼───────────┼─────────┤
             planned  the engine is asked             measured

All times are seconds of one clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of a run; together they are all of it."""

    reading_s: float  # until it was known what there is to say
    synthesis_s: float  # while the engine worked on one batch or more
    waiting_s: float  # while it did not, before its last batch: for the store, or for text
    measuring_s: float  # from its last batch until all chapters were joined and measured
    encoding_s: float  # from then to finished files

    @property
    def wall_s(self) -> float:
        """All of it."""
        before = self.reading_s + self.synthesis_s + self.waiting_s
        return before + self.measuring_s + self.encoding_s

    @property
    def busy_share(self) -> float:
        """The part of the run in which the engine worked."""
        return self.synthesis_s / max(self.wall_s, 1e-9)


def timings(
    began: float, planned: float, spoken: Iterable[Interval], measured: float, ended: float
) -> Timings:
    """What each part of a run took; `spoken` is when the engine was asked, in any order."""
    intervals = tuple(spoken)
    last = max((end for _, end in intervals), default=planned)
    synthesis_s = busy_s(intervals)
    return Timings(
        reading_s=planned - began,
        synthesis_s=synthesis_s,
        waiting_s=last - planned - synthesis_s,
        measuring_s=measured - last,
        encoding_s=ended - measured,
    )


def busy_s(intervals: Iterable[Interval]) -> float:
    """The seconds that lie in one interval or more.

    Two windows ask an engine at once. If it takes one batch at a time, the second waits, and that
    is no work; if it takes both, a second of both is a second. Either way it counts once.
    """
    total_s, until = 0.0, float("-inf")
    for start, end in sorted(intervals):
        total_s += max(0.0, end - max(start, until))
        until = max(until, end)
    return total_s
