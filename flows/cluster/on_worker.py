"""What Dask runs in a worker's process: it renders windows, and does tasks of flows.

Both look whether anybody still wants them. A window also tells how far it is.
"""

from __future__ import annotations

import pickle
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
from audiomill.outputs.encoding.ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.parallel_aac import AacRegion
from audiomill.renderers.base import EngineFailed, RenderError, StoreError, first_line, reason_of
from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.host.process_pool import TaskResult
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


def do_on_worker(data: bytes) -> TaskResult[Any]:
    """The result of a task and its argument, in `data`; else RunLocally, as its error.

    Whatever fails is done again where the flow is: there it is raised if it is not this machine's.
    """
    task, argument = pickle.loads(data)  # noqa: S301  the cluster is trusted, as Dask itself does
    worker: Any = get_worker()
    wanted = _Wanted(worker)
    try:
        if isinstance(argument, AacRegion):
            argument = argument.with_ffmpeg(find_ffmpeg())
        encoders = worker.plugins[NAME].encoders()
        return TaskResult(encoders.do_in_child(task, argument, wanted.check), None)
    except Exception as error:  # noqa: BLE001  see above
        return TaskResult(None, RunLocally(first_line(error)))


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


class _Wanted:
    """Whether the current task of a worker is still wanted."""

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._key = worker.get_current_task()

    def check(self) -> None:
        """Raise Interrupted if the task was cancelled, or the worker is about to leave."""
        task = self._worker.state.tasks.get(self._key)
        if task is None or task.state == "cancelled" or self._worker.status.name != "running":
            raise Interrupted


class _WorkerContext(RunContext):
    """Tells the flow of each batch, and stops once the window is not wanted any more."""

    def __init__(self, worker: Any, plugin: EnginePlugin, window: RemoteWindow) -> None:
        self.events = _EventProgress(worker, plugin, window)
        super().__init__(self.events)
        self._wanted = _Wanted(worker)

    def check(self) -> None:
        """Raise Interrupted if the window is not wanted here any more."""
        self._wanted.check()


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
