"""Cuts a printed sentence into captions that fit on a screen, each with its place in what is said.

    printed   In 1914 the mill stood still, | and nobody in the village spoke of it.
    spoken    In nineteen fourteen the mill stood still, | and nobody in the village spoke of it.

Cuts are made at clauses, and not inside an edit: the words of both texts are aligned, and where
they differ, a mark counts only if both have it. A part of which hardly anything is said gets words
of its neighbour, or is joined to it. Pure; knows no times.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

import numpy as np

from audiomill.inputs.segmentation.lengths import split_at_clauses

# Two lines of 42 columns: what subtitles for films and television are set in. Lines of Chinese and
# Japanese break between any two characters, but not before a closing mark or after an opening one.
MAX_LINE_COLUMNS = 42
MAX_CAPTION_COLUMNS = 2 * MAX_LINE_COLUMNS
MIN_SPOKEN = 16  # characters of a part: about a second
MAX_NAME_COLUMNS = 20  # of a speaker before his text
_NOT_FIRST = "、。，．・：；？！ー」』）】〉》］｝〕々…‥ァィゥェォッャュョぁぃぅぇぉっゃゅょ"
_NOT_LAST = "「『（【〈《［｛〔"
# All but Latin, Greek, Cyrillic and dashes, quotation marks and the like: those have one column.
_UNUSUAL = re.compile("[^\0-\xac\xae-\u02ff\u038e-\u03a1\u03a3-\u0482\u2010-\u2027]")
_WORD = re.compile(r"\S+")
_SPACES = re.compile(r"\s+")
_MARKS = ".!?…;:,—–"
_CLOSERS = "\"'”’»)]"


@dataclass(frozen=True, slots=True)
class Caption:
    """A part of a sentence: its text as printed, and the character of the spoken text it is at."""

    text: str
    at: int


def captions(printed: str, spoken: str, lead: str = "") -> tuple[Caption, ...]:
    """The printed sentence in parts that fit on two lines, in order; `at` never descends.

    `lead` is shown before each part: who speaks. A part is wider only if no line break divides it.
    Together the parts have every character of `printed` that is not white space.
    """
    if fits_on_screen(lead + printed.strip()):
        return (Caption(printed.strip(), 0),)
    words = list(_aligned(printed, spoken))
    starts = [word.start for word in words] + [len(printed)]
    places = [word.at for word in words] + [len(spoken)]

    def place(at: int) -> int:
        return int(np.interp(at, starts, places))

    spans = list(_spans(printed, _without_edits(printed, words), lead))
    spans = _balanced(printed, spans, starts, place, lead)
    return tuple(Caption(printed[start:end], place(start)) for start, end in spans)


def speaker_lead(speaker: str) -> str:
    """The words before the text of a speaker, with a long name cut off."""
    name = speaker
    while columns(name) > MAX_NAME_COLUMNS:
        name = name.removesuffix("…")[:-1] + "…"
    return f"{name}: " if name else ""


def lines(text: str) -> str:
    """The text on one line, or broken near its middle into two if it is wider than 42 columns."""
    breaks = _line_breaks(text) if columns(text) > MAX_LINE_COLUMNS else []
    if not breaks:
        return text
    before = _columns_before(text)
    end, start = min(breaks, key=lambda at: max(before[at[0]], before[-1] - before[at[1]]))
    return f"{text[:end]}\n{text[start:]}"


def fits_on_screen(text: str) -> bool:
    """Whether the text has two lines of 42 columns at most."""
    if columns(text) <= MAX_LINE_COLUMNS:
        return True
    if columns(text) > MAX_CAPTION_COLUMNS:
        return False
    return max(map(columns, lines(text).split("\n"))) <= MAX_LINE_COLUMNS


def columns(text: str) -> int:
    """The width of the text on a screen.

    East Asian characters are twice as wide as others, and accents of their own have no width.
    """
    if not _UNUSUAL.search(text):
        return len(text)
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 1 + (unicodedata.east_asian_width(character) in "WF")


def _columns_before(text: str) -> Sequence[int]:
    """The columns before each character, then those of all."""
    if not _UNUSUAL.search(text):
        return range(len(text) + 1)
    return tuple(accumulate(map(_width, text), initial=0))


def _line_breaks(text: str) -> list[tuple[int, int]]:
    """(where a line may end, where the next one then starts), in order."""
    spaces = [match.span() for match in _SPACES.finditer(text) if match.start() > 0]
    spaces = [(end, start) for end, start in spaces if start < len(text)]
    if not _UNUSUAL.search(text):
        return spaces
    return sorted((*spaces, *((at, at) for at in range(1, len(text)) if _is_break(text, at))))


def _is_break(text: str, at: int) -> bool:
    """Whether a line may end between two wide characters."""
    before, after = text[at - 1], text[at]
    is_wide = _width(before) == _width(after) == 2
    return is_wide and before not in _NOT_LAST and after not in _NOT_FIRST


def _spans(printed: str, cuttable: str, lead: str) -> Iterator[tuple[int, int]]:
    """The spans of the parts: cut at clauses, and inside an edit only if it is too wide."""

    def fits(start: int, end: int) -> bool:
        return fits_on_screen(lead + printed[start:end])

    def fits_or_is_one(start: int, end: int) -> bool:
        return fits(start, end) or not _line_breaks(cuttable[start:end])

    def fits_or_is_word(start: int, end: int) -> bool:
        return fits(start, end) or not _line_breaks(printed[start:end])

    for start, end in split_at_clauses(cuttable, 0, len(cuttable), fits_or_is_one):
        yield from split_at_clauses(printed, start, end, fits_or_is_word)


def _balanced(
    printed: str,
    spans: list[tuple[int, int]],
    starts: Sequence[int],
    place: Callable[[int], int],
    lead: str,
) -> list[tuple[int, int]]:
    """The spans, of which a short one gets words of the one before, or is joined to it.

    Only words that start at `starts` move.
    """
    balanced = spans[:1]
    for start, end in spans[1:]:
        first, last = balanced[-1][0], balanced[-1][1]
        said = (place(start) - place(first), place(end) - place(start))
        if min(said) >= MIN_SPOKEN:
            balanced.append((start, end))
        elif fits_on_screen(lead + printed[first:end]):
            balanced[-1] = (first, end)
        else:
            cuts = [at for at in starts if first < at < end]
            middle = (place(first) + place(end)) / 2
            cuts = [
                at
                for at in sorted(cuts, key=lambda at: abs(place(at) - middle))
                if fits_on_screen(lead + printed[first:at].rstrip())
                and fits_on_screen(lead + printed[at:end])
                and min(place(at) - place(first), place(end) - place(at)) >= MIN_SPOKEN
            ]
            cut = cuts[0] if cuts else start
            last = first + len(printed[first:cut].rstrip()) if cuts else last
            balanced[-1:] = [(first, last), (cut, end)]
    return balanced


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
