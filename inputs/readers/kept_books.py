"""Keeps EPUBs that have been read, so that a book is there at once when it is opened again.

    file, rules ─▶ key ─▶ is it kept? ─▶ Book
                               └─ no ─▶ read_book ─▶ kept

The key has all that decides what is read: the file's bytes and name, the limits, the rules, and the
code that reads with the versions of the packages it uses. Other sources are small, or have files
beside them; they are always read.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from audiomill.inputs.files import file_sha256
from audiomill.inputs.kept_files import keep_file
from audiomill.inputs.model.book import Book, Limits
from audiomill.inputs.own_code import code_states
from audiomill.inputs.readers.sources import check_file, is_epub
from audiomill.inputs.reading.rules import ReadingRules

MAX_KEPT = 32  # books; what was read or kept last stays
_PACKAGES = ("babel", "ebooklib", "lxml", "pillow")  # by which EPUBs are read
_MODEL = "audiomill.inputs.model."


@dataclass(frozen=True, slots=True)
class BookKey:
    """What decides a book that is read."""

    source_id: str  # as in `Book`
    name: str  # of the file that keeps it


class KeptBooks:
    """The books that are kept in a folder. Any process may use it."""

    def __init__(self, folder: Path) -> None:
        """The folder is made when a book is kept."""
        self._folder = folder

    def key_of(self, path: Path, limits: Limits, rules: ReadingRules) -> BookKey | None:
        """The key of the book in a file; None if it is no EPUB. Raises SourceError."""
        check_file(path, limits)
        try:
            if not is_epub(path):
                return None
            source_id, code = file_sha256(path), "\n".join(_code())
        except OSError:  # reading it tells what is wrong
            return None
        parts = (source_id, path.name, repr(limits), repr(rules), code)
        return BookKey(source_id, hashlib.sha256("\0".join(parts).encode()).hexdigest())

    def get(self, key: BookKey) -> Book | None:
        """The book; None if it is not kept, or cannot be read."""
        file = self._folder / key.name
        try:
            digest, data = _parts(file.read_bytes())
            if digest != _digest(data):
                return None
            book = _BookUnpickler(io.BytesIO(data)).load()
            os.utime(file)
        except (OSError, pickle.UnpicklingError):
            return None
        return book if isinstance(book, Book) and book.source_id == key.source_id else None

    def keep(self, key: BookKey, book: Book) -> None:
        """Keep a book, in place of the one that was used longest ago if there are many.

        A book that cannot be kept is read again; so is one whose file has changed meanwhile.
        """
        if book.source_id != key.source_id:
            return
        data = pickle.dumps(book)
        keep_file(self._folder / key.name, _digest(data) + data, MAX_KEPT)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _parts(content: bytes) -> tuple[bytes, bytes]:
    """The digest at the beginning of a file, and what it is of."""
    n_bytes = hashlib.sha256().digest_size
    return content[:n_bytes], content[n_bytes:]


class _BookUnpickler(pickle.Unpickler):
    """Makes nothing but the classes of our model, whatever a file asks for."""

    def find_class(self, module_name: str, global_name: str) -> type:
        """A class of the model. Raises UnpicklingError."""
        if module_name.startswith(_MODEL):
            found = getattr(import_module(module_name), global_name, None)
            if isinstance(found, type) and found.__module__ == module_name:
                return found
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is no class of a book")


def _code() -> Iterator[str]:
    """The versions of what reads: Python, packages, and each of our files by size and time."""
    yield sys.version
    yield from (f"{name} {version(name)}" for name in _PACKAGES)
    yield from code_states("inputs")
