"""Threads that stop together, results in the order of their items, and pools of worker threads."""

from __future__ import annotations

import atexit
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from typing import Generic, ParamSpec, Protocol, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Item = TypeVar("Item")
Argument = TypeVar("Argument")


class Future(Protocol[T_co]):
    """The result of work that was started."""

    def result(self) -> T_co:
        """Wait for the work and return its value, or raise what it raised."""
        ...


def map_in_order(
    start: Callable[[Item], Future[T]], items: Iterable[Item], n_in_flight: int
) -> Iterator[T]:
    """The results of `start(item)`, in order, with at most `n_in_flight` of them in progress."""
    in_flight: deque[Future[T]] = deque()
    for item in items:
        if len(in_flight) == n_in_flight:
            yield in_flight.popleft().result()
        in_flight.append(start(item))
    while in_flight:
        yield in_flight.popleft().result()


class Joinable(Protocol):
    """A worker that can be waited for, such as a thread."""

    def join(self) -> None:
        """Wait until the worker has ended."""
        ...


Worker = TypeVar("Worker", bound=Joinable)


class WorkerPool(ABC, Generic[Worker]):
    """Workers that a subclass starts when it needs them, in `_workers`, guarded by `_lock`.

    Leaving the `with` block closes it, and so does the interpreter's end.
    """

    def __init__(self) -> None:
        self._workers: list[Worker] = []
        self._lock = Lock()
        atexit.register(self.close)

    @abstractmethod
    def _stop(self) -> None:
        """Make all workers end soon."""

    def close(self) -> None:
        """Drop what is not done, and wait until all workers have ended."""
        atexit.unregister(self.close)
        self._stop()
        with self._lock:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
