"""How long text is to say, where a long sentence is cut, and which neighbours make a segment.

    units      30 │ 45 ┃ 160 │ 20 ┃ 95 │ 60        lengths, in the unit of the engine
    segments   └─ 75 ──┘ └─ 180 ──┘ └─ 155 ─┘      best from 100 to 200

Dynamic programming minimises the sum of two costs over all ways to join: the cost of each segment
by its length, and the cost of each cut. So segments have even lengths, and no short rest is left
at the end.

Cuts a sentence that is too long at its clauses. The caller decides which length is too long.

A piece that is too long is cut near its middle, at the strongest mark there, and each half is cut
in the same way. So the pieces have even lengths, and an edit near one end does not move the cuts
near the other. A cut never separates a letter from its accents.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
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
# Besides combining marks, these characters continue a grapheme cluster (after UAX #29).
_EXTENDING = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_MAX_FLAG_LETTERS = 16  # examined before a position; even, because a flag has two
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")
_CLOSERS = r"[\"'”’»)\]]*+"
# From the strongest to the weakest mark; a piece begins at the end of a match.
_TIERS = (
    re.compile(rf"[.!?…;:]{_CLOSERS}\s++|[。！？；：]{_CLOSERS}\s*+"),
    re.compile(rf"[,،]{_CLOSERS}\s++|[，、]{_CLOSERS}\s*+|—\s*+|(?<=\s)–\s++"),
    re.compile(
        r"(?<!\s)\s++(?=(?:and|but|or|nor|so|because|that|which|who|when|where|while|until|et|mais|ou|qui"
        r"|que|und|aber|oder|weil|dass|y|pero|o|porque|e|ma|che|mas|i|и|но|что)\s)"
    ),
    re.compile(r"\s++"),
)


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


def cut_positions(text: str, start: int, end: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions at which [start, end) can be cut, in tiers from the best to the worst.

    The tiers: after full stops, semicolons and colons; after commas and dashes; before
    conjunctions; between any two words. Each tier is in ascending order.
    """
    return tuple(tuple(match.end() for match in mark.finditer(text, start, end)) for mark in _TIERS)


def split_at_clauses(
    text: str, start: int, end: int, fits: Callable[[int, int], bool]
) -> Iterator[tuple[int, int]]:
    """Yield spans inside [start, end), in order; each of them `fits` or is a single character.

    Together they have every character that is not white space.
    """
    tiers = None
    pending = [(start, end)]
    while pending:
        start, end = _trim(text, *pending.pop())
        if end - start <= 1 or fits(start, end):
            if start < end:
                yield start, end
        else:
            tiers = tiers or cut_positions(text, start, end)
            middle = _best_cut(text, start, end, tiers)
            pending += [(middle, end), (start, middle)]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    inside = text[start:end]
    first = start + len(inside) - len(inside.lstrip())
    return first, max(first, start + len(inside.rstrip()))


def _best_cut(text: str, start: int, end: int, tiers: Sequence[Sequence[int]]) -> int:
    """The best position strictly inside [start, end), which has at least two characters."""
    middle, quarter = (start + end) // 2, (end - start) // 4
    for positions in tiers[:-1]:
        near = _nearest(positions, middle)
        if near is not None and start + quarter < near < end - quarter:
            return near
    space = _nearest(tiers[-1], middle)
    if space is not None and start < space < end:
        return space
    return nearest_grapheme_boundary(text, middle, quarter)


def _nearest(positions: Sequence[int], middle: int) -> int | None:
    index = bisect_left(positions, middle)
    near = positions[max(0, index - 1) : index + 1]
    return min(near, key=lambda position: abs(position - middle), default=None)


def nearest_grapheme_boundary(text: str, middle: int, reach: int) -> int:
    """Return the boundary nearest to `middle`, less than `reach` away, or else `middle`."""
    for step in range(reach):
        for position in (middle - step, middle + step):
            if not _continues_cluster(text, position):
                return position
    return middle


def last_grapheme_boundary(text: str, start: int, end: int) -> int:
    """Return the last boundary after `start` and not after `end`, or else `end`."""
    for position in range(end, start, -1):
        if position == len(text) or not _continues_cluster(text, position):
            return position
    return end


def _continues_cluster(text: str, at: int) -> bool:
    """True if the character at `at` belongs to the grapheme cluster before it."""
    if unicodedata.category(text[at])[0] == "M" or _EXTENDING.match(text, at):
        return True
    if text[at - 1] == "\u200d":
        return True
    return bool(_FLAG_LETTER.match(text, at)) and _flag_letters_before(text, at) % 2 == 1


def _flag_letters_before(text: str, at: int) -> int:
    first = at
    while first > 0 and at - first < _MAX_FLAG_LETTERS and _FLAG_LETTER.match(text, first - 1):
        first -= 1
    return at - first
