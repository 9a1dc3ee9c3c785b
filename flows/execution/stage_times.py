"""How long each stage of a run took, and how much of the run the engine was busy. Reads no clock.

    reading   synthesis and waiting        measuring   encoding
    ├────────┼───████████─█████████─█████┼───────────┼─────────┤
    started  planned  engine renders  last batch     measured  ended

All times are seconds of one clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Interval = tuple[float, float]  # start and end


@dataclass(frozen=True, slots=True)
class StageTimes:
    """The stages of a run in seconds; they add up to all of it."""

    reading_s: float  # until the plan was made
    synthesis_s: float  # while the engine rendered one batch or more
    waiting_s: float  # before its last batch, while it rendered none: it waited for store or text
    measuring_s: float  # from its last batch until all chapters were joined and measured
    encoding_s: float  # from then to finished files

    @property
    def wall_s(self) -> float:
        """The whole run."""
        rendering_s = self.synthesis_s + self.waiting_s
        return self.reading_s + rendering_s + self.measuring_s + self.encoding_s

    @property
    def busy_share(self) -> float:
        """The share of the run in which the engine rendered, 0 to 1."""
        return self.synthesis_s / max(self.wall_s, 1e-9)


def compute_stage_times(
    started: float,
    planned: float,
    render_intervals: Iterable[Interval],
    measured: float,
    ended: float,
) -> StageTimes:
    """Split a run into its stages. The intervals, one for each batch, may be in any order."""
    intervals = tuple(render_intervals)
    last = max((end for _, end in intervals), default=planned)
    synthesis_s = busy_s(intervals)
    return StageTimes(
        reading_s=planned - started,
        synthesis_s=synthesis_s,
        waiting_s=last - planned - synthesis_s,
        measuring_s=measured - last,
        encoding_s=ended - measured,
    )


def busy_s(intervals: Iterable[Interval]) -> float:
    """The length in seconds of the union of the intervals.

    Two windows may ask an engine to render at once. Where it takes one batch at a time, the second
    interval includes waiting. Where it takes both, it still is one engine. Either way each second
    counts once.
    """
    total_s, until = 0.0, float("-inf")
    for start, end in sorted(intervals):
        total_s += max(0.0, end - max(start, until))
        until = max(until, end)
    return total_s
