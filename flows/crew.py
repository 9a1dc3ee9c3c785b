"""How a stage is carried out: by a thread of this process, or (in `audiobook.py`) a Prefect task.

The mill hands each stage to a crew and waits on futures, so there is one pipeline and not two.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, Protocol, Self, TypeVar

from outputs.hands import Future
from renderers.cores import usable_cores

P = ParamSpec("P")
T = TypeVar("T")

# Two windows render while finished chapters are measured; more threads only wait for each other.
N_HANDS = max(3, usable_cores() + 1)


class Crew(Protocol):
    """Somebody who carries out stages."""

    def submit(self, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Start `stage` and return at once."""
        ...

    def settle(self) -> None:
        """Wait until everything submitted has ended, well or badly."""
        ...


class ThreadCrew:
    """A crew of threads in this process. Leaving it drops what has not begun."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(N_HANDS, thread_name_prefix="audiomill")
        self._futures: set[futures.Future[Any]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def submit(self, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Crew`."""
        future = self._threads.submit(stage, *args, **kwargs)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def settle(self) -> None:
        """See `Crew`."""
        futures.wait(set(self._futures))
