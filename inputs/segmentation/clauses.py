"""Cuts a sentence that is too long at its clauses. The caller decides which length is too long.

A piece that is too long is cut near its middle, at the strongest mark there, and each half is cut
in the same way. So the pieces have even lengths, and an edit near one end does not move the cuts
near the other. A cut never separates a letter from its accents.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

# Besides combining marks, these characters continue a grapheme cluster (after UAX #29).
_EXTENDING = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_MAX_FLAG_LETTERS = 16  # examined before a position; even, because a flag has two
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")
_CLOSERS = r"[\"'”’»)\]]*+"
# From the strongest to the weakest mark; a piece begins at the end of a match.
_MARKS = (
    re.compile(rf"[.!?…;:]{_CLOSERS}\s++|[。！？；：]{_CLOSERS}\s*+"),
    re.compile(rf"[,،]{_CLOSERS}\s++|[，、]{_CLOSERS}\s*+|—\s*+|(?<=\s)–\s++"),
    re.compile(
        r"(?<!\s)\s++(?=(?:and|but|or|nor|so|because|that|which|who|when|where|while|until|et|mais|ou|qui"
        r"|que|und|aber|oder|weil|dass|y|pero|o|porque|e|ma|che|mas|i|и|но|что)\s)"
    ),
    re.compile(r"\s++"),
)


def cut_positions(text: str, start: int, end: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions at which [start, end) can be cut, in tiers from the best to the worst.

    The tiers: after full stops, semicolons and colons; after commas and dashes; before
    conjunctions; between any two words. Each tier is in ascending order.
    """
    return tuple(tuple(match.end() for match in mark.finditer(text, start, end)) for mark in _MARKS)


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
