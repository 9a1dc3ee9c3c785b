"""How long text is to say, and which neighbouring units of it make a segment of good length.

    units      30 │ 45 ┃ 160 │ 20 ┃ 95 │ 60        lengths, in the unit of the engine
    segments   └─ 75 ──┘ └─ 180 ──┘ └─ 155 ─┘      best from 100 to 200

Dynamic programming minimises the sum of two costs over all ways to join: the cost of each segment
by its length, and the cost of each cut. So segments have even lengths, and no short rest is left
at the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import inf

# How many letters of an alphabet take as long to say as one of these characters. Fitted to the
# durations that espeak-ng gives 10,800 segments of nine books (docs/design/quality.md).
_DIGIT, _IDEOGRAPH, _SYLLABLE, _SPELLED, _MARK = 4.0, 8.0, 1.5, 15.0, 0.0
_DIGITS = re.compile(r"\d")
_IDEOGRAPHS = re.compile("[\u3400-\u9fff]")
_SYLLABLES = re.compile("[\u3040-\u30ff\uac00-\ud7af]")  # kana and Hangul
_SPELLED_LETTERS = re.compile("[\u0250-\u02af\u1d00-\u1dbf]")  # of phonetics, small capitals
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]")  # accents, vowel points
# The cost of a length is about 1 for a length near 0. Outside the best range it begins with a step;
# the step above the range is more than a cut at a comma costs (`chunking.py`). Within the range the
# middle is best, by a little.
_UNDER = 0.01
_OVER = 0.04
_OFF_CENTRE = 0.001


def is_speakable(spoken: str) -> bool:
    """Return True if `spoken` has a letter or a digit of any script."""
    return any(map(str.isalnum, spoken))


def n_characters(spoken: str, voice: str) -> int:  # noqa: ARG001 - other engines measure by voice
    """Return the length of `spoken` for an engine that counts characters, for any voice."""
    return len(spoken)


def n_letters(spoken: str) -> float:
    """Return how many letters of an alphabet take about as long to say as `spoken`.

    It compares texts of one language with each other: a digit is a word, and an ideograph too.
    """
    others = (
        (_DIGITS, _DIGIT),
        (_IDEOGRAPHS, _IDEOGRAPH),
        (_SYLLABLES, _SYLLABLE),
        (_SPELLED_LETTERS, _SPELLED),
        (_MARKS, _MARK),
    )
    more = sum(len(pattern.findall(spoken)) * (weight - 1) for pattern, weight in others)
    return len(spoken) + more


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
