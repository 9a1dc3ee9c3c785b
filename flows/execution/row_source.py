"""Where rows that somebody waits for come from: the store, else an engine here or elsewhere."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.shard_source import BatchResult, StoreLookup
from audiomill.flows.job import Job
from audiomill.renderers.engine.protocol import Batch, EngineLimits
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import ShardStore


class RowSource(Protocol):
    """An engine, and the store of what it renders. Thread-safe."""

    @property
    def limits(self) -> EngineLimits:
        """Those of the engine."""
        ...

    @property
    def n_places(self) -> int:
        """How many batches are rendered at a time now; at least one."""
        ...

    @property
    def n_rows(self) -> int:
        """How many rows the next batch should have, at most."""
        ...

    def look_up(self, batch: Batch, readers: ThreadPoolExecutor) -> StoreLookup:
        """What the store has of a batch, and lacks. Raises StoreError."""
        ...

    def render_missing(self, lookup: StoreLookup, writers: ThreadPoolExecutor) -> BatchResult:
        """Render what the store lacks, and begin to store it.

        Raises RenderError, StoreError; ExecutorError if nobody can render it, Interrupted.
        """
        ...

    def reader(self) -> ShardReader:
        """Reads what is stored; what is damaged meanwhile is rendered again."""
        ...


class RowPlace(Protocol):
    """Where rows are rendered."""

    def row_source(self, job: Job, store: ShardStore, context: RunContext) -> RowSource:
        """The rows of the job's engine. Raises RenderError, StoreError, UsageError."""
        ...
