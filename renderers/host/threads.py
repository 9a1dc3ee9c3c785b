"""Work of several threads: results in order, pools that stop together, values made once."""

from __future__ import annotations

import atexit
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Generic, ParamSpec, Protocol, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Item = TypeVar("Item")
Argument = TypeVar("Argument")
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Future(Protocol[T_co]):
    """The result of work that was started."""

    def result(self) -> T_co:
        """Wait for the work and return its value, or raise what it raised."""
        ...


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The result of work that need not be started."""

    value: T

    def result(self) -> T:
        """The value."""
        return self.value


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


def map_with_threads(
    function: Callable[[Item], T], items: Sequence[Item], threads: ThreadPoolExecutor, n: int
) -> list[T]:
    """`function` of each item, in order, by `n` threads that each take the next item.

    A future for each item would cost more than a short function. Raises what `function` raises,
    after which no other item is begun.
    """
    results: dict[int, T] = {}
    numbered = enumerate(items)

    def work() -> None:
        try:
            for index, item in numbered:
                results[index] = function(item)
        finally:
            deque(numbered, maxlen=0)  # nothing is left but after an error

    for future in [threads.submit(work) for _ in range(min(n, len(items)))]:
        future.result()
    return [results[index] for index in range(len(items))]


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


class MadeOnce(Generic[Key, Value]):
    """Makes a value when its key is first asked for. One is made at a time. Thread-safe."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make
        self._made: dict[Key, Value] = {}
        self._lock = Lock()

    def of(self, key: Key) -> Value:
        """The value of `key`. What `make` raises is raised, and the next call tries again."""
        with self._lock:
            if key not in self._made:
                self._made[key] = self._make(key)
            return self._made[key]

    def values(self) -> tuple[Value, ...]:
        """Those that have been made."""
        return tuple(self.made().values())

    def made(self) -> dict[Key, Value]:
        """Those that have been made, by key."""
        with self._lock:
            return dict(self._made)
