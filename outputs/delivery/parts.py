"""The parts of a book, as the table of contents has them: titles with several chapters below.

    Preface            ─ part 1   before the first: with it
    Part One           ┐
      The Sea          ├ part 1
      The Hill         ┘
    Part Two           ┐
      The Mill         ┴ part 2
    Afterword          ─ part 2   after the last: with it

Pure. Files of a split book name their part as the disc. Players that know discs sort by disc, then
track; others by track alone. Both must give the order of the book, so tracks run through it, and
either all files have a disc or none: Audiobookshelf uses discs only if every file has one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from audiomill.inputs.book import Chapter


@dataclass(frozen=True, slots=True)
class BookPart:
    """The part that a chapter belongs to. `title` is "" for one that the contents put in none."""

    number: int  # from 1
    total: int
    title: str


def parts_of(chapters: Sequence[Chapter], spoken: Collection[int]) -> dict[int, BookPart]:
    """The part of each spoken chapter, by its index in the book; {} for a book without parts.

    The parts are those of the highest level that has at least two with spoken chapters.
    """
    indices = sorted(spoken)
    paths = [_path(chapters, index) for index in indices]
    for depth in range(1, max(map(len, paths), default=0) + 1):
        above = [path[:depth] if len(path) >= depth else () for path in paths]
        n_parts = sum(1 for titles, _ in groupby(one for one in above if one) if titles)
        if n_parts > 1:
            return dict(zip(indices, _numbered(above, n_parts), strict=True))
    return {}


def _path(chapters: Sequence[Chapter], index: int) -> tuple[str, ...]:
    """The titles above the chapter, and its own if there are chapters below."""
    own = (*chapters[index].parts, chapters[index].title)
    following = chapters[index + 1 : index + 2]
    return own if any(one.parts[: len(own)] == own for one in following) else own[:-1]


def _numbered(above: Sequence[tuple[str, ...]], n_parts: int) -> list[BookPart]:
    """The part of each chapter, of the titles above it; () for a chapter that is in none."""
    parts: list[BookPart] = []
    number, last = 0, ()
    for titles in above:
        if titles and titles != last:
            number, last = number + 1, titles
        parts.append(BookPart(max(number, 1), n_parts, titles[-1] if titles else ""))
    return parts
