"""Executors of a run's stages: threads of this process, Prefect's tasks, a cluster.

    stages   ─▶ submit          always in this process
    tasks    ─▶ task_pool       parts of stages: in child processes, too
    windows  ─▶ submit_window   in this process

An executor that has workers elsewhere gives them windows, and tasks that they may run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, Self, TypeVar

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult, WindowTask, render_window
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.process_pool import ProcessPool, TaskPool
from audiomill.renderers.host.threads import Future, map_in_order
from audiomill.renderers.store.store import ShardStore

P = ParamSpec("P")
T = TypeVar("T")

# Two windows render while earlier chapters are measured. More threads only wait for each other.
N_THREADS = max(3, usable_cores() + 1)


class ExecutorError(Exception):
    """Windows cannot be rendered where they should be. The message says what to do."""


class Executor(ABC):
    """Runs the stages of a run concurrently."""

    # The engine renders one window while another waits for the disk. More windows in flight would
    # only hold more audio in memory.
    windows_in_flight = 2
    # As many windows as a long book should have, for `plan_windows`.
    n_shared_windows = 1
    # Whether windows are rendered in this process, so that the engine may begin early.
    renders_here = True

    @abstractmethod
    def submit(
        self, title: str, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Start `stage` in this process and return at once. `title` tells people what it does."""

    def of(self, name: str) -> Executor:  # noqa: ARG002  for those that show stages to people
        """The executor for one of several articles or books, whose name people see at its stages.

        It waits for its own stages only.
        """
        return self

    def task_pool(self, local: ProcessPool) -> TaskPool:
        """The pool for the parts of stages: `local`, unless the executor has machines elsewhere."""
        return local

    @abstractmethod
    def wait_all(self) -> None:
        """Wait until every submitted stage has returned or raised."""

    def submit_window(
        self, task: WindowTask, store: ShardStore, context: RunContext
    ) -> Future[WindowResult]:
        """Start to render a window, here or on another machine, and return at once."""
        return self.submit(task.title, render_window, task, store, context)

    def render_windows(
        self, tasks: Sequence[WindowTask], store: ShardStore, context: RunContext
    ) -> Iterator[WindowResult]:
        """Render windows, some at a time. Their results are in order.

        Raises RenderError, StoreError, Interrupted.
        """
        return map_in_order(
            lambda task: self.submit_window(task, store, context), tasks, self.windows_in_flight
        )


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


class ThreadExecutor(Executor):
    """Runs stages in threads of this process. Leaving it drops those that have not begun."""

    def __init__(self, threads: ThreadPoolExecutor | None = None) -> None:
        self._threads = threads or ThreadPoolExecutor(N_THREADS, thread_name_prefix="audiomill")
        self._futures: set[futures.Future[Any]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def for_one_book(self) -> ThreadExecutor:
        """An executor with the same threads, which waits for its own stages only."""
        return ThreadExecutor(self._threads)

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
