"""What a book keeps of its source's metadata: a title, identifiers, and no more than fits.

A title is said in the credits and shown in a line. Damaged and hostile files have titles of a
megabyte and ten thousand authors, which would be minutes of speech that no book has. What is over
the bounds is cut, and the book warns of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from audiomill.inputs.markup.text import shortened
from audiomill.inputs.model.book import Book, Series

MAX_LINE_CHARS = 1_000  # over a minute of speech
MAX_NAMES = 100  # of one role
_LINES = ("title", "subtitle", "publisher", "date", "series", "title_sort", "author_sort")
_LISTS = ("authors", "translators", "narrators", "subjects")
MAX_CHARS = 200  # of a text that may be an identifier
_ISBN_LABEL = re.compile(r"^(?:urn:)?isbn(?:-?1[03])?[:\s]*", re.IGNORECASE)
_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]$")
_ASIN_LABEL = re.compile(r"^(?:urn:)?(?:mobi-)?(?:asin|amazon)[:\s]*", re.IGNORECASE)
_ASIN = re.compile(r"[A-Z0-9]{10}", re.IGNORECASE)
_PART = re.compile(r"\s#(?P<index>[^#\s]+)$")


def title_of_file(path: Path) -> str:
    """Return the file name as words: the title of a text that names none."""
    return re.sub(r"[-_\s]+", " ", path.stem).strip() or path.name


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


def isbn_in(text: str) -> str:
    """The ISBN that `text` is, without hyphens and without a label; "" if it is none."""
    isbn = _ISBN_LABEL.sub("", text[:MAX_CHARS].strip())
    return re.sub(r"[- ]", "", isbn).upper() if _ISBN.match(isbn) and is_isbn(isbn) else ""


def is_isbn(text: str) -> bool:
    """True if `text` has 10 or 13 digits of which the last is the check digit (ISO 2108)."""
    digits = [10 if c in "Xx" else int(c) for c in text if c.isdecimal() or c in "Xx"]
    if len(digits) == 13:
        return sum(d * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 == 0
    return len(digits) == 10 and sum(d * (10 - i) for i, d in enumerate(digits)) % 11 == 0


def asin_in(text: str) -> str:
    """The ASIN that `text` is, without a label; "" if it is none."""
    asin = _ASIN_LABEL.sub("", text[:MAX_CHARS].strip())
    return asin.upper() if _ASIN.fullmatch(asin) else ""


def labelled_asin_in(text: str) -> str:
    """The ASIN in a text that says so itself: "urn:asin:B0…", "amazon:B0…"; "" otherwise."""
    return asin_in(text) if _ASIN_LABEL.match(text.strip()) else ""


def series_in(text: str) -> Series:
    """The series that `text` names. What follows the last " #" is the place in it."""
    name = text.strip()
    part = _PART.search(name)
    return Series(name[: part.start()].strip(), part["index"]) if part else Series(name)


def series_text(series: Series) -> str:
    """The text for which `series_in` returns `series`; audiobook servers write it so, too."""
    return f"{series.name} #{series.index}" if series.index else series.name
