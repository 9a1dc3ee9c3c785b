"""Runs a text function in a child process that some texts crash; only those are left out.

    texts ─▶ child: None once it is ready, then the answer to each text
          ◀── it dies: the text that it was at goes to a new child, alone; if that dies too, the
              text's halves go alone, and their halves; what still kills is left out

C libraries that read text have bounds that no book is known to respect until it is read. A
pool has as many children as threads ask at the same time.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, LifoQueue
from typing import Any, Generic, TypeVar

from audiomill.inputs.segmentation.lengths import split_at_clauses
from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.engine.protocol import Remark
from audiomill.renderers.host.child_process import ChildDied, ChildProcess, do_nothing

Setting = TypeVar("Setting")
Answer = TypeVar("Answer")

MAX_STARTS = 6  # of children in a row that die before they are ready
# Deaths by one text, after which its parts are halved no more. To find one character in 500 takes
# eleven.
MAX_DEATHS = 32


class NoChild(Exception):
    """No child becomes ready for texts. The message says why, as a part of a sentence."""


@dataclass(frozen=True, slots=True)
class Part(Generic[Answer]):
    """The answer to characters [start, end) of a text; None if they kill, and so are left out."""

    start: int
    end: int
    answer: Answer | None


class TextProcess(Generic[Setting, Answer]):
    """A place for one child, which is started for the first text and replaced when it dies.

    The child runs `text_child.serve_texts`. One thread at a time may use it.
    """

    def __init__(self, start: Callable[[], ChildProcess]) -> None:
        """`start` starts a child, and raises OSError if it cannot."""
        self._start = start
        self._child: ChildProcess | None = None
        self._owner = os.getpid()

    def answers(
        self, tasks: Sequence[tuple[Setting, str]], check: Callable[[], None] = do_nothing
    ) -> Iterator[tuple[Part[Answer], ...]]:
        """The parts of each text, in order: one part, unless the text kills children.

        Parts leave out only white space. `check` is called while an answer is awaited. Raises
        NoChild, the RenderError of the child, and what `check` raises.
        """
        n_answered = 0
        while n_answered < len(tasks):
            try:
                for answer in self._ask(tasks[n_answered:], check):
                    yield (Part(0, len(tasks[n_answered][1]), answer),)
                    n_answered += 1
            except ChildDied:
                yield tuple(self._parts(*tasks[n_answered], check))
                n_answered += 1

    def close(self) -> None:
        """End the child at once: it has nothing to lose."""
        if self._child is not None:
            self._child.kill()
        self._child = None

    def _parts(
        self, setting: Setting, text: str, check: Callable[[], None]
    ) -> Iterator[Part[Answer]]:
        """The parts of a text that a child has died of."""
        n_deaths = 1
        waiting = [(0, len(text))]
        while waiting:
            start, end = waiting.pop()
            try:
                (answer,) = self._ask([(setting, text[start:end])], check)
                yield Part(start, end, answer)
            except ChildDied:
                n_deaths += 1
                halves = _halves(text, start, end) if n_deaths < MAX_DEATHS else []
                waiting += reversed(halves)
                if not halves:
                    yield Part(start, end, None)

    def _ask(
        self, tasks: Sequence[tuple[Setting, str]], check: Callable[[], None]
    ) -> Iterator[Answer]:
        """The child's answers. Raises ChildDied if it dies of the first text without one."""
        child = self._ready(tasks, check)
        n_awaited = len(tasks)
        try:
            while n_awaited:
                answer = _received(child, check)
                n_awaited -= 1
                yield answer
        finally:
            if n_awaited:  # the child is dead, or has answers that nobody waits for
                self.close()

    def _ready(
        self, tasks: Sequence[tuple[Setting, str]], check: Callable[[], None]
    ) -> ChildProcess:
        """The child, once it is ready for `tasks`, which it has got."""
        if self._owner != os.getpid():  # after a fork: the child is the other process's
            self.close()
            self._owner = os.getpid()
        reason: Exception | None = None
        for _ in range(MAX_STARTS):
            try:
                self._child = self._child or self._start()
                self._child.send(tasks)
                _received(self._child, check)
            except (OSError, ChildDied) as error:
                reason = error
                self.close()
            except BaseException:
                self.close()
                raise
            else:
                return self._child
        raise NoChild(str(reason)) from reason


def _received(child: ChildProcess, check: Callable[[], None]) -> Any:
    """The child's next message. Raises it if it is an error."""
    message = child.receive(check)
    if isinstance(message, RenderError):
        raise message
    return message


def _halves(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Both halves of [start, end), cut at the best place near the middle; none of a character."""
    n_characters = len(text[start:end].strip())
    halves = split_at_clauses(text, start, end, lambda first, last: last - first < n_characters)
    return list(halves) if n_characters > 1 else []


def left_out(parts: Sequence[Part[Answer]]) -> tuple[Remark, ...]:
    """A remark for each run of parts that are left out."""
    remarks: list[Remark] = []
    was_left_out = False
    for part in parts:
        is_left_out = part.answer is None
        if is_left_out:
            start = remarks.pop().start if was_left_out else part.start
            remarks.append(Remark(start, part.end, "left out"))
        was_left_out = is_left_out
    return tuple(remarks)


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
