"""How much metadata a book may have. What is over it is cut, and the book warns of it.

A title is said in the credits and shown in a line. Damaged and hostile files have titles of a
megabyte and ten thousand authors, which would be minutes of speech that no book has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from audiomill.inputs.markup.text import shortened
from audiomill.inputs.model.book import Book

MAX_LINE_CHARS = 1_000  # over a minute of speech
MAX_NAMES = 100  # of one role
_LINES = ("title", "subtitle", "publisher", "date", "series", "title_sort", "author_sort")
_LISTS = ("authors", "translators", "narrators", "subjects")


def bounded_metadata(book: Book) -> Book:
    """The book with at most `MAX_LINE_CHARS` of a line and `MAX_NAMES` of a list.

    Each thing that is cut is a warning.
    """
    lines = {name: shortened(getattr(book, name), MAX_LINE_CHARS) for name in _LINES}
    lists = {name: _bounded_list(getattr(book, name)) for name in _LISTS}
    changed = replace(book, **lines, **lists)
    return replace(changed, warnings=(*book.warnings, *_warnings(book, changed)))


def _bounded_list(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(shortened(name, MAX_LINE_CHARS) for name in names[:MAX_NAMES])


def _warnings(book: Book, bounded: Book) -> Iterator[str]:
    for name in _LINES:
        n_before, n_after = len(getattr(book, name)), len(getattr(bounded, name))
        if n_after < n_before:
            yield f"its {_shown(name)} has {n_before:,} characters; the first {n_after:,} are used"
    for name in _LISTS:
        before, after = getattr(book, name), getattr(bounded, name)
        if len(after) < len(before):
            yield f"it has {len(before):,} {name}; the first {len(after):,} are used"
        elif before != after:
            yield f"one of its {name} is cut after {MAX_LINE_CHARS:,} characters"


def _shown(field: str) -> str:
    return field.replace("_", " ")
