"""A series and a book's place in it, in one text: "Mills #2"."""

from __future__ import annotations

import re

from audiomill.inputs.model.book import Series

_PART = re.compile(r"\s#(?P<index>[^#\s]+)$")


def series_in(text: str) -> Series:
    """The series that `text` names. What follows the last " #" is the place in it."""
    name = text.strip()
    part = _PART.search(name)
    return Series(name[: part.start()].strip(), part["index"]) if part else Series(name)


def series_text(series: Series) -> str:
    """The text for which `series_in` returns `series`; audiobook servers write it so, too."""
    return f"{series.name} #{series.index}" if series.index else series.name
