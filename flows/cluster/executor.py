"""The executor that has windows rendered by the workers of a Dask cluster.

All other stages run in this process, by the executor that it is given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent import futures
from typing import Any, ParamSpec, TypeVar

from audiomill.flows.cluster.cluster import Cluster
from audiomill.flows.cluster.dispatch import RemoteJob
from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult, WindowTask
from audiomill.renderers.host.threads import Future
from audiomill.renderers.store.store import ShardStore

P = ParamSpec("P")
T = TypeVar("T")


class ClusterExecutor(Executor):
    """Runs the stages of one book by `local`, but its windows on the workers of a cluster."""

    windows_in_flight = sys.maxsize  # the dispatcher shares the places among all books
    n_shared_windows = 32

    def __init__(self, local: Executor, cluster: Cluster, priority: int = 0) -> None:
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

    def wait_all(self) -> None:
        """Implement `Executor.wait_all`."""
        futures.wait(set(self._windows))
        self._local.wait_all()

    def submit_window(
        self, task: WindowTask, store: ShardStore, context: RunContext
    ) -> Future[WindowResult]:
        """Implement `Executor.submit_window`."""
        store.require_writable()
        future = self._cluster.render(task, store, RemoteJob(context, self._book, self._priority))
        self._windows.add(future)
        future.add_done_callback(self._windows.discard)
        return future
