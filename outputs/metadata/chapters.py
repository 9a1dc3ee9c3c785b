"""Chapter marks: from sample counts to what encoders read. Pure; writes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audiomill.outputs.text import capped, one_line
from audiomill.outputs.types import MasteredChapter

UNTITLED = "Untitled"
# The Nero chapter list of an MP4 counts a title's bytes in one byte.
MAX_TITLE_BYTES = 255
MIN_MARK_S = 0.001  # MP3 and QuickTime marks count milliseconds: a shorter one would have no time


@dataclass(frozen=True, slots=True)
class Mark:
    """A chapter of a finished file: samples [start, end), and a title of one line."""

    title: str
    start: int
    end: int


def book_marks(chapters: Iterable[MasteredChapter]) -> tuple[Mark, ...]:
    """A mark for each chapter, end to end. One without audio of its own gets none."""
    marks: list[Mark] = []
    position = 0
    for chapter in chapters:
        end = position + chapter.n_samples
        if chapter.n_samples >= MIN_MARK_S * chapter.sample_rate:
            marks.append(Mark(mark_title(chapter.title), position, end))
        elif marks:
            marks[-1] = Mark(marks[-1].title, marks[-1].start, end)
        position = end
    return tuple(marks)


def mark_title(title: str) -> str:
    """The title on one line, never empty, and no longer than every format can hold.

    A backslash at its end goes: ffmpeg takes it for an escape of the line's end, escaped or not.
    """
    return capped(one_line(title), MAX_TITLE_BYTES).rstrip("\\ ") or UNTITLED


def milliseconds(n_samples: int, sample_rate: int) -> int:
    """Rounded half up, so that marks a millisecond apart never fall together."""
    return (2000 * n_samples + sample_rate) // (2 * sample_rate)


def ffmetadata(marks: Sequence[Mark], sample_rate: int) -> str:
    """The marks in ffmpeg's metadata format; times are in samples, so that none is rounded."""
    sections = (
        f"[CHAPTER]\nTIMEBASE=1/{sample_rate}\nSTART={mark.start}\nEND={mark.end}\n"
        f"title={_escaped(mark.title)}\n"
        for mark in marks
    )
    return ";FFMETADATA1\n" + "".join(sections)


def _escaped(text: str) -> str:
    return re.sub(r"([=;#\\\n])", r"\\\1", text)
