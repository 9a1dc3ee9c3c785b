"""Threads that encode side by side, and stop together when one fails.

    thread ── task ─▶ task pool

Each waits for a child, a worker or ffmpeg: one thread for a core, here or elsewhere.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from audiomill.outputs.types import EncodedOutput
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.process_pool import ProcessPool, Task, TaskPool, until_cancelled
from audiomill.renderers.host.threads import Future

if TYPE_CHECKING:
    from audiomill.outputs.formats.region_tasks import RegionCache

P = ParamSpec("P")
T = TypeVar("T")
Argument = TypeVar("Argument")


MAX_PASSES = 16  # over the audio at a time: one for each format


class _Cancelled(Exception):
    """Another thread of the group has failed, so this one's work is no longer wanted."""


def _do_nothing(*_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class EncodeContext:
    """Where encoding may run, how it is cancelled and how it reports progress."""

    pool: TaskPool = field(default_factory=lambda: ProcessPool(0))  # runs parts of the work
    check: Callable[[], None] = _do_nothing  # raises once the work is cancelled
    advance: Callable[[int], None] = _do_nothing  # gets numbers of finished samples, in any thread
    # Gets numbers of samples more to encode; of those that were encoded before, negative ones.
    add_work: Callable[[int], None] = _do_nothing
    # Gets files before they appear; answers, by path, with the SHA-256s of those that each of them
    # may replace, or with None if that is any.
    announce: Callable[[EncodedOutput], Mapping[Path, Collection[str]] | None] = _do_nothing
    region_cache: RegionCache | None = None  # None: an interrupted file begins anew


class ThreadGroup:
    """A thread for each core that its context has. When one fails, the others stop soon.

    Leaving the `with` block waits for all threads, and raises the first error.
    """

    def __init__(self, context: EncodeContext | None = None) -> None:
        self._context = context or EncodeContext()
        self.n_here = usable_cores()
        self.n = self.n_here + self._context.pool.n_elsewhere
        self._threads = ThreadPoolExecutor(self.n, thread_name_prefix="encoding")
        self._passes = ThreadPoolExecutor(MAX_PASSES, thread_name_prefix="pass")
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
        for threads in (self._passes, self._threads):
            threads.shutdown(wait=True, cancel_futures=True)
        if isinstance(error, _Cancelled | futures.CancelledError) and self._failure is not None:
            raise self._failure from None

    def start(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run `function` in the next free thread, with the caller's context variables."""
        return self._submit(self._threads, partial(function, *args, **kwargs))

    def start_pass(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """The same in a thread of its own, which may wait for those of the group."""
        return self._submit(self._passes, partial(function, *args, **kwargs))

    def _submit(self, threads: ThreadPoolExecutor, function: Callable[[], T]) -> Future[T]:
        variables = copy_context()

        def run() -> T:
            try:
                return variables.run(function)
            except BaseException as error:
                if not self._stop.is_set():
                    self._failure = error
                    self._stop.set()
                raise

        return threads.submit(run)

    def do(self, task: Task[Argument, T], argument: Argument) -> T:
        """Run a task in the pool, and wait for its result in the calling thread."""
        return self._context.pool.do(task, argument, self._check)

    def until_cancelled(self, items: Iterable[T]) -> Iterator[T]:
        """Pass on `items` until a thread of the group fails or the work is cancelled."""
        return until_cancelled(self._check, items)

    def advance(self, n_samples: int) -> None:
        """Report that so many more samples are finished."""
        self._context.advance(n_samples)

    def add_work(self, n_samples: int) -> None:
        """Report that so many samples more are to be encoded; if negative, fewer."""
        self._context.add_work(n_samples)

    @property
    def region_cache(self) -> RegionCache | None:
        """The regions that an interrupted run has encoded, if they are cached."""
        return self._context.region_cache

    def _check(self) -> None:
        if self._stop.is_set():
            raise _Cancelled
        self._context.check()
