"""A process that reads an EPUB for a listener from the first moment on.

    arguments ─┬─▶ the other process imports what reads, and reads ───────────────┬─▶ Book
               └─▶ this one imports what renders, and the settings ─▶ rules ─▶ as a rule?

It reads as most books are read, before anybody knows whether this one is: a server that is to
render would wait for it. A book that the settings, or a file beside it, have read otherwise is read
again. Imports little, as `beginning_cache`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.renderers.host.child_process import POLL_S, CancellableIter, RunLocally
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.process_pool import TaskProcess

if TYPE_CHECKING:  # they are imported where they are needed, in the other process too
    from audiomill.inputs.model.book import Book, Limits
    from audiomill.inputs.reading.rules import ReadingRules


class _Left(Exception):
    """Nobody wants the book from the process any more."""


class BookReader:
    """Has a process read the EPUB at a path, with the usual limits and rules."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = TaskProcess()
        self._left = threading.Event()
        self._thread = ThreadPoolExecutor(1, "reader")
        self._reading = self._thread.submit(self._process.do, read_as_usual, path, self._check)

    def book(
        self, path: Path, limits: Limits, rules: ReadingRules, check: Callable[[], None]
    ) -> Book:
        """The book in a file, once. Raises as `read_book`, what `check` raises, and RunLocally."""
        if (path, limits, rules) != (self._path, *_usual()):
            raise RunLocally("it is read otherwise")
        while wait([self._reading], POLL_S).not_done:
            check()
        self._process.close_pipe()
        return self._reading.result()

    def leave(self) -> None:
        """Have the process end soon: nobody wants its book."""
        self._left.set()

    def stop(self) -> None:
        """Wait until the process has ended."""
        self.leave()
        self._thread.shutdown()
        self._process.stop()

    def _check(self) -> None:
        if self._left.is_set():
            raise _Left


@contextmanager
def reading_process(source: str | Path) -> Generator[BookReader | None]:
    """What reads a book in the block; None where it would be of no use.

    Other sources than EPUBs are small. On one core two processes take longer than one.
    """
    path = Path(source)
    if path.suffix.lower() != ".epub" or usable_cores() == 1:
        yield None
        return
    reader = BookReader(path)
    try:
        yield reader
    finally:
        reader.stop()


def read_as_usual(path: Path, through: CancellableIter) -> Book:
    """As `book_of`, with the usual limits and rules."""
    return book_of((path, *_usual()), through)


def book_of(source: tuple[Path, Limits, ReadingRules], _through: CancellableIter) -> Book:
    """The book in a file, as a `Task`. Raises as `read_book`."""
    from audiomill.inputs.readers.sources import read_book

    return read_book(*source)


def _usual() -> tuple[Limits, ReadingRules]:
    from audiomill.inputs.model.book import Limits
    from audiomill.inputs.reading.rules import ReadingRules

    return Limits(), ReadingRules()
