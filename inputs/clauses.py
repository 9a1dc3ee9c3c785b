"""Where a sentence that is too long for an engine may be cut. Knows text and a length.

The cut nearest the middle is taken, at the strongest mark there, and the halves are cut in the
same way: pieces come out even, and an edit near one end leaves the cuts near the other alone.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from inputs.spoken import spoken_form

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
# Text this many times too long is too long without counting its silent characters.
_MOSTLY_SOUND = 4
# A grapheme cluster goes on through these, besides combining marks (after UAX #29).
_EXTENDING = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_FLAGS_IN_SIGHT = 16  # even: a longer run of flags is looked at in part
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")


def pieces(text: str, start: int, end: int, max_chars: int) -> Iterator[tuple[int, int]]:
    """Spans inside [start, end), in order, whose spoken form has at most `max_chars` characters.

    They hold every character that is not white space. Raises ValueError if `max_chars` < 1.
    """
    if max_chars < 1:
        raise ValueError(f"max_chars is {max_chars}; it must be at least 1")
    if _fits(text, start, end, max_chars):
        yield start, end
        return
    tiers = [[match.end() for match in mark.finditer(text, start, end)] for mark in _MARKS]
    waiting = [(start, end)]
    while waiting:
        start, end = _trim(text, *waiting.pop())
        if _fits(text, start, end, max_chars):
            if start < end:
                yield start, end
        else:
            middle = _cut(text, start, end, tiers)
            waiting += [(middle, end), (start, middle)]


def _fits(text: str, start: int, end: int, max_chars: int) -> bool:
    n_chars = end - start
    if n_chars > _MOSTLY_SOUND * max_chars:
        return False
    return n_chars <= max_chars or len(spoken_form(text[start:end])) <= max_chars


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
    return _between_clusters(text, middle, quarter)


def _nearest(places: Sequence[int], middle: int) -> int | None:
    at = bisect_left(places, middle)
    near = places[max(0, at - 1) : at + 1]
    return min(near, key=lambda place: abs(place - middle), default=None)


def _between_clusters(text: str, middle: int, reach: int) -> int:
    """A place near `middle` where no letter is parted from its accents; or else `middle`."""
    for step in range(reach):
        for place in (middle - step, middle + step):
            if not _continues(text, place):
                return place
    return middle


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
