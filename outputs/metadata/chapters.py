"""Chapters of a finished file as marks, also in ffmpeg's metadata format, and the parts of a book.

Parts are titles of the table of contents with several chapters below.

    Preface            ─ part 1   before the first: with it
    Part One           ┐
      The Sea          ├ part 1
      The Hill         ┘
    Part Two           ┐
      The Mill         ┴ part 2
    Afterword          ─ part 2   after the last: with it

Files of a split book name their part as the disc. Players that know discs sort by disc, then track;
others by track alone. Both must give the order of the book, so tracks run through it, and either
all files have a disc or none: Audiobookshelf uses discs only if every file has one.

Writes no files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

from audiomill.inputs.model.book import Chapter
from audiomill.outputs.text import UNTITLED, capped, one_line

MAX_TITLE_BYTES = 255  # the Nero chapter list of an MP4 stores a title's length in one byte
MIN_MARK_S = 0.001  # MP3 and QuickTime marks are in milliseconds; a shorter one would be empty


@dataclass(frozen=True, slots=True)
class Mark:
    """A chapter of a finished file: samples [start, end), and a title of one line."""

    title: str
    start: int
    end: int
    level: int = 1  # depth in the table of contents


class TimedChapter(Protocol):
    """A chapter whose length is known."""

    @property
    def title(self) -> str:
        """Its title as in the book."""
        ...

    @property
    def level(self) -> int:
        """Its depth in the table of contents, from 1."""
        ...

    @property
    def n_samples(self) -> int:
        """Its length, with music."""
        ...

    @property
    def sample_rate(self) -> int:
        """In hertz."""
        ...


def book_marks(chapters: Iterable[TimedChapter]) -> tuple[Mark, ...]:
    """Contiguous marks, one per chapter. A chapter shorter than MIN_MARK_S gets no mark."""
    marks: list[Mark] = []
    position = 0
    for chapter in chapters:
        end = position + chapter.n_samples
        if chapter.n_samples >= MIN_MARK_S * chapter.sample_rate:
            marks.append(Mark(mark_title(chapter.title), position, end, chapter.level))
        elif marks:
            marks[-1] = replace(marks[-1], end=end)
        position = end
    return tuple(marks)


def upper_marks(marks: Sequence[Mark], most: int) -> Sequence[Mark]:
    """At most so many marks, if leaving out the deeper levels does it; all of level 1 stay.

    What a deeper one marked belongs to the one before.
    """
    for deepest in sorted({mark.level for mark in marks[1:]} - {1}, reverse=True):
        if len(marks) <= most:
            break
        kept = [*marks[:1], *(mark for mark in marks[1:] if mark.level < deepest)]
        ends = [*(mark.start for mark in kept[1:]), marks[-1].end]
        marks = [replace(mark, end=end) for mark, end in zip(kept, ends, strict=True)]
    return marks


def mark_title(title: str) -> str:
    """The title on one line, never empty, and short enough for every format.

    Trailing backslashes are dropped: ffmpeg takes one for an escape of the line break, even if it
    is escaped itself.
    """
    return capped(one_line(title), MAX_TITLE_BYTES).rstrip("\\ ") or UNTITLED


def milliseconds(n_samples: int, sample_rate: int) -> int:
    """A duration in milliseconds, rounded half up, so that marks 1 ms apart stay distinct."""
    return (2000 * n_samples + sample_rate) // (2 * sample_rate)


def ffmetadata(marks: Sequence[Mark], sample_rate: int) -> str:
    """The marks in ffmpeg's metadata format, with times in samples, so that none is rounded."""
    sections = (
        f"[CHAPTER]\nTIMEBASE=1/{sample_rate}\nSTART={mark.start}\nEND={mark.end}\n"
        f"title={_escaped(mark.title)}\n"
        for mark in marks
    )
    return ";FFMETADATA1\n" + "".join(sections)


def _escaped(text: str) -> str:
    return re.sub(r"([=;#\\\n])", r"\\\1", text)


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
