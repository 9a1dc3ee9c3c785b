"""One job: a source, what is to come of it, and every choice made. Plain frozen data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from inputs.book import Book, Skipped, SkipReason
from inputs.limits import Limits
from inputs.segments import Pauses
from outputs.mastering import Mastering


class UsageError(Exception):
    """Asked for in a way that cannot be met. The message says what would be right."""


@dataclass(frozen=True, slots=True)
class Job:
    """All that decides what a run produces, and where. Plain enough to go to another machine."""

    source: Path
    out: Path
    store: str
    engine: str
    voice: str | None = None  # None: the engine's own for the book's language
    speed: float = 1.0
    formats: tuple[str, ...] = ("m4b",)
    chapters: str = ""  # "1-3,7"; "": all
    split: bool = False
    window_s: float = 600.0
    limits: Limits = field(default_factory=Limits)
    pauses: Pauses = field(default_factory=Pauses)
    mastering: Mastering = field(default_factory=Mastering)
    warnings: tuple[str, ...] = ()  # of choices made before the run, for its report


def parse_chapters(text: str, n_chapters: int) -> tuple[int, ...]:
    """Chapter indices (from 0, ascending) of a range like "1-3,7" (from 1).

    Raises UsageError if it is no range, or names a chapter that is not there.
    """
    chosen: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        if match is None:
            raise UsageError(f"--chapters {text}: write numbers and ranges, like 1-3,7.")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= n_chapters:
            raise UsageError(
                f"--chapters {text}: this book has chapters 1 to {n_chapters}"
                " (audiomill inspect lists them)."
            )
        chosen.update(range(first - 1, last))
    return tuple(sorted(chosen))


def choose_chapters(book: Book, text: str) -> Book:
    """`book` with only the chapters of a range like "1-3,7"; "" keeps all.

    The others are listed in `Book.skipped`. Raises UsageError as `parse_chapters`.
    """
    if not text:
        return book
    chosen = parse_chapters(text, len(book.chapters))
    left_out = tuple(
        Skipped(SkipReason.NOT_CHOSEN, chapter.title, f"chapter {number}")
        for number, chapter in enumerate(book.chapters, 1)
        if number - 1 not in chosen
    )
    chapters = tuple(book.chapters[index] for index in chosen)
    return replace(book, chapters=chapters, skipped=book.skipped + left_out)
