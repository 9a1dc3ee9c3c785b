"""Cuts a printed sentence into captions that fit on a screen, each with its place in what is said.

    printed   In 1914 the mill stood still, | and nobody in the village spoke of it.
    spoken    In nineteen fourteen the mill stood still, | and nobody in the village spoke of it.

Cuts are made at clauses, and not inside an edit: the words of both texts are aligned, and where
they differ, a mark counts only if both have it. Pure; knows no times.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from audiomill.inputs.segmentation.clauses import split_at_clauses

# Two lines of 42 columns: what subtitles for films and television are set in.
MAX_LINE_COLUMNS = 42
MAX_CAPTION_COLUMNS = 2 * MAX_LINE_COLUMNS
_WORD = re.compile(r"\S+")
_SPACE = re.compile(r"\s")
_MARKS = ".!?…;:,—–"
_CLOSERS = "\"'”’»)]"


@dataclass(frozen=True, slots=True)
class Caption:
    """A part of a sentence: its text as printed, and the character of the spoken text it is at."""

    text: str
    at: int


def captions(printed: str, spoken: str) -> tuple[Caption, ...]:
    """The printed sentence in parts of at most 84 columns, in order; `at` never descends.

    A part has more only if no space divides it. Together the parts have every character of
    `printed` that is not white space.
    """
    if columns(printed) <= MAX_CAPTION_COLUMNS:
        return (Caption(printed.strip(), 0),)
    words = list(_aligned(printed, spoken))
    cuttable = _without_edits(printed, words)

    def fits(start: int, end: int) -> bool:
        part = printed[start:end]
        if columns(part) <= MAX_CAPTION_COLUMNS:
            return True
        return columns(part) == len(part) and not _SPACE.search(cuttable, start, end)

    starts = [word.start for word in words] + [len(printed)]
    places = [word.at for word in words] + [len(spoken)]
    return tuple(
        Caption(printed[start:end], int(np.interp(start, starts, places)))
        for start, end in split_at_clauses(cuttable, 0, len(cuttable), fits)
    )


def lines(text: str) -> str:
    """The text on one line, or broken near its middle into two if it is wider than 42 columns."""
    breaks = [match.start() for match in _SPACE.finditer(text)]
    if not breaks or columns(text) <= MAX_LINE_COLUMNS:
        return text
    at = min(breaks, key=lambda at: max(columns(text[:at]), columns(text[at + 1 :])))
    return f"{text[:at]}\n{text[at + 1 :]}"


def columns(text: str) -> int:
    """The width of the text on a screen: East Asian characters are twice as wide as others."""
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(one) in "WF" for one in text)


@dataclass(frozen=True, slots=True)
class _AlignedWords:
    """Printed words [start, end) that are said by the words from character `at` on."""

    start: int
    end: int
    at: int
    is_edit: bool  # other words are said than are printed
    mark: str  # with which both texts end


def _aligned(printed: str, spoken: str) -> Iterator[_AlignedWords]:
    """The words of `printed` in order: each by itself, or together with others of one edit."""
    before = [match.span() for match in _WORD.finditer(printed)]
    after = [match.span() for match in _WORD.finditer(spoken)]
    written = [printed[slice(*span)] for span in before]
    said = [spoken[slice(*span)] for span in after]
    matcher = SequenceMatcher(None, written, said, autojunk=False)
    for kind, first, last, at, end in matcher.get_opcodes():
        if kind == "equal":
            for (start, stop), (place, _) in zip(before[first:last], after[at:end], strict=True):
                yield _AlignedWords(start, stop, place, is_edit=False, mark="")
        elif first < last:
            place = after[at][0] if at < len(after) else len(spoken)
            mark = _common_mark(written[last - 1], said[end - 1] if end > at else "")
            yield _AlignedWords(before[first][0], before[last - 1][1], place, True, mark)  # noqa: FBT003


def _common_mark(printed: str, spoken: str) -> str:
    """The marks with which the printed word ends, if the spoken one ends with such a mark too."""
    bare = printed.rstrip(_MARKS + _CLOSERS)
    return printed[len(bare) :] if spoken.rstrip(_CLOSERS)[-1:] in tuple(_MARKS) else ""


def _without_edits(printed: str, words: list[_AlignedWords]) -> str:
    """The printed text with letters in the place of each edit, up to the mark at its end."""
    text = printed
    for word in words:
        if word.is_edit:
            end = word.end - len(word.mark)
            text = text[: word.start] + "x" * (end - word.start) + text[end:]
    return text
