"""What the stages of one run share: how to report progress, and how to be told to stop.

Watch ─┬─ stop       set by Ctrl-C; stages look at it between batches and segments
       └─ progress   a terminal's bars, plain lines, a Prefect artifact, or nothing
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import Any, ParamSpec, Protocol, Self, TypeVar

from audiomill.renderers.host.process_pool import until_cancelled
from audiomill.renderers.host.threads import Future, usable_cores

T = TypeVar("T")


class Step(StrEnum):
    """What takes time, in the order it begins. Each is counted in seconds of audio."""

    RENDER = "rendering"
    ENCODE = "encoding"


class Progress(Protocol):
    """Somebody who wants to know how far a run is. Called from any thread."""

    def begin(self, step: Step, total_s: float) -> None:
        """`step` has `total_s` seconds of audio before it."""
        ...

    def advance(self, step: Step, audio_s: float) -> None:
        """`audio_s` more seconds of `step` are done."""
        ...


class NullProgress:
    """Progress that nobody wants to see."""

    def begin(self, step: Step, total_s: float) -> None:
        """Do nothing."""

    def advance(self, step: Step, audio_s: float) -> None:
        """Do nothing."""


class TeeProgress:
    """Progress that two want to see: a person here, and Prefect's pages."""

    def __init__(self, one: Progress, other: Progress) -> None:
        self._watchers = (one, other)

    def begin(self, step: Step, total_s: float) -> None:
        """See `Progress`."""
        for watcher in self._watchers:
            watcher.begin(step, total_s)

    def advance(self, step: Step, audio_s: float) -> None:
        """See `Progress`."""
        for watcher in self._watchers:
            watcher.advance(step, audio_s)


class Interrupted(Exception):
    """The run was told to stop. What was finished is kept."""


class RunContext:
    """Handed to every stage. On another machine it is a silent one that never stops the stage."""

    def __init__(
        self, progress: Progress | None = None, stop: threading.Event | None = None
    ) -> None:
        self.progress: Progress = progress or NullProgress()
        self.stop = stop or threading.Event()  # of the whole run
        self._given_up = threading.Event()  # of one book
        self.warnings: list[str] = []  # what the book's report should warn of

    def __reduce__(self) -> tuple[type[RunContext], tuple[()]]:
        return (RunContext, ())

    def with_progress(self, progress: Progress) -> RunContext:
        """This watch with one more to see its progress."""
        return RunContext(TeeProgress(self.progress, progress), self.stop)

    def for_one_book(self) -> RunContext:
        """This watch, for one book that can be given up without stopping the run."""
        return RunContext(self.progress, self.stop)

    def warn(self, words: str) -> None:
        """Have the report of this book warn of something."""
        self.warnings.append(words)

    def cancel(self) -> None:
        """Stop what works on this book."""
        self._given_up.set()

    def check(self) -> None:
        """Raise Interrupted if this book was given up, or the run told to stop."""
        if self.stop.is_set() or self._given_up.is_set():
            raise Interrupted

    def until_cancelled(self, items: Iterable[T]) -> Iterator[T]:
        """`items`, one by one, until the run is told to stop."""
        return until_cancelled(self.check, items)


# How a stage is carried out:

P = ParamSpec("P")

# Two windows render while finished chapters are measured; more threads only wait for each other.
N_THREADS = max(3, usable_cores() + 1)


class Executor(Protocol):
    """Somebody who carries out stages."""

    def submit(self, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Start `stage` and return at once."""
        ...

    def wait_all(self) -> None:
        """Wait until everything submitted has ended, well or badly."""
        ...


class ThreadExecutor:
    """A crew of threads in this process. Leaving it drops what has not begun."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(N_THREADS, thread_name_prefix="audiomill")
        self._futures: set[futures.Future[Any]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def submit(self, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor`."""
        future = self._threads.submit(stage, *args, **kwargs)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def wait_all(self) -> None:
        """See `Executor`."""
        futures.wait(set(self._futures))
