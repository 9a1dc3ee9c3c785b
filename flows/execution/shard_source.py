"""Audio of segments: from the store where it is whole there, else from the engine.

No segment is rendered twice, and no damaged audio is ever used: a shard that was damaged after it
was rendered is rendered again when it is read.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TypeAlias, TypeVar

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.stage_times import Interval
from audiomill.flows.job import Job
from audiomill.renderers.engine.errors import EngineFailed, PartlyRendered
from audiomill.renderers.engine.protocol import (
    NO_USAGE,
    Batch,
    EngineLimits,
    Rendered,
    Renderer,
    Request,
    ShardInfo,
    Usage,
    total_usage,
)
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.threads import map_with_threads
from audiomill.renderers.host.waiting import OUTAGE_S, RunWaiter
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import Miss, PackedShard, ShardStore, StoredShard

T = TypeVar("T")
# A segment that is rendered, and the future of its shard.
Unstored: TypeAlias = tuple[Request, Rendered, Future[ShardInfo]]
# Threads that look for shards and store them, while the engine renders the next batch. They are
# I/O-bound: a shard takes 2 ms with one thread, 0.4 ms with eight.
N_STORE_THREADS = 8
N_AT_ONCE = 16  # segments for one message to a child process
# Segments of a batch that are worth a child process: fewer are written here before it has started.
MIN_FOR_CHILD = 64
# Of a batch for which somebody waits: it keeps what comes meanwhile waiting. Where rows are padded,
# one of so many takes hardly longer than one of a few; elsewhere each core renders one row.
MOST_PADDED_ROWS = 32


def most_rows(limits: EngineLimits) -> int:
    """How many rows a batch has at most, for which somebody waits, on this machine."""
    cores = usable_cores()
    is_padded = limits.max_rows > 2 * cores
    return min(limits.max_rows, MOST_PADDED_ROWS if is_padded else cores)


@dataclass(frozen=True, slots=True)
class StoreLookup:
    """The shards of a batch that the store has, and the requests that it lacks."""

    shards: tuple[ShardInfo, ...]
    missing: tuple[Request, ...]
    damaged: tuple[str, ...]  # a sentence for each damaged shard; its request is missing too


@dataclass(frozen=True, slots=True)
class BatchResult:
    """A batch whose missing segments are rendered and are being stored."""

    lookup: StoreLookup
    render_interval: Interval | None  # None if nothing was missing
    writes: tuple[Future[ShardInfo], ...]
    usage: Usage  # of what was missing

    def wait_until_stored(self) -> tuple[ShardInfo, ...]:
        """All shards of the batch, once they are stored. Raises EngineFailed, StoreError."""
        return (*self.lookup.shards, *(write.result() for write in self.writes))


def looked_up(
    requests: Sequence[Request], store: ShardStore, readers: ThreadPoolExecutor
) -> StoreLookup:
    """What a store has of some requests, and lacks. Raises StoreError."""
    keys = [request.key for request in requests]
    found = map_with_threads(store.check, keys, readers, N_STORE_THREADS)
    misses = [miss for miss in found if isinstance(miss, Miss)]
    missing_keys = {miss.key for miss in misses}
    return StoreLookup(
        shards=tuple(shard for shard in found if isinstance(shard, ShardInfo)),
        missing=tuple(one for one in requests if one.key in missing_keys),
        damaged=tuple(describe_miss(one) for one in misses if one.reason is not MissReason.ABSENT),
    )


class ShardSource:
    """An engine, and the store of what it renders."""

    def __init__(
        self,
        renderer: Renderer,
        store: ShardStore,
        context: RunContext,
        outage_s: float = OUTAGE_S,
    ) -> None:
        self._store = store
        self._context = context
        self._waiter = RunWaiter(context.check, say, outage_s)
        # Packing needs the interpreter: several threads that pack would only wait for each other.
        self._packing = Lock()
        self.renderer = renderer

    @property
    def limits(self) -> EngineLimits:
        """Implement `RowSource.limits`."""
        return self.renderer.limits

    @property
    def n_places(self) -> int:
        """Implement `RowSource.n_places`."""
        return self.limits.n_at_once

    @property
    def n_rows(self) -> int:
        """Implement `RowSource.n_rows`."""
        return most_rows(self.limits)

    def look_up(self, batch: Batch, readers: ThreadPoolExecutor) -> StoreLookup:
        """Look up `batch` in the store. The engine begins to prepare what is missing.

        Raises StoreError, also if something is missing that could not be stored.
        """
        lookup = looked_up(batch.requests, self._store, readers)
        if lookup.missing:
            self._store.require_writable()
            if self.limits.shares_audio and len(lookup.missing) >= MIN_FOR_CHILD:
                self._store.prepare_writer()
        self.renderer.prefetch(lookup.missing)
        return lookup

    def render_missing(self, lookup: StoreLookup, writers: ThreadPoolExecutor) -> BatchResult:
        """Render what the store lacks, and begin to store it. Raises RenderError.

        What is done of a batch that fails in part is stored first.
        """
        if not lookup.missing:
            return BatchResult(lookup, None, (), NO_USAGE)
        started = time.perf_counter()
        try:
            rendered = self._render(Batch(lookup.missing))
        except PartlyRendered as partly:
            for request in lookup.missing:
                if request.key in partly.done:
                    self._store.write(self._pack(request, partly.done[request.key]))
            raise
        interval = (started, time.perf_counter())
        writes = self._begin_to_keep(lookup.missing, rendered, writers)
        return BatchResult(lookup, interval, writes, total_usage(one.usage for one in rendered))

    def another_take(self, request: Request, number: int) -> Rendered:
        """Another take than any before, for an engine whose takes differ. Raises RenderError.

        `number` counts those that were asked for so, from 1: each has retakes of its own.
        """
        first_take = number * (self.renderer.limits.n_retakes + 1)
        (rendered,) = self._render(Batch((request,), first_take))
        return rendered

    def replace(self, request: Request, rendered: Rendered) -> StoredShard:
        """Store another take. Raises EngineFailed, StoreError."""
        self._store.write(self._pack(request, rendered))
        return stored_anew(self._store, request)

    def reader(self) -> ShardReader:
        """A reader of this store which renders damaged shards again in this process."""
        return ShardReader(self._store, self._render_again)

    def _render_again(self, request: Request, miss: Miss) -> StoredShard:
        """Replace a shard that is missing or damaged, and warn. Raises RenderError, StoreError."""
        self._store.require_writable()
        self._context.warn(f"{describe_miss(miss)}; rendered anew.")
        (rendered,) = self._render(Batch((request,)))
        self._context.count(rendered.usage)
        return self.replace(request, rendered)

    def _render(self, batch: Batch) -> list[Rendered]:
        rendered = self.renderer.render(batch, self._waiter)
        if len(rendered) != len(batch.requests):
            raise EngineFailed(
                f"{self.renderer.name} returned {len(rendered)} segments for {len(batch.requests)}."
            )
        return rendered

    def _pack(self, request: Request, rendered: Rendered) -> PackedShard:
        sample_rate, bits = self.renderer.sample_rate, self.renderer.limits.exact_bits
        return self._store.packed(request.key, rendered, sample_rate=sample_rate, bits=bits)

    def _begin_to_keep(
        self, requests: Sequence[Request], rendered: Sequence[Rendered], writers: ThreadPoolExecutor
    ) -> tuple[Future[ShardInfo], ...]:
        """Begin to store segments: each alone, or where a child process can do it, some at once."""
        pairs = [*zip(requests, rendered, strict=True)]
        if not all(audio.pcm and audio.pcm.shared for audio in rendered):
            return tuple(writers.submit(self._keep, *pair) for pair in pairs)
        waiting = deque((*pair, Future[ShardInfo]()) for pair in pairs)
        futures = tuple(future for *_, future in waiting)
        for _ in range(min(N_STORE_THREADS, len(waiting))):
            writers.submit(self._keep_waiting, waiting)
        return futures

    def _keep_waiting(self, waiting: deque[Unstored]) -> None:
        """Store segments until none waits. A child that starts meanwhile gets all that follow."""
        while waiting:
            if self._store.has_writer():
                self._keep_shared(_taken(waiting, N_AT_ONCE))
            else:
                for request, audio, future in _taken(waiting, 1):
                    _settle(future, partial(self._keep, request, audio))

    def _keep_shared(self, kept: Sequence[Unstored]) -> None:
        """Have a child process store segments; without one, store them here."""
        try:
            with self._packing:
                shards = [self._pack(request, audio) for request, audio, _ in kept]
            errors = self._store.write_shared(shards)
        except Exception:  # noqa: BLE001 - each is stored by itself, and tells its own error
            for request, audio, future in kept:
                _settle(future, partial(self._keep, request, audio))
        else:
            for shard, error, (*_, future) in zip(shards, errors, kept, strict=True):
                if error:
                    future.set_exception(error)
                else:
                    future.set_result(shard.info)

    def _keep(self, request: Request, rendered: Rendered) -> ShardInfo:
        with self._packing:
            shard = self._pack(request, rendered)
        return self._store.write(shard)


def _taken(waiting: deque[Unstored], n: int) -> list[Unstored]:
    """Up to `n` that waited longest. Other threads may take some at the same time."""
    taken: list[Unstored] = []
    with suppress(IndexError):
        while len(taken) < n:
            taken.append(waiting.popleft())
    return taken


def _settle(future: Future[T], work: Callable[[], T]) -> None:
    """Give a future the result of `work`, or its error."""
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - who waits for it raises it again
        future.set_exception(error)


def describe_miss(miss: Miss) -> str:
    """A sentence for a shard that is missing or damaged, without its end."""
    return f"Stored segment {miss.key[:12]} is {miss.reason} ({miss.detail})"


def stored_anew(store: ShardStore, request: Request) -> StoredShard:
    """The shard of a segment that was stored a moment ago. Raises EngineFailed, StoreError."""
    found = store.get(request.key)
    if isinstance(found, Miss):
        raise EngineFailed(
            f"{describe_miss(found)}, again right after it was stored. Check {store.location}."
        )
    return found


def shard_source_of(job: Job, store: ShardStore, context: RunContext) -> ShardSource:
    """The job's engine and its store."""
    return ShardSource(open_renderer(job.engine, job.options), store, context, job.outage_s)
