"""Where text may be cut without parting a letter from its accents. Knows characters only."""

from __future__ import annotations

import re
import unicodedata

# A grapheme cluster goes on through these, besides combining marks (after UAX #29).
_EXTENDING = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\u1160-\u11ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_FLAGS_IN_SIGHT = 16  # even: a longer run of flags is looked at in part
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")


def nearest_edge(text: str, middle: int, reach: int) -> int:
    """The edge of a cluster nearest `middle`, less than `reach` away; or else `middle`."""
    for step in range(reach):
        for place in (middle - step, middle + step):
            if not _continues(text, place):
                return place
    return middle


def last_edge(text: str, start: int, end: int) -> int:
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
