"""Processes beside this one, for work that would wait here for the interpreter's lock.

    thread ─▶ desk ── work, order ─▶ process: work(order, through)
           ◀─────────── its result ──

To join, to measure and to master is thousands of short calls of NumPy. Two threads at that take
twice the processor time of one, and hold up whoever renders; two processes do not. Knows nothing of
the work: what a process cannot do, or dies of, is done here instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, LifoQueue
from typing import Self, TypeVar

from audiomill.renderers.host.child_process import (
    LISTEN_S,
    ChildDied,
    ChildProcess,
    RunLocally,
    Task,
)

T = TypeVar("T")
Order = TypeVar("Order")

LOG = logging.getLogger("audiomill")


class ProcessPool:
    """Up to `n` processes: as many as are at work at once, and a spare one.

    The spare one has `modules` imported, so that whoever comes with more work need not wait for
    that. With none all is done here; on another machine, it is an annex without processes.
    """

    def __init__(self, n: int, modules: Sequence[str] = ()) -> None:
        self._n = n
        self._modules = modules
        # Who was at work last is the first to be asked: the others need not even be started.
        self._free: LifoQueue[ChildProcess] = LifoQueue()

    def __reduce__(self) -> tuple[type[ProcessPool], tuple[int]]:
        return (ProcessPool, (0,))

    def __enter__(self) -> Self:
        for _ in range(self._n):
            self._free.put(ChildProcess(self._modules))
        self._have_a_spare_one()
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes; nobody may be at work."""
        desks = [self._free.get() for _ in range(self._n)]
        for desk in desks:
            desk.dismiss()
        for desk in desks:
            desk.close()

    def do(self, work: Task[Order, T], order: Order, check: Callable[[], None]) -> T:
        """`work(order, through)`, wherever that may be; waits for a process that is free.

        `check` is asked now and then, and ends the work by what it raises. Raises that, and
        whatever the work does.
        """
        if self._n:
            desk = self._waited_for(check)
            try:
                self._have_a_spare_one()
                check()
                return desk.do(work, order, check)
            except RunLocally:
                pass
            except ChildDied as error:
                LOG.warning("A process beside this one is lost (%s); its work is done here.", error)
            finally:
                self._free.put(desk)
        return work(order, partial(until_cancelled, check))

    def _waited_for(self, check: Callable[[], None]) -> ChildProcess:
        while True:
            with suppress(Empty):
                return self._free.get(timeout=LISTEN_S)
            check()

    def _have_a_spare_one(self) -> None:
        with suppress(Empty):
            desk = self._free.get_nowait()
            try:
                desk.prepare()
            finally:
                self._free.put(desk)


def until_cancelled(check: Callable[[], None], items: Iterable[T]) -> Iterator[T]:
    """`items`, one by one, until `check` raises."""
    for item in items:
        check()
        yield item
