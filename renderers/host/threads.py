"""Working side by side: threads that stop together, results in the order of the questions."""

from __future__ import annotations

import atexit
import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Lock
from types import TracebackType
from typing import Generic, ParamSpec, Protocol, Self, TypeVar

from audiomill.renderers.host.child_process import Task
from audiomill.renderers.host.process_pool import ProcessPool, until_cancelled

# How many cores are ours.


def usable_cores() -> int:
    """Those that this process may run on: of sixty-four, a container may be bound to two."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Item = TypeVar("Item")
Order = TypeVar("Order")


class Future(Protocol[T_co]):
    """Work that was started."""

    def result(self) -> T_co:
        """Wait for the work and return its value, or raise what it raised."""
        ...


def map_in_order(
    start: Callable[[Item], Future[T]], items: Iterable[Item], n_in_flight: int
) -> Iterator[T]:
    """The results of `start(item)`, in order, with at most `n_in_flight` of them under way."""
    under_way: deque[Future[T]] = deque()
    for item in items:
        if len(under_way) == n_in_flight:
            yield under_way.popleft().result()
        under_way.append(start(item))
    while under_way:
        yield under_way.popleft().result()


class _Cancelled(Exception):
    """Another hand has failed, and what this one does is no longer wanted."""


def _nothing(*_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class EncodeContext:
    """Who wants some work: where it may be done, and how they hear of it."""

    pool: ProcessPool = field(default_factory=lambda: ProcessPool(0))  # where it may be done
    check: Callable[[], None] = _nothing  # raises once it is not wanted any more
    advance: Callable[[int], None] = _nothing  # is told, by any thread, of samples that are done


class ThreadGroup:
    """As many threads as we have cores. When one fails, the others stop at their next block.

    Leaving waits for all of them; it raises what failed first.
    """

    def __init__(self, commission: EncodeContext | None = None) -> None:
        self.n = usable_cores()
        self._commission = commission or EncodeContext()
        self._threads = ThreadPoolExecutor(self.n, thread_name_prefix="encoding")
        self._stop = threading.Event()
        self._failure: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._stop.set()
        self._threads.shutdown(wait=True, cancel_futures=True)
        if isinstance(error, _Cancelled | futures.CancelledError) and self._failure is not None:
            raise self._failure from None

    def start(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin `work` as soon as a hand is free, in the context of whoever asks for it."""
        context = copy_context()

        def careful() -> T:
            try:
                return context.run(work, *args, **kwargs)
            except BaseException as error:
                if not self._stop.is_set():
                    self._failure = error
                    self._stop.set()
                raise

        return self._threads.submit(careful)

    def do(self, work: Task[Order, T], order: Order) -> T:
        """`work(order, …)` in the annex, by the hand that calls this."""
        return self._commission.pool.do(work, order, self._check)

    def until_cancelled(self, items: Iterable[T]) -> Iterator[T]:
        """`items`, until one of the hands fails or nothing is wanted any more."""
        return until_cancelled(self._check, items)

    def advance(self, n_samples: int) -> None:
        """So many more samples are done."""
        self._commission.advance(n_samples)

    def _check(self) -> None:
        if self._stop.is_set():
            raise _Cancelled
        self._commission.check()


# Hands that work until they are sent home:


class Joinable(Protocol):
    """One who works elsewhere."""

    def join(self) -> None:
        """Wait until the work has ended."""
        ...


H = TypeVar("H", bound=Joinable)


class WorkerPool(ABC, Generic[H]):
    """Hands that are hired when they are needed. Leaving it closes it."""

    def __init__(self) -> None:
        self._hands: list[H] = []
        self._lock = Lock()
        atexit.register(self.close)

    @abstractmethod
    def _stop(self) -> None:
        """Have all hands stop soon."""

    def close(self) -> None:
        """Let go of what is not done, and wait for all hands."""
        atexit.unregister(self.close)
        self._stop()
        with self._lock:
            hands, self._hands = self._hands, []
        for hand in hands:
            hand.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
