"""Cuts a text into paragraphs, joins the lines of each, and tells verse from prose.

In indented lines verse is told by its capitals, and lines that a page had to break are made whole:

      Of physiology from top to toe I sing,                   each begins with a capital
      Not physiognomy alone is worthy for the Muse, I say
          the Form complete is worthier far,                  goes on: deeper, in small letters
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from audiomill.inputs.gutenberg.asides import Aside, aside_end, find_asides
from audiomill.inputs.markup.text import normalise_spaces

EMPHASIS = re.compile(r"(?<![\w*=])([_*=]{1,3})(?=\S)([^_*=]{1,300}+)(?<=\S)\1(?![\w*=])")
_JOINED_LINES = re.compile(r"(?<=\w-|--|\w—)\n")
SHORT_LINE = 60  # characters; indented lines that are all short are verse, whatever their letters
LONGEST_LINE = 80  # of a page; one that is longer is a whole paragraph
PAGE = 72  # columns; prose goes on in a line as long as a word fits into them
LEAST_WHOLE = 4  # lines that begin with capitals; of fewer, each must end with a mark
LEAST_BROKEN = 45  # characters of a line that a page had to break
DEEPER = 2  # columns, at least, by which the rest of it is indented
_OPENERS = "\"'“‘„«‹([_*—– "
_MARKS = frozenset(".,;:!?…—-)”’\"'»_*")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines as they were typed, none of them blank, and how many blank lines are above them."""

    lines: tuple[str, ...]
    gap: int = 1

    @property
    def text(self) -> str:
        """All lines as one text."""
        return " ".join(line.strip() for line in self.lines)


def split_paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of a text. Without any blank line, each line is a paragraph."""
    paragraphs, lines = list[Paragraph](), list[str]()
    gap = n_blank = 0
    for line in [*text.strip().split("\n"), ""]:
        if line.strip():
            gap = gap if lines else n_blank
            lines.append(line.rstrip())
            n_blank = 0
            continue
        n_blank += 1
        if lines:
            paragraphs.append(Paragraph(tuple(lines), gap))
            lines = []
    if len(paragraphs) == 1:
        return [Paragraph((line,)) for line in paragraphs[0].lines]
    return paragraphs


def join_asides(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs, with those of one aside joined."""
    joined, texts = list[Paragraph](), [one.text for one in paragraphs]
    at = 0
    while at < len(paragraphs):
        end = aside_end(texts, at)
        lines = (line for one in paragraphs[at:end] for line in one.lines)
        joined.append(Paragraph(tuple(lines), paragraphs[at].gap))
        at = end
    return joined


def take_asides(lines: Sequence[str], *, is_edition: bool) -> tuple[tuple[str, ...], list[Aside]]:
    """(the lines of a paragraph without its asides, these)."""
    text, kept, at = "\n".join(lines), list[str](), 0
    found = find_asides(text, is_edition=is_edition)
    if not found:
        return tuple(lines), []
    for start, end, _ in found:
        kept.append(text[at:start])
        at = end
    rest = ("".join(kept) + text[at:]).split("\n")
    return tuple(line.rstrip() for line in rest if line.strip()), [one for *_, one in found]


def join_lines(lines: tuple[str, ...]) -> str:
    """Lines wrapped by hand as one; after a hyphen or dash they are joined without a space."""
    return normalise_spaces(_JOINED_LINES.sub("", "\n".join(line.strip() for line in lines)))


def without_emphasis(text: str) -> str:
    """The text without the signs of emphasis: `_word_`, `*word*`, `=word=`."""
    return EMPHASIS.sub(r"\2", text)


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
