"""Segments' audio, from the store where it is there and whole, else from the engine.

This is where "never rendered twice" and "never a wrong sound" meet: whoever needs audio asks here,
and a shard that was damaged since it was rendered is made anew on the spot.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from flows.job import Job
from flows.watch import Watch
from renderers.base import Renderer
from renderers.planning import batch_of
from renderers.registry import open_renderer
from renderers.shard import AudioShard, Batch, EngineFailed, Rendered, Request, Samples
from renderers.shard_file import MissReason
from renderers.store import Miss, ShardStore, open_store


@dataclass(frozen=True, slots=True)
class Fill:
    """What it took to have all of a batch in the store."""

    rendered: int  # segments that the engine spoke
    cached: int  # segments that were there
    damaged: tuple[str, ...]  # what was found broken in the store, in words
    synthesis_s: float  # that the engine worked
    puts: tuple[Future[AudioShard], ...]  # still being stored; `result()` raises StoreError


class Shards:
    """The engine and the store of one job."""

    def __init__(self, job: Job, watch: Watch) -> None:
        self._watch = watch
        self.renderer: Renderer = open_renderer(job.engine)
        self._store: ShardStore = open_store(job.store)

    def fill(self, batch: Batch, writers: ThreadPoolExecutor) -> Fill:
        """Render what the store lacks of `batch`, and begin to store it. Raises RenderError."""
        found = writers.map(self._store.check, (request.key for request in batch.requests))
        misses = [
            (request, one)
            for request, one in zip(batch.requests, found, strict=True)
            if isinstance(one, Miss)
        ]
        missing = tuple(request for request, _ in misses)
        began = time.perf_counter()
        fresh = self._render(replace(batch, requests=missing)) if missing else []
        synthesis_s = time.perf_counter() - began
        puts = tuple(
            writers.submit(self._put, request, rendered)
            for request, rendered in zip(missing, fresh, strict=True)
        )
        damaged = tuple(_words(miss) for _, miss in misses if miss.reason is not MissReason.ABSENT)
        return Fill(len(missing), len(batch.requests) - len(missing), damaged, synthesis_s, puts)

    def samples(self, request: Request) -> Samples:
        """The audio of `request`: from the store, or rendered anew if it is not whole there."""
        found = self._store.get(request.key)
        if isinstance(found, Miss):
            self._watch.note(f"{_words(found)}; rendered anew.")
            (rendered,) = self._render(batch_of((request,), self.renderer.traits))
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
        return self._store.put(
            request.key,
            rendered,
            sample_rate=self.renderer.sample_rate,
            bits=self.renderer.traits.exact_bits,
        )


def _words(miss: Miss) -> str:
    return f"Stored segment {miss.key[:12]} is {miss.reason} ({miss.detail})"
