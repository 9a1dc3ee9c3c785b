"""The rows of texts, rendered by the workers of a cluster. Nothing of the engine is loaded here.

a row that is wanted ─▶ the store lacks it ─▶ a worker ─▶ store ─▶ WindowResult
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor

from audiomill.flows.cluster.row_dispatch import RowDispatcher
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.shard_source import (
    BatchResult,
    StoreLookup,
    describe_miss,
    looked_up,
    stored_anew,
)
from audiomill.flows.execution.windows import WindowResult, WindowTask
from audiomill.flows.job import Job
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import (
    NO_USAGE,
    Batch,
    EngineLimits,
    Request,
    ShardInfo,
    Window,
)
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import Miss, ShardStore, StoredShard

POLL_S = 0.25  # between two looks whether the server is stopped
RenderTask = Callable[[WindowTask], futures.Future[WindowResult]]


class ClusterRows:
    """Implements `RowSource`."""

    def __init__(
        self,
        job: Job,
        store: ShardStore,
        context: RunContext,
        dispatcher: RowDispatcher,
        render: RenderTask,
    ) -> None:
        """`render` has the dispatcher render a task. Raises RenderError."""
        self._job, self._store, self._context = job, store, context
        self._dispatcher, self._render = dispatcher, render
        self._limits = open_renderer(job.engine, job.options).limits

    @property
    def limits(self) -> EngineLimits:
        """Implement `RowSource.limits`."""
        return self._limits

    @property
    def n_places(self) -> int:
        """Implement `RowSource.n_places`."""
        return self._dispatcher.n_places

    @property
    def n_rows(self) -> int:
        """Implement `RowSource.n_rows`."""
        return self._dispatcher.n_rows

    def look_up(self, batch: Batch, readers: ThreadPoolExecutor) -> StoreLookup:
        """Implement `RowSource.look_up`."""
        lookup = looked_up(batch.requests, self._store, readers)
        if lookup.missing:
            self._store.require_writable()
        return lookup

    def render_missing(self, lookup: StoreLookup, writers: ThreadPoolExecutor) -> BatchResult:  # noqa: ARG002  workers have stored it
        """Implement `RowSource.render_missing`."""
        if not lookup.missing:
            return BatchResult(lookup, None, (), NO_USAGE)
        result = self._rendered(lookup.missing)
        writes = tuple(_done(result.shards[one.key]) for one in lookup.missing)
        return BatchResult(lookup, None, writes, result.usage)

    def reader(self) -> ShardReader:
        """Implement `RowSource.reader`."""
        return ShardReader(self._store, self._render_again)

    def _rendered(self, requests: Sequence[Request]) -> WindowResult:
        """Rows that a worker has rendered and stored. Raises as `RowSource.render_missing`."""
        running = self._render(self._task(requests))
        try:
            while not futures.wait({running}, POLL_S).done:
                self._context.check()
            return running.result()
        finally:
            running.cancel()

    def _task(self, requests: Sequence[Request]) -> WindowTask:
        estimated_s = sum(estimate_s(one, self._limits) for one in requests)
        return WindowTask(
            of="texts",
            n_windows=1,
            window=Window(0, (Batch(tuple(requests)),), estimated_s),
            engine=self._job.engine,
            options=self._job.options,
            has_transcript=True,  # so that it tells of each row what is stored
            outage_s=self._job.outage_s,
        )

    def _render_again(self, request: Request, miss: Miss) -> StoredShard:
        """Replace a row that is missing or damaged, and warn. Raises as `_rendered`."""
        self._context.warn(f"{describe_miss(miss)}; rendered anew.")
        self._rendered([request])
        return stored_anew(self._store, request)


def _done(shard: ShardInfo) -> futures.Future[ShardInfo]:
    future = futures.Future[ShardInfo]()
    future.set_result(shard)
    return future
