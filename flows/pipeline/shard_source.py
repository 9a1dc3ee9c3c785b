"""Segments' audio, from the store where it is there and whole, else from the engine.

This is where "never rendered twice" and "never a wrong sound" meet: whoever needs audio asks here,
and a shard that was damaged since it was rendered is made anew on the spot.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import StoreReader
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.flows.pipeline.timings import Interval
from audiomill.renderers.base import (
    AudioShard,
    Batch,
    EngineFailed,
    Rendered,
    Renderer,
    Request,
    Samples,
)
from audiomill.renderers.registry import open_renderer
from audiomill.renderers.store.shard_format import MissReason
from audiomill.renderers.store.store import Miss, PackedShard, ShardStore, open_store


@dataclass(frozen=True, slots=True)
class CacheLookup:
    """What of a batch is in the store, and what is not."""

    shards: tuple[AudioShard, ...]
    missing: tuple[Request, ...]
    damaged: tuple[str, ...]  # what was found broken, in words; it is missing too


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What it took to have all of a batch in the store."""

    found: CacheLookup
    spoken: tuple[Interval, ...]  # when the engine was asked for it
    puts: tuple[Future[AudioShard], ...]  # still being stored; `result()` raises StoreError

    def stored(self) -> tuple[AudioShard, ...]:
        """All of the batch's shards, once they are stored. Raises StoreError."""
        return (*self.found.shards, *(put.result() for put in self.puts))


class ShardSource:
    """The engine and the store of one job. In the annex only the store is left of it."""

    def __init__(self, job: Job, watch: RunContext) -> None:
        self._location = job.store
        self._watch = watch
        self.renderer: Renderer = open_renderer(job.engine, job.options)
        self._store: ShardStore = open_store(job.store)

    def __reduce__(self) -> tuple[type[StoreReader], tuple[str]]:
        return (StoreReader, (self._location,))

    @property
    def is_remote(self) -> bool:
        """Whether the store answers late, so that one should ask ahead."""
        return self._store.is_remote

    def look_up(self, batch: Batch, readers: ThreadPoolExecutor) -> CacheLookup:
        """What the store has of `batch`; the engine is told to expect the rest."""
        looked = list(readers.map(self._store.check, (one.key for one in batch.requests)))
        misses = [one for one in looked if isinstance(one, Miss)]
        keys = {miss.key for miss in misses}
        found = CacheLookup(
            shards=tuple(one for one in looked if isinstance(one, AudioShard)),
            missing=tuple(request for request in batch.requests if request.key in keys),
            damaged=tuple(_words(one) for one in misses if one.reason is not MissReason.ABSENT),
        )
        self.renderer.prefetch(found.missing)
        return found

    def fill(
        self, found: CacheLookup, packers: ThreadPoolExecutor, writers: ThreadPoolExecutor
    ) -> BatchResult:
        """Render what the store lacks of a batch, and begin to store it. Raises RenderError."""
        missing = found.missing
        began = time.perf_counter()
        fresh = self._render(Batch(missing)) if missing else []
        spoken = ((began, time.perf_counter()),) if missing else ()
        puts = tuple(
            writers.submit(self._keep, packers.submit(self._packed, request, rendered))
            for request, rendered in zip(missing, fresh, strict=True)
        )
        return BatchResult(found, spoken, puts)

    def samples(self, request: Request) -> Samples:
        """The audio of `request`: from the store, or rendered anew if it is not whole there."""
        found = self._store.get(request.key)
        if isinstance(found, Miss):
            self._watch.warn(f"{_words(found)}; rendered anew.")
            (rendered,) = self._render(Batch((request,)))
            self._put(request, rendered)
            found = self._store.get(request.key)
        if isinstance(found, Miss):
            raise EngineFailed(f"{_words(found)}, again right after it was stored. Check the disk.")
        return found.samples

    def _render(self, batch: Batch) -> list[Rendered]:
        fresh = self.renderer.render(batch)
        if len(fresh) != len(batch.requests):
            raise EngineFailed(
                f"{self.renderer.name} returned {len(fresh)} segments for {len(batch.requests)}."
            )
        return fresh

    def _put(self, request: Request, rendered: Rendered) -> AudioShard:
        return self._store.keep(self._packed(request, rendered))

    def _packed(self, request: Request, rendered: Rendered) -> PackedShard:
        rate, bits = self.renderer.sample_rate, self.renderer.limits.exact_bits
        return self._store.packed(request.key, rendered, sample_rate=rate, bits=bits)

    def _keep(self, shard: Future[PackedShard]) -> AudioShard:
        return self._store.keep(shard.result())


def _words(miss: Miss) -> str:
    return f"Stored segment {miss.key[:12]} is {miss.reason} ({miss.detail})"
