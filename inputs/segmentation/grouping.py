"""Which neighbouring parts of a text make a segment of good length. Knows numbers, not text.

    parts      30 │ 45 ┃ 160 │ 20 ┃ 95 │ 60        lengths, in the engine's own units
    segments   └─ 75 ──┘ └─ 180 ──┘ └─ 155 ─┘      best from 100 to 200

Every way to join is weighed at once, by dynamic programming: what a segment's length costs it,
and the price of each place that is cut. So pieces come out even, with no scrap left at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import inf

# What a length costs: about 1 for next to nothing. The first step out of the best range costs some,
# and over it more than a cut at a comma (`chunking.py`); within it the middle is best, by a hair.
_UNDER = 0.01
_OVER = 0.04
_OFF_CENTRE = 0.001


@dataclass(frozen=True, slots=True)
class TextUnit:
    """What may be joined with its neighbours, but not cut."""

    length: int
    price: float  # of a cut before it


def group_by_length(parts: Sequence[TextUnit], best: tuple[int, int], longest: int) -> list[int]:
    """The numbers of the parts that begin a segment, but for the first one.

    Joined parts have a space between them, and never more than `longest` in all. `best` is (least,
    most), with 1 <= least <= most <= longest.
    """
    costs = _costs(*best, longest)
    ends = [0, *accumulate(part.length + 1 for part in parts)]
    cheapest, begins = [0.0], [0]  # of the first n parts; where the last segment of these begins
    for end in range(1, len(ends)):
        least, begin = inf, end - 1
        for start in range(end - 1, -1, -1):
            length = ends[end] - ends[start] - 1
            if length > longest and start < end - 1:
                break
            total = cheapest[start] + parts[start].price + costs[min(length, longest)]
            if total < least:
                least, begin = total, start
        cheapest.append(least)
        begins.append(begin)
    return _followed(begins)


def _followed(begins: Sequence[int]) -> list[int]:
    """The way back from the end, in order, without the start of all."""
    cuts, at = list[int](), begins[-1]
    while at > 0:
        cuts.append(at)
        at = begins[at]
    return cuts[::-1]


@lru_cache(maxsize=64)
def _costs(least: int, most: int, longest: int) -> tuple[float, ...]:
    """What each length costs, from 0 to `longest`."""
    return tuple(_cost(length, least, most) for length in range(longest + 1))


def _cost(length: int, least: int, most: int) -> float:
    if length < least:
        # Cubed: a little short does no harm, a scrap is bad.
        return (1 - length / least) ** 3 + _UNDER
    if length > most:
        return (length / most - 1) ** 2 + _OVER
    centre = (least + most) / 2
    return _OFF_CENTRE * abs(length / centre - 1)
