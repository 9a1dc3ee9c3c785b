"""The child's side of `awaited_book.py`. Imports little, so that a child soon begins to read."""

from __future__ import annotations

from pathlib import Path

from audiomill.inputs.model.book import Book, Limits
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.renderers.host.child_process import CancellableIter


def book_of(source: tuple[Path, Limits, ReadingRules], _through: CancellableIter) -> Book:
    """The book in a file, as a `Task`. Raises as `read_book`."""
    return read_book(*source)
