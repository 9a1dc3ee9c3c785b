"""Where a sentence may be cut at its clauses. Knows text; how long is too long it is told.

A piece that is too long is cut nearest its middle, at the strongest mark there, and the halves are
cut in the same way: pieces come out even, and an edit near one end leaves the cuts near the other
alone.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

# Where text may be cut without parting a letter from its accents.

# A grapheme cluster goes on through these, besides combining marks (after UAX #29).
_EXTENDING = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_FLAGS_IN_SIGHT = 16  # even: a longer run of flags is looked at in part
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")


def nearest_grapheme_boundary(text: str, middle: int, reach: int) -> int:
    """The edge of a cluster nearest `middle`, less than `reach` away; or else `middle`."""
    for step in range(reach):
        for place in (middle - step, middle + step):
            if not _continues(text, place):
                return place
    return middle


def last_grapheme_boundary(text: str, start: int, end: int) -> int:
    """The last edge of a cluster after `start` and no later than `end`; or else `end`."""
    for place in range(end, start, -1):
        if place == len(text) or not _continues(text, place):
            return place
    return end


def _continues(text: str, at: int) -> bool:
    """Whether the character at `at` belongs to the cluster before it."""
    if unicodedata.category(text[at])[0] == "M" or _EXTENDING.match(text, at):
        return True
    if text[at - 1] == "\u200d":
        return True
    return bool(_FLAG_LETTER.match(text, at)) and _flag_letters_before(text, at) % 2 == 1


def _flag_letters_before(text: str, at: int) -> int:
    first = at
    while first > 0 and at - first < _FLAGS_IN_SIGHT and _FLAG_LETTER.match(text, first - 1):
        first -= 1
    return at - first


_CLOSERS = r"[\"'”’»)\]]*+"
# From the strongest to the weakest; a piece begins where a match ends.
_MARKS = (
    re.compile(rf"[.!?…;:]{_CLOSERS}\s++|[。！？；：]{_CLOSERS}\s*+"),
    re.compile(rf"[,،]{_CLOSERS}\s++|[，、]{_CLOSERS}\s*+|—\s*+|(?<=\s)–\s++"),
    re.compile(
        r"(?<!\s)\s++(?=(?:and|but|or|nor|so|because|that|which|who|when|where|while|until|et|mais|ou|qui"
        r"|que|und|aber|oder|weil|dass|y|pero|o|porque|e|ma|che|mas|i|и|но|что)\s)"
    ),
    re.compile(r"\s++"),
)


def marks(text: str, start: int, end: int) -> tuple[tuple[int, ...], ...]:
    """Where [start, end) may be cut, in order, from the best places to the worst.

    They are after stops, semicolons and colons; after commas and dashes; before conjunctions; and
    between any two words.
    """
    return tuple(tuple(found.end() for found in mark.finditer(text, start, end)) for mark in _MARKS)


def split_at_clauses(
    text: str, start: int, end: int, fits: Callable[[int, int], bool]
) -> Iterator[tuple[int, int]]:
    """Spans inside [start, end), in order, each of which `fits`, or is a single character.

    They hold every character that is not white space.
    """
    tiers = None
    waiting = [(start, end)]
    while waiting:
        start, end = _trim(text, *waiting.pop())
        if end - start <= 1 or fits(start, end):
            if start < end:
                yield start, end
        else:
            tiers = tiers or marks(text, start, end)
            middle = _cut(text, start, end, tiers)
            waiting += [(middle, end), (start, middle)]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    inside = text[start:end]
    first = start + len(inside) - len(inside.lstrip())
    return first, max(first, start + len(inside.rstrip()))


def _cut(text: str, start: int, end: int, tiers: Sequence[Sequence[int]]) -> int:
    """The best place to cut strictly inside [start, end), which has two characters or more."""
    middle, quarter = (start + end) // 2, (end - start) // 4
    for places in tiers[:-1]:
        near = _nearest(places, middle)
        if near is not None and start + quarter < near < end - quarter:
            return near
    space = _nearest(tiers[-1], middle)
    if space is not None and start < space < end:
        return space
    return nearest_grapheme_boundary(text, middle, quarter)


def _nearest(places: Sequence[int], middle: int) -> int | None:
    at = bisect_left(places, middle)
    near = places[max(0, at - 1) : at + 1]
    return min(near, key=lambda place: abs(place - middle), default=None)
