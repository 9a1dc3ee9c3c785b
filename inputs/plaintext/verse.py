"""Tells verse from prose in indented lines, and makes whole the lines that a page had to break.

      Of physiology from top to toe I sing,                   each begins with a capital
      Not physiognomy alone is worthy for the Muse, I say
          the Form complete is worthier far,                  goes on: deeper, in small letters

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

SHORT_LINE = 60  # characters; indented lines that are all short are verse, whatever their letters
LONGEST_LINE = 80  # of a page; one that is longer is a whole paragraph
PAGE = 72  # columns; prose goes on in a line as long as a word fits into them
LEAST_WHOLE = 4  # lines that begin with capitals; of fewer, each must end with a mark
LEAST_BROKEN = 45  # characters of a line that a page had to break
DEEPER = 2  # columns, at least, by which the rest of it is indented
_OPENERS = "\"'“‘„«‹([_*—– "
_MARKS = frozenset(".,;:!?…—-)”’\"'»_*")


def verse_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of verse, each in one piece; none if the lines of a paragraph are prose."""
    if not all(line[:2].isspace() and len(line.strip()) <= LONGEST_LINE for line in lines):
        return ()
    whole = _whole_lines(lines)
    is_short = all(len(line.strip()) <= SHORT_LINE for line in lines)
    is_verse = is_short or (_begin_anew(whole) and _has_room(lines))
    return whole if len(whole) > 1 and is_verse else ()


def _whole_lines(lines: Sequence[str]) -> tuple[str, ...]:
    whole, before = list[str](), ""
    for line in lines:
        if whole and _goes_on(before, line):
            whole[-1] = f"{whole[-1]} {line.strip()}"
        else:
            whole.append(line.strip())
        before = line
    return tuple(whole)


def _goes_on(before: str, line: str) -> bool:
    """True if a line is the rest of the one before it."""
    is_deeper = _indent(line) >= _indent(before) + DEEPER
    is_rest = line.lstrip(_OPENERS)[:1].islower()
    return is_deeper and is_rest and len(before.strip()) >= LEAST_BROKEN


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _begin_anew(lines: Sequence[str]) -> bool:
    """True if each line begins with a capital; in prose a line that does is a chance."""
    if not all(line.lstrip(_OPENERS)[:1].isupper() for line in lines):
        return False
    return len(lines) >= LEAST_WHOLE or all(line[-1] in _MARKS for line in lines[:-1])


def _has_room(lines: Sequence[str]) -> bool:
    """True if a line ends where the next word would have had room."""
    return any(
        len(line) + 1 + len(following.split()[0]) <= PAGE for line, following in pairwise(lines)
    )
