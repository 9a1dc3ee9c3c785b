"""What identifies a book, as sources write it: ISBN (ISO 2108), ASIN, “Mills #2” of a series."""

from __future__ import annotations

import re

from audiomill.inputs.model.book import Series

MAX_CHARS = 200  # of a text that may be an identifier
_ISBN_LABEL = re.compile(r"^(?:urn:)?isbn(?:-?1[03])?[:\s]*", re.IGNORECASE)
_ISBN = re.compile(r"(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]$")
_ASIN_LABEL = re.compile(r"^(?:urn:)?(?:mobi-)?(?:asin|amazon)[:\s]*", re.IGNORECASE)
_ASIN = re.compile(r"[A-Z0-9]{10}", re.IGNORECASE)
_PART = re.compile(r"\s#(?P<index>[^#\s]+)$")


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
