"""Renders a window in a worker's process: the function that Dask runs there.

Between two batches it looks whether anybody still wants the window, and tells how far it is.
"""

from __future__ import annotations

import time
from typing import Any

from distributed import get_worker

from audiomill.flows.cluster.engine_plugin import NAME, EnginePlugin
from audiomill.flows.cluster.remote_window import (
    Ending,
    Outcome,
    RemoteWindow,
    WorkerUnfit,
    check_identity,
    render_as_here,
    window_from_bytes,
)
from audiomill.flows.console import say
from audiomill.flows.execution.run_context import Interrupted, RunContext, Step
from audiomill.renderers.base import EngineFailed, RenderError, StoreError, reason_of
from audiomill.renderers.store.retries import RunWaiter
from audiomill.renderers.store.store import ShardStore, open_store

TELL_EVERY_S = 0.5
FIRST_CONTACT_S = 15.0  # within which a worker must reach a store that it has not used yet


def render_on_worker(data: bytes) -> Outcome:
    """Render the window in `data`. Raises nothing that is expected: it is in the outcome."""
    window = window_from_bytes(data)
    worker: Any = get_worker()
    plugin: EnginePlugin = worker.plugins[NAME]
    context = _WorkerContext(worker, plugin, window)
    by: dict[str, Any] = {"worker": worker.address, "machine": plugin.card.machine}
    plugin.watch.beat(window.token)
    try:
        store = _store_of(window, plugin, context)
        result = render_as_here(window, plugin.options, context, store)
    except WorkerUnfit as error:
        return Outcome(Ending.UNFIT, error=error, **by)
    except Interrupted:
        return Outcome(Ending.STOPPED, **by)
    except StoreError as error:
        return Outcome(Ending.NO_STORE, error=error, **by)
    except RenderError as error:
        return Outcome(Ending.FAILED, error=error, **by)
    except OSError as error:  # of this machine, for example no room for temporary files
        words = f"{plugin.card.machine} failed: {reason_of(error)}"
        return Outcome(Ending.FAILED, error=EngineFailed(words), **by)
    finally:
        plugin.watch.end(window.token)
        context.events.tell()
    return Outcome(Ending.DONE, result=result, ended=time.perf_counter(), **by)


def _store_of(window: RemoteWindow, plugin: EnginePlugin, context: RunContext) -> ShardStore:
    """The window's store, if it is the flow's. Raises WorkerUnfit, StoreError."""
    place = (window.store, window.store_identity)
    if place not in plugin.known_stores:
        # The flow has just used it. So a store that does not answer soon is out of reach from here,
        # and other workers should have the window.
        patience = RunWaiter(context.check, say, FIRST_CONTACT_S)
        found = open_store(window.store, patience).identity()
        check_identity(window.store, found, window.store_identity)
        plugin.known_stores.add(place)
    return open_store(window.store, RunWaiter(context.check, say))


class _WorkerContext(RunContext):
    """Tells the flow of each batch, and stops once the window is not wanted any more."""

    def __init__(self, worker: Any, plugin: EnginePlugin, window: RemoteWindow) -> None:
        self.events = _EventProgress(worker, plugin, window)
        super().__init__(self.events)
        self._worker = worker
        self._key = worker.get_current_task()

    def check(self) -> None:
        """Raise Interrupted if the task was cancelled, or the worker is about to leave."""
        task = self._worker.state.tasks.get(self._key)
        if task is None or task.state == "cancelled" or self._worker.status.name != "running":
            raise Interrupted


class _EventProgress:
    """Sends how far a window is, as events of a topic of Dask's."""

    def __init__(self, worker: Any, plugin: EnginePlugin, window: RemoteWindow) -> None:
        self._worker = worker
        self._plugin = plugin
        self._window = window
        self._done_s = 0.0
        self._told_s = 0.0
        self._told = time.monotonic()

    def begin(self, step: Step, total: float) -> None:
        """Nothing: the flow knows what there is to do."""

    def advance(self, step: Step, done: float) -> None:  # noqa: ARG002  a window only renders
        """Tell how many seconds of audio there are, now and then."""
        self._plugin.watch.beat(self._window.token)
        self._done_s += done
        if time.monotonic() - self._told >= TELL_EVERY_S:
            self.tell()

    def tell(self) -> None:
        """Tell what has not been told."""
        message = {
            "token": self._window.token,
            "name": self._plugin.worker_name,  # Dask itself adds "worker", the address
            "done_s": self._done_s,
            "more_s": self._done_s - self._told_s,
        }
        self._worker.log_event(self._window.topic, message)
        self._told, self._told_s = time.monotonic(), self._done_s
