"""Text processes that many threads share: as many children as threads ask at the same time."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from queue import Empty, LifoQueue
from typing import Generic, TypeVar

from audiomill.renderers.host.child_process import ChildProcess, do_nothing
from audiomill.renderers.text_process import Part, TextProcess

Setting = TypeVar("Setting")
Answer = TypeVar("Answer")


class TextPool(Generic[Setting, Answer]):
    """Up to `n` text processes, each started when it is needed. Any thread may use it."""

    def __init__(self, n: int, start: Callable[[], ChildProcess]) -> None:
        """`start` starts a child, and raises OSError if it cannot."""
        # The process that was busy last gets the next texts: the others need not even be started.
        self._free: LifoQueue[TextProcess[Setting, Answer]] = LifoQueue()
        for _ in range(n):
            self._free.put(TextProcess(start))
        weakref.finalize(self, _close_all, self._free)

    def answers(
        self, tasks: Sequence[tuple[Setting, str]], check: Callable[[], None] = do_nothing
    ) -> Generator[tuple[Part[Answer], ...]]:
        """The parts of each text, in order: see `TextProcess.answers`. To be closed.

        Raises NoChild, the RenderError of the child, and what `check` raises.
        """
        process = self._free.get()
        try:
            yield from process.answers(tasks, check)
        finally:
            self._free.put(process)


def _close_all(free: LifoQueue[TextProcess[Setting, Answer]]) -> None:
    with suppress(Empty):
        while True:
            free.get_nowait().close()
