"""How large a regular expression becomes when it is compiled, before it is.

`regex` writes out each part as often as it has to come: `((a{1000}){1000})` is a million parts, of
280 bytes each. Deep nesting and recursion end in a RecursionError or without memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_CHARS = 10_000
MAX_DEPTH = 50  # of groups
MAX_PARTS = 5_000
_COUNT = re.compile(r"\{(\d*)(?:,\d*)?\}")
_RECURSION = re.compile(r"\((?:R|\d+|&|P>)")
_FLAGS = re.compile(r"\(([a-zA-Z0-9]*-?[a-zA-Z0-9]*)[:)]")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*+\]", re.DOTALL)


class PatternTooLarge(ValueError):
    """The pattern would take too much memory. The message says what it has."""


def n_parts(pattern: str) -> int:
    """The parts of a pattern with all repetition written out. Raises PatternTooLarge."""
    if len(pattern) > MAX_CHARS:
        raise PatternTooLarge(f"it has over {MAX_CHARS:,} characters")
    sizes, last = [0], 0  # of each open group so far; of the part before this place
    for part in _parts(pattern):
        if part == "(":
            sizes.append(0)
            last = 0
            _check(len(sizes) - 1, MAX_DEPTH, "groups inside each other")
            continue
        if part == ")" and len(sizes) > 1:
            last = sizes.pop() + 1
            sizes[-1] += last
        elif count := _COUNT.fullmatch(part):
            more = last * (max(1, int(count[1] or 1)) - 1)
            last += more
            sizes[-1] += more
        else:
            last = 1
            sizes[-1] += last
        _check(sizes[-1], MAX_PARTS, "parts, once its repetition is written out")
    return sum(sizes)


def _check(number: int, most: int, things: str) -> None:
    if number > most:
        raise PatternTooLarge(f"it has over {most:,} {things}")


def _parts(pattern: str) -> Iterator[str]:
    """The signs "(", ")", "{m,n}", and one for each other part.

    Raises PatternTooLarge for recursion, comments and flags.
    A count is limited to six digits, which are too many already.
    """
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            yield "\\"
            at += 2
            continue
        if pattern.startswith("(?", at):
            _check_group(pattern, at)
        found = _COUNT.match(pattern, at) or _CLASS.match(pattern, at)
        part = found[0] if found else pattern[at]
        if _COUNT.fullmatch(part):
            yield part if len(part) < 20 else "{999999}"
        else:
            yield part if part in "()" else "."
        at += len(part)


def _check_group(pattern: str, at: int) -> None:
    """Raise PatternTooLarge for what makes the size of a pattern unknown."""
    after = pattern[at + 2 : at + 22]
    if _RECURSION.match(f"({after}"):
        raise PatternTooLarge("it repeats itself by recursion")
    flags = _FLAGS.match(f"({after}")
    if after.startswith("#") or (flags and set(flags[1]) & set("xV")):
        raise PatternTooLarge("it has comments, or the flag x or V")
