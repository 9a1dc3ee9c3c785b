"""A process that reads an EPUB for a listener, and is there before anybody knows how it is read.

    arguments ─┬─▶ the other process imports what reads ─────────▶ reads ─▶ Book
               └─▶ this one imports what renders, and the settings ─┘ (limits, rules)

Both are work of the interpreter for half a second and more, and a server that is to render waits
meanwhile. Imports little, as `kept_beginning`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.process_pool import TaskProcess

_MODULES = ("audiomill.flows.speech.reading_child", "audiomill.inputs.epub.reader")


@contextmanager
def reading_process(source: str) -> Generator[TaskProcess | None]:
    """A process that can read a book in the block; None where one would be of no use.

    Other sources than EPUBs are small. On one core two processes take longer than one.
    """
    if not source.lower().endswith(".epub") or usable_cores() == 1:
        yield None
        return
    process = TaskProcess(_MODULES)
    process.prepare()
    try:
        yield process
    finally:
        process.stop()
