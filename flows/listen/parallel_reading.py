"""Reads a book for somebody who waits to hear it.

    kept from before ─────────────────────▶ Book
    new ─┬─▶ another process reads it ────▶ Book ─▶ kept
         └─▶ meanwhile the engine and the rules of a language load in this one

Reading and loading are both work of the interpreter: in one process each would wait for the other.
The engine of a new book loads before anybody knows what the store lacks; for one that is kept, that
is known at once. One that is finished in the library is in the store as a rule, so nothing loads.
The books are those that `read_book` reads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from audiomill.flows.listen.book_reader import BookReader, book_of
from audiomill.flows.pipeline.library.places import has_records_of
from audiomill.inputs.languages.detection import DEFAULT
from audiomill.inputs.languages.grammars import spoken_line
from audiomill.inputs.languages.registry import demo_sentence
from audiomill.inputs.model.book import Book, Limits
from audiomill.inputs.readers.kept_books import KeptBooks
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.renderers.engine.protocol import LoadsAhead, Renderer
from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.process_pool import TaskProcess


@dataclass(frozen=True, slots=True)
class ParallelReading:
    """Implements `ReadBook`. `check` is called while another process reads; what it raises ends it.

    `renderer` is the engine of this process, None where a server renders. `reader` reads already;
    without it, another process reads only if an engine has to be loaded.
    """

    kept: KeptBooks
    renderer: Renderer | None
    check: Callable[[], None]
    library: Path
    reader: BookReader | None = None

    def __call__(self, path: Path, limits: Limits, rules: ReadingRules) -> Book:
        """The book in a file. Raises as `read_book`, and what `check` raises."""
        key = self.kept.key_of(path, limits, rules)
        if key and (kept := self.kept.get(key)):
            if self.reader:
                self.reader.leave()
            return kept
        is_finished = key is not None and has_records_of(key.source_id, self.library)
        book = self._read(path, limits, rules, None if is_finished else self.renderer)
        if key and key.source_id != book.source_id:  # it was another one a moment before
            book = read_book(path, limits, rules)
        if key:
            self.kept.keep(key, book)
        return book

    def _read(
        self, path: Path, limits: Limits, rules: ReadingRules, renderer: Renderer | None
    ) -> Book:
        """Read a book, and load an engine meanwhile. Raises as `__call__`."""
        engine = renderer if isinstance(renderer, LoadsAhead) else None
        if not (self.reader or engine) or usable_cores() == 1:
            return read_book(path, limits, rules)
        process = TaskProcess()
        if not self.reader:
            process.prepare()
        if engine:
            engine.load_ahead()
        loading = threading.Thread(target=_load_rules, name="rules", daemon=True)
        loading.start()
        book = self._read_elsewhere(process, path, limits, rules)
        loading.join()
        return book

    def _read_elsewhere(
        self, process: TaskProcess, path: Path, limits: Limits, rules: ReadingRules
    ) -> Book:
        """Read a book by the reader, or else in a process. Raises as `__call__`."""
        if self.reader:
            with suppress(RunLocally):
                return self.reader.book(path, limits, rules, self.check)
            self.reader.leave()
        try:
            return process.do(book_of, (path, limits, rules), self.check)
        except RunLocally:
            return read_book(path, limits, rules)
        finally:
            process.stop()


def _load_rules() -> None:
    """Have the rules of a language ready, which is not known yet: of the one of most books."""
    spoken_line(demo_sentence(DEFAULT), DEFAULT)
