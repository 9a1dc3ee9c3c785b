"""The plugin of our Dask workers: an engine, encoders, and an eye on windows that hang.

Rows for which somebody waits come beside the windows, and go first.

Runs in the worker's process. It is set up before the worker joins, so no window ever waits for the
engine to be loaded.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from distributed import Status, Worker, WorkerPlugin

from audiomill.flows.cluster.worker_card import WorkerCard
from audiomill.flows.cluster.worker_slots import WorkerSlot
from audiomill.flows.execution.shard_source import most_rows
from audiomill.outputs.formats import region_codecs
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch, Renderer
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.host.malloc import limit_malloc_arenas
from audiomill.renderers.host.process_pool import ProcessPool, Task

NAME = "audiomill"  # of the plugin
LOG = logging.getLogger("audiomill")
EXIT_STALLED = 70  # of a worker process whose engine hangs; its nanny starts another
POLL_S = 0.05
ENCODER_MODULES = (region_codecs.__name__,)
LOOKS = 4  # at the engine, in the time after which it counts as hanging


class EncodersBusy(RunLocally):
    """Other runs have all encoders."""


class EnginePlugin(WorkerPlugin):
    """The engine of a worker process."""

    name = NAME

    def __init__(self, card: WorkerCard, slot: WorkerSlot, stalled_s: float) -> None:
        """A window that ends no batch for `stalled_s` seconds ends the process."""
        self.card = card
        self.worker_name = slot.name
        self.options = slot.options
        self._stalled_s = stalled_s
        self.known_stores: set[tuple[str, str]] = set()  # (place, identity) that were seen alike
        self.watch = StallWatch()

    @property
    def n_rows(self) -> int:
        """The rows of a batch for which somebody waits, at most."""
        return most_rows(open_renderer(self.card.engine, self.options).limits)

    def setup(self, worker: Worker) -> None:  # noqa: ARG002  the interface's
        """Load the engine. Raises RenderError."""
        limit_malloc_arenas()
        self.encoders = Encoders(self.card.n_encoders)
        self.rows = RowsUnderWay()
        warm_up(open_renderer(self.card.engine, self.options))
        threading.Thread(target=self._end_when_stalled, name="stall", daemon=True).start()

    def _end_when_stalled(self) -> None:
        while True:
            time.sleep(self._stalled_s / LOOKS)
            if (idle_s := self.watch.longest_idle_s()) > self._stalled_s:
                LOG.error(
                    "%s has ended no batch for %.0f s. This process ends, and another takes over.",
                    self.card.engine,
                    idle_s,
                )
                os._exit(EXIT_STALLED)


class Encoders:
    """Child processes for tasks of flows: they encode beside the engine. Thread-safe.

    They are started by the first task, and end when this process does.
    """

    def __init__(self, n: int) -> None:
        self._free = threading.Semaphore(n)
        self._opening = threading.Lock()
        self._children = ProcessPool(n, ENCODER_MODULES)
        self._is_open = False

    def do(self, task: Task[Any, Any], argument: object, check: Callable[[], None]) -> Any:
        """The result of a task, done by a child. Raises RunLocally, and what the task raises."""
        if not self._free.acquire(blocking=False):
            raise EncodersBusy("all encoders are busy")
        try:
            with self._opening:
                if not self._is_open:
                    self._children.__enter__()
                    self._is_open = True
            return self._children.do_in_child(task, argument, check)
        finally:
            self._free.release()


class StallWatch:
    """Knows since when each window under way has ended no batch. Thread-safe."""

    def __init__(self) -> None:
        self._beats: dict[str, float] = {}  # by the token of a window

    def beat(self, token: str) -> None:
        """The window has begun, or has ended a batch."""
        self._beats[token] = time.monotonic()

    def end(self, token: str) -> None:
        """The window has ended."""
        self._beats.pop(token, None)

    def longest_idle_s(self) -> float:
        """The time since the last beat of the window that has waited longest."""
        return max((time.monotonic() - beat for beat in tuple(self._beats.values())), default=0.0)


class RowsUnderWay:
    """How many batches of rows are being rendered, beside windows. Thread-safe."""

    def __init__(self) -> None:
        self._n = 0
        self._changed = threading.Condition()

    @contextmanager
    def one_more(self) -> Generator[None]:
        """One more is rendered in the block."""
        with self._changed:
            self._n += 1
        try:
            yield
        finally:
            with self._changed:
                self._n -= 1
                self._changed.notify_all()

    def wait_until_none(self, within_s: float = 0.0) -> bool:
        """Whether there is none now, or before `within_s`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._n, within_s)


def warm_up(renderer: Renderer) -> None:
    """Have the engine speak, so that all it needs is loaded. Raises RenderError."""
    voice = renderer.default_voice("en")
    renderer.render(Batch((make_request("One.", voice, renderer, 1.0),)))


async def end_batches(dask_worker: Worker) -> None:
    """On a worker that leaves: take no more windows, and end the batches under way."""
    dask_worker.status = Status.paused  # which windows under way look at
    plugin: Any = dask_worker.plugins[NAME]
    while dask_worker.state.executing_count or not plugin.rows.wait_until_none():
        await asyncio.sleep(POLL_S)


def told_card(card: WorkerCard, worker: Worker) -> dict[str, Any]:
    """The card, as a worker tells it to the scheduler when it joins: its engine is loaded."""
    plugin: Any = worker.plugins[NAME]
    return asdict(replace(card, n_rows=plugin.n_rows))
