"""Joins neighbouring units of a text into segments of good length. Knows numbers, not text.

    units      30 │ 45 ┃ 160 │ 20 ┃ 95 │ 60        lengths, in the unit of the engine
    segments   └─ 75 ──┘ └─ 180 ──┘ └─ 155 ─┘      best from 100 to 200

Dynamic programming minimises the sum of two costs over all ways to join: the cost of each segment
by its length, and the cost of each cut. So segments have even lengths, and no short rest is left
at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import inf

# The cost of a length is about 1 for a length near 0. Outside the best range it begins with a step;
# the step above the range is more than a cut at a comma costs (`chunking.py`). Within the range the
# middle is best, by a little.
_UNDER = 0.01
_OVER = 0.04
_OFF_CENTRE = 0.001


@dataclass(frozen=True, slots=True)
class TextUnit:
    """A part of a text that can be joined with its neighbours but not cut."""

    length: int
    cut_cost: float  # the cost of a cut before it


def group_by_length(units: Sequence[TextUnit], best: tuple[int, int], longest: int) -> list[int]:
    """Return the indices of the units that begin a segment, except the first unit.

    Joined units have a space between them. A segment of several units is at most `longest`; one
    unit can be longer. `best` is (least, most), with 1 <= least <= most <= longest.
    """
    costs = _costs(*best, longest)
    ends = [0, *accumulate(unit.length + 1 for unit in units)]
    # For the first n units: the lowest cost, and the unit that begins the last segment.
    lowest_costs, last_starts = [0.0], [0]
    for end in range(1, len(ends)):
        lowest, last_start = inf, end - 1
        for start in range(end - 1, -1, -1):
            length = ends[end] - ends[start] - 1
            if length > longest and start < end - 1:
                break
            total = lowest_costs[start] + units[start].cut_cost + costs[min(length, longest)]
            if total < lowest:
                lowest, last_start = total, start
        lowest_costs.append(lowest)
        last_starts.append(last_start)
    return _backtrack(last_starts)


def _backtrack(last_starts: Sequence[int]) -> list[int]:
    """The starts of all segments except the first, in order, followed back from the end."""
    starts, start = list[int](), last_starts[-1]
    while start > 0:
        starts.append(start)
        start = last_starts[start]
    return starts[::-1]


@lru_cache(maxsize=64)
def _costs(least: int, most: int, longest: int) -> tuple[float, ...]:
    """The cost of each length from 0 to `longest`."""
    return tuple(_cost(length, least, most) for length in range(longest + 1))


def _cost(length: int, least: int, most: int) -> float:
    if length < least:
        # Cubed, because a little too short does no harm and a very short segment does.
        return (1 - length / least) ** 3 + _UNDER
    if length > most:
        return (length / most - 1) ** 2 + _OVER
    centre = (least + most) / 2
    return _OFF_CENTRE * abs(length / centre - 1)
