"""The work in a worker's process: windows, as tasks of Dask's, and rows and tasks beside them.

Between two batches a window looks whether anybody still wants it, and tells how far it is. While
there are rows, for which somebody waits, it begins no other batch.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from distributed import get_worker

from audiomill.flows.cluster.engine_plugin import NAME, EncodersBusy, EnginePlugin
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
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.formats.region_tasks import RegionTask
from audiomill.renderers.engine.errors import (
    EngineFailed,
    RenderError,
    StoreError,
    first_line,
    reason_of,
)
from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.store.store import ShardStore, open_store

TELL_EVERY_S = 0.5
FIRST_CONTACT_S = 15.0  # within which a worker must reach a store that it has not used yet


def render_on_worker(data: bytes) -> Outcome:
    """Render the window in `data`. Raises nothing that is expected: it is in the outcome."""
    window = window_from_bytes(data)
    worker: Any = get_worker()
    plugin: EnginePlugin = worker.plugins[NAME]
    context = _WorkerContext(worker, plugin, window)
    try:
        return _outcome(window, worker, plugin, context)
    finally:
        context.events.tell()


async def render_rows_on_worker(data: bytes, dask_worker: Any) -> Outcome:
    """As `render_on_worker`, at once, beside all windows that Dask has given to this worker."""
    return await asyncio.to_thread(_render_rows, data, dask_worker, dask_worker.plugins[NAME])


def _render_rows(data: bytes, worker: Any, plugin: EnginePlugin) -> Outcome:
    if worker.status.name != "running":  # it leaves
        return Outcome(Ending.STOPPED, worker.address, plugin.card.machine)
    with plugin.rows.one_more():
        return _outcome(window_from_bytes(data), worker, plugin, RunContext())


def _outcome(
    window: RemoteWindow, worker: Any, plugin: EnginePlugin, context: RunContext
) -> Outcome:
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
    return Outcome(Ending.DONE, result=result, ended=time.perf_counter(), **by)


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """A task for a worker's encoders, and the identities of the stores that it may read."""

    data: bytes  # the pickled task and its argument
    stores: Mapping[str, str]  # by location


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """The result of a task; or why this worker did not do it, and the flow has to."""

    result: Any = None
    refusal: str = ""
    is_fault: bool = False  # the worker will not do the next one, either


async def do_on_worker(order: TaskOrder, dask_worker: Any) -> TaskAnswer:
    """Have a task done by an encoder of this worker."""
    return await asyncio.to_thread(_run_task, order, dask_worker, dask_worker.plugins[NAME])


def _run_task(order: TaskOrder, worker: Any, plugin: EnginePlugin) -> TaskAnswer:
    def check() -> None:
        if worker.status.name != "running":
            raise Interrupted

    try:
        for location, identity in order.stores.items():
            _require_store(location, identity, plugin, check)
        task, argument = pickle.loads(order.data)  # noqa: S301  a cluster is trusted
        if isinstance(argument, RegionTask):
            argument = argument.with_ffmpeg(find_ffmpeg())
        return TaskAnswer(plugin.encoders.do(task, argument, check))
    except (Interrupted, EncodersBusy) as error:
        return TaskAnswer(refusal=first_line(error))
    except Exception as error:  # noqa: BLE001  the flow does it again, and finds out whose it is
        return TaskAnswer(refusal=first_line(error), is_fault=True)


def _store_of(window: RemoteWindow, plugin: EnginePlugin, context: RunContext) -> ShardStore:
    """The window's store, if it is the flow's. Raises WorkerUnfit, StoreError."""
    _require_store(window.store, window.store_identity, plugin, context.check)
    waiter = RunWaiter(context.check, say, window.task.outage_s)
    return open_store(window.store, waiter)


def _require_store(
    location: str, identity: str, plugin: EnginePlugin, check: Callable[[], None]
) -> None:
    """Raise WorkerUnfit if a store is not the flow's; StoreError if it does not answer soon.

    The flow has just used it. So one that does not answer is out of reach from here, and others
    should have the work.
    """
    if (location, identity) not in plugin.known_stores:
        found = open_store(location, RunWaiter(check, say, FIRST_CONTACT_S)).identity()
        check_identity(location, found, identity)
        plugin.known_stores.add((location, identity))


class _WorkerContext(RunContext):
    """Tells the flow of each batch, and stops once the window is not wanted any more."""

    def __init__(self, worker: Any, plugin: EnginePlugin, window: RemoteWindow) -> None:
        self.events = _EventProgress(worker, plugin, window)
        super().__init__(self.events)
        self._worker, self._plugin, self._token = worker, plugin, window.token
        self._key = worker.get_current_task()

    def check(self) -> None:
        """Raise Interrupted if the task was cancelled, or the worker is about to leave.

        Let rows go first.
        """
        self._raise_if_unwanted()
        while not self._plugin.rows.wait_until_none(TELL_EVERY_S):
            self._plugin.watch.beat(self._token)
            self._raise_if_unwanted()

    def _raise_if_unwanted(self) -> None:
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
        self._reported_s = 0.0
        self._reported = time.monotonic()

    def begin(self, step: Step, total: float) -> None:
        """Nothing: the flow knows what there is to do."""

    def advance(self, step: Step, done: float) -> None:  # noqa: ARG002  a window only renders
        """Tell how many seconds of audio there are, now and then."""
        self._plugin.watch.beat(self._window.token)
        self._done_s += done
        if time.monotonic() - self._reported >= TELL_EVERY_S:
            self.tell()

    def extend(self, step: Step, more: float) -> None:
        """Earlier work is done, too: the flow knows only whole windows."""
        self.advance(step, -more)

    def tell(self) -> None:
        """Tell what has not been told."""
        message = {
            "token": self._window.token,
            "name": self._plugin.worker_name,  # Dask itself adds "worker", the address
            "done_s": self._done_s,
            "more_s": self._done_s - self._reported_s,
        }
        self._worker.log_event(self._window.topic, message)
        self._reported, self._reported_s = time.monotonic(), self._done_s
