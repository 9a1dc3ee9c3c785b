"""What the stages of a run share (`RunContext`), and what runs them (`Executor`).

RunContext ─┬─ stop       set by Ctrl-C; stages check it between batches and segments
            ├─ progress   a terminal's bars, plain lines, a Prefect artifact, or nothing
            └─ warnings   for the book's report
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, ParamSpec, Protocol, Self, TypeVar

from audiomill.renderers.host.process_pool import until_cancelled
from audiomill.renderers.host.threads import Future, usable_cores

P = ParamSpec("P")
T = TypeVar("T")

# Two windows render while earlier chapters are measured. More threads only wait for each other.
N_THREADS = max(3, usable_cores() + 1)


class Interrupted(Exception):
    """The run was stopped. Finished work is kept."""


class Step(StrEnum):
    """The long steps of a run, in the order in which they begin."""

    LIST = "asking sources"  # of a podcast
    FETCH = "fetching articles"
    RENDER = "rendering"
    ENCODE = "encoding"
    FINISH = "finishing episodes"


BOOK_STEPS = (Step.RENDER, Step.ENCODE)
PODCAST_STEPS = (Step.LIST, Step.FETCH, Step.RENDER, Step.FINISH)


class Progress(Protocol):
    """Receives the progress of a run. Must be thread-safe.

    It is measured in seconds of audio in the steps of a book, else in sources, articles, episodes.
    """

    def begin(self, step: Step, total: float) -> None:
        """`step` begins, with so much to do."""
        ...

    def advance(self, step: Step, done: float) -> None:
        """`step` has done so much more."""
        ...


class NullProgress:
    """Ignores progress."""

    def begin(self, step: Step, total: float) -> None:
        """Do nothing."""

    def advance(self, step: Step, done: float) -> None:
        """Do nothing."""


class TeeProgress:
    """Passes progress on to two receivers, for example a terminal and Prefect's pages."""

    def __init__(self, first: Progress, second: Progress) -> None:
        self._receivers = (first, second)

    def begin(self, step: Step, total: float) -> None:
        """Implement `Progress.begin`."""
        for receiver in self._receivers:
            receiver.begin(step, total)

    def advance(self, step: Step, done: float) -> None:
        """Implement `Progress.advance`."""
        for receiver in self._receivers:
            receiver.advance(step, done)


class RunContext:
    """Lets the stages of a run report progress and warnings, and lets the run stop them."""

    def __init__(
        self, progress: Progress | None = None, stop: threading.Event | None = None
    ) -> None:
        self.progress: Progress = progress or NullProgress()
        self.stop = stop or threading.Event()  # stops the whole run
        self._cancelled = threading.Event()  # stops one book
        self.warnings: list[str] = []  # for the book's report

    def with_progress(self, progress: Progress) -> RunContext:
        """A context of the same run which reports to `progress` too."""
        return RunContext(TeeProgress(self.progress, progress), self.stop)

    def for_one_book(self) -> RunContext:
        """A context of the same run for one book, which can be cancelled alone."""
        return RunContext(self.progress, self.stop)

    def warn(self, message: str) -> None:
        """Add a warning to this book's report."""
        self.warnings.append(message)

    def cancel(self) -> None:
        """Stop all stages of this book."""
        self._cancelled.set()

    def check(self) -> None:
        """Raise Interrupted if this book is cancelled or the run is stopped."""
        if self.stop.is_set() or self._cancelled.is_set():
            raise Interrupted

    def until_cancelled(self, items: Iterable[T]) -> Iterator[T]:
        """Yield `items`. Raises Interrupted before the next one if `check` does."""
        return until_cancelled(self.check, items)


class Executor(Protocol):
    """Runs pipeline stages concurrently."""

    def submit(
        self, title: str, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Start `stage` and return at once. `title` tells people what it does."""
        ...

    def wait_all(self) -> None:
        """Wait until every submitted stage has returned or raised."""
        ...


@contextmanager
def stop_stages_on_error(executor: Executor, context: RunContext) -> Generator[None]:
    """On an error, stop the stages of `context` and wait until they have ended.

    Otherwise a stage that still runs would write where the next run believes it is alone.
    """
    try:
        yield
    except BaseException:
        context.cancel()
        executor.wait_all()
        raise


class ThreadExecutor:
    """Runs stages in threads of this process. Leaving it drops those that have not begun."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(N_THREADS, thread_name_prefix="audiomill")
        self._futures: set[futures.Future[Any]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def submit(
        self,
        _title: str,
        stage: Callable[P, T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Future[T]:
        """Implement `Executor.submit`."""
        future = self._threads.submit(stage, *args, **kwargs)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def wait_all(self) -> None:
        """Implement `Executor.wait_all`."""
        futures.wait(set(self._futures))
