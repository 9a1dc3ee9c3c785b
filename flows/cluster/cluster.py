"""A cluster as one run of the program uses it, for all its books.

    book A ── ClusterExecutor ─┐                                       ┌─ worker
    book B ── ClusterExecutor ─┼─ Cluster ── Dispatcher ── scheduler ─┼─ worker
    book C ── ClusterExecutor ─┘                                       └─ worker
    texts ─── ClusterRows ──────── Cluster ── RowDispatcher ───────────── worker

There is a Dispatcher for each engine; most runs have one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from concurrent import futures
from typing import Any, ParamSpec, Self, TypeVar
from uuid import uuid4

from audiomill.flows.cluster.cluster_rows import ClusterRows
from audiomill.flows.cluster.connection import SchedulerConnection
from audiomill.flows.cluster.dispatch import Dispatcher, RemoteJob
from audiomill.flows.cluster.progress_relay import ProgressRelay
from audiomill.flows.cluster.remote_window import RemoteWindow
from audiomill.flows.cluster.row_dispatch import RowDispatcher
from audiomill.flows.cluster.task_pool import ClusterPool, TaskPlaces
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult, WindowTask
from audiomill.flows.job import Job
from audiomill.renderers.engine.options import EngineOptions, PaidOptions
from audiomill.renderers.engine.registry import open_renderer, own_options
from audiomill.renderers.host.process_pool import ProcessPool, TaskPool
from audiomill.renderers.host.threads import Future
from audiomill.renderers.store.store import ShardStore

P = ParamSpec("P")
T = TypeVar("T")

# Of events by which workers tell their progress. Runs share them, because a scheduler never forgets
# a topic; with one for all, each run would hear of every window of the cluster.
N_TOPICS = 16


class Cluster:
    """The workers behind a scheduler. Thread-safe."""

    def __init__(
        self,
        scheduler: str,
        workers_within_s: float,
        tell: Callable[[str], None],
        priority: int = 0,
    ) -> None:
        """`tell` shows the user a line. A run without workers ends after `workers_within_s`.

        Windows of a higher priority go first.
        """
        self._connection = SchedulerConnection(scheduler, tell)
        self._tell = tell
        self._priority = priority
        self._workers_within_s = workers_within_s
        self._relay = ProgressRelay()
        self._topic = f"audiomill {uuid4().int % N_TOPICS}"
        self._dispatchers: dict[str, Dispatcher] = {}  # by engine
        self._identities: dict[str, str] = {}  # by the location of a store
        self._places = TaskPlaces(self._connection, self._identities, tell)

    def __enter__(self) -> Self:
        """Connect. Raises SchedulerUnreachable."""
        self._connection.subscribe(self._topic, self._relay.handle)
        self._connection.__enter__()
        if n := len(self._connection.workers):
            self._tell(f"The cluster at {self._connection.address} has {n} worker{'s'[: n > 1]}.")
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.__exit__(*error)

    def task_pool(self, local: ProcessPool) -> TaskPool:
        """`local`, with workers' encoders beside it. A short book has no use for them."""
        return ClusterPool(local, self._places) if local.n else local

    def executor(self, local: Executor) -> Executor:
        """The executor of one book, which runs by `local` what must be done here."""
        return ClusterExecutor(local, self, self._priority)

    def workers(self) -> str:
        """Who renders, and how fast, for people."""
        return self._relay.workers()

    def render(
        self, task: WindowTask, store: ShardStore, job: RemoteJob
    ) -> futures.Future[WindowResult]:
        """Have a window rendered. Raises UsageError, StoreError, RenderError.

        The rest is in the future.
        """
        _require_no_budget(task.engine, task.options)
        return self._connection.call(self._rendered(self._window(task, store), job))

    def row_source(self, job: Job, store: ShardStore, context: RunContext) -> ClusterRows:
        """The rows of texts, of which the first sentence is waited for. Raises UsageError."""
        _require_no_budget(job.engine, job.options)
        dispatcher = RowDispatcher(self._connection, job.engine, self._tell, self._workers_within_s)

        def render(task: WindowTask) -> futures.Future[WindowResult]:
            one = RemoteJob(context, dispatcher)
            return self._connection.call(dispatcher.render(self._window(task, store), one))

        return ClusterRows(job, store, context, dispatcher, render)

    def _window(self, task: WindowTask, store: ShardStore) -> RemoteWindow:
        return RemoteWindow(
            task,
            store.absolute_location,
            self._identity_of(store),
            _fingerprints(task),
            self._topic,
            uuid4().hex,
        )

    async def _rendered(self, window: RemoteWindow, job: RemoteJob) -> WindowResult:
        engine = window.task.engine
        if engine not in self._dispatchers:
            self._dispatchers[engine] = Dispatcher(
                self._connection, engine, self._tell, self._workers_within_s
            )
        self._relay.begin(window.token, window.task.window.estimated_s, job.context)
        is_done = False
        try:
            result = await self._dispatchers[engine].render(window, job)
            is_done = True
        finally:
            self._relay.end(window.token, is_done=is_done)
        return result

    def _identity_of(self, store: ShardStore) -> str:
        location = store.absolute_location
        if location not in self._identities:
            self._identities[location] = store.give_identity()
        return self._identities[location]


def _require_no_budget(engine: str, options: EngineOptions) -> None:
    """Raise UsageError for a budget: each worker would have the whole of it to spend."""
    own = own_options(engine, options)
    if isinstance(own, PaidOptions) and own.budget is not None:
        raise UsageError(
            "A budget holds for one process, and not for the workers of a cluster. Add --executor"
            " threads, which renders here, or leave the budget out."
        )


def _fingerprints(task: WindowTask) -> Mapping[str, str]:
    renderer = open_renderer(task.engine, task.options)
    voices = dict.fromkeys(request.voice for request in task.window.requests)
    return {voice: renderer.fingerprint(voice) for voice in voices}


class ClusterExecutor(Executor):
    """Runs the stages of one book by `local`, but its windows and tasks also at workers."""

    windows_in_flight = sys.maxsize  # the dispatcher shares the places among all books
    n_shared_windows = 32
    renders_here = False

    def __init__(self, local: Executor, cluster: Cluster, priority: int) -> None:
        self._local = local
        self._cluster = cluster
        self._priority = priority
        self._book = object()
        self._windows: set[futures.Future[Any]] = set()

    def submit(
        self, title: str, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Implement `Executor.submit`."""
        return self._local.submit(title, stage, *args, **kwargs)

    def of(self, name: str) -> ClusterExecutor:
        """Implement `Executor.of`."""
        return ClusterExecutor(self._local.of(name), self._cluster, self._priority)

    def task_pool(self, local: ProcessPool) -> TaskPool:
        """Implement `Executor.task_pool`."""
        return self._cluster.task_pool(local)

    def wait_all(self) -> None:
        """Implement `Executor.wait_all`."""
        futures.wait(set(self._windows))
        self._local.wait_all()

    def submit_window(
        self, task: WindowTask, store: ShardStore, context: RunContext
    ) -> Future[WindowResult]:
        """Implement `Executor.submit_window`."""
        future = self._cluster.render(task, store, RemoteJob(context, self._book, self._priority))
        self._windows.add(future)
        future.add_done_callback(self._windows.discard)
        return future
