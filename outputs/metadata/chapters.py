"""Chapter marks: from chapter lengths to ffmpeg's metadata format. Writes no files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

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
