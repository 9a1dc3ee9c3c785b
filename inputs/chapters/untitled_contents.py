"""Finds a table of contents that has neither a title nor numbers of pages.

    The Sea          each line comes once more, in the same order, as a title above text
    The Hill
    The End

No prose is lost with it: whatever is found stands once more in the book.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from audiomill.inputs.chapters.listings import LONGEST_SUMMARY, line_keys

MIN_ENTRIES = 4
FIRST = 60  # texts of a book, among which a table begins
LEAST_SHARE = 0.8  # of the lines, that are entries
LEAST_CHARS = 300  # below a title
MOST_SHORT = 0.4  # of the titles, that have less text below them: parts, very short chapters
MOST_TITLE_LINES = 6
SHORTEST_KEY = 3  # letters; numerals alone are no titles


@dataclass(frozen=True, slots=True)
class _Book:
    texts: Sequence[str]
    places: Mapping[str, Sequence[int]]  # of the short texts, by their keys
    n_chars: Sequence[int]  # above each text


def untitled_spans(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(start, end) of each table of contents without a title, at the beginning of a book."""
    book = _Book(texts, _places(texts), [0, *accumulate(map(len, texts))])
    at = 0
    while at < min(FIRST, len(texts)):
        end = _table_end(book, at)
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _places(texts: Sequence[str]) -> dict[str, list[int]]:
    """Where each short text stands that can be a title."""
    places: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        lines = text.split("\n")
        if len(lines) > MOST_TITLE_LINES or len(text) > LONGEST_SUMMARY:
            continue
        for key in {key for one in (*lines, " ".join(lines)) for key in _keys(one)}:
            places.setdefault(key, []).append(at)
    return places


def _keys(line: str) -> list[str]:
    return [key for key in line_keys(line) if sum(map(str.isalpha, key)) >= SHORTEST_KEY]


def _table_end(book: _Book, start: int) -> int:
    """The index after the last entry of a table that begins at `start`; `start` if none does."""
    titles, n_lines = list[int](), 0
    end, last = start, start
    for at in range(start, len(book.texts)):
        if titles and at >= titles[0]:
            break
        lines = [line for line in book.texts[at].split("\n") if line.strip()]
        found = _titles_of(book, [" ".join(lines)], at, last)
        lines, found = (lines[:1], found) if found else (lines, _titles_of(book, lines, at, last))
        if len(found) < LEAST_SHARE * len(lines) or not lines:
            break
        titles, n_lines = [*titles, *found], n_lines + len(lines)
        end, last = at + 1, titles[-1]
    return end if len(titles) >= MIN_ENTRIES and _have_text(book, titles) else start


def _titles_of(book: _Book, lines: Sequence[str], at: int, above: int) -> list[int]:
    """The places of the titles that the lines of one text name, in order, below the one `above`."""
    found = list[int]()
    for line in lines:
        below = {place for key in _keys(line) for place in book.places.get(key, ()) if place > at}
        if len(below) == 1 and (place := below.pop()) > above:
            found.append(place)
            above = place
    return found


def _have_text(book: _Book, titles: Sequence[int]) -> bool:
    """True if most titles stand above text, and the last one, too."""
    bounds = [*titles, len(book.texts)]
    n_short = sum(
        book.n_chars[end] - book.n_chars[start + 1] < LEAST_CHARS for start, end in pairwise(bounds)
    )
    return n_short <= MOST_SHORT * len(titles)
