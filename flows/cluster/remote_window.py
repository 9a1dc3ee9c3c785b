"""A window as it travels to a worker of a cluster, and what comes back. Knows no Dask.

The window brings its requests and what must be true where it is rendered: the place of the store,
and for each voice the fingerprint of engine, weights and pronunciation. The machine brings its own
device, batch size and caches. Audio goes into the store; only an `Outcome` comes back.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.stage_times import Interval
from audiomill.flows.execution.windows import WindowResult, WindowTask, render_window
from audiomill.renderers.engine.errors import RenderError, StoreError, UnknownVoice, reason_of
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.planning import batches_of
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.reference_voices.voice import VoiceUnfit
from audiomill.renderers.store.store import ShardStore


@dataclass(frozen=True, slots=True)
class RemoteWindow:
    """A window to be rendered on another machine."""

    task: WindowTask
    store: str  # an absolute path, or a URL
    store_identity: str
    fingerprints: Mapping[str, str]  # by voice
    topic: str  # of the events by which its progress is told
    token: str  # names the window in these

    def to_bytes(self) -> bytes:
        """As one object, so that the scheduler need not look into it."""
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)


def window_from_bytes(data: bytes) -> RemoteWindow:
    """Unpack what `to_bytes` has packed. The cluster is trusted, as Dask itself does."""
    return pickle.loads(data)  # noqa: S301


class WorkerUnfit(Exception):
    """This worker would make another sound, or write to another store. The message says why."""


class Ending(StrEnum):
    """How a window ended on a worker."""

    DONE = "done"
    STOPPED = "stopped"  # the worker leaves; another one continues
    UNFIT = "unfit"  # no window of this run can be rendered there
    NO_STORE = "no store"  # the worker could not read or write the store
    FAILED = "failed"  # the engine failed


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a window on a worker."""

    ending: Ending
    worker: str  # its address
    machine: str
    result: WindowResult | None = None
    error: WorkerUnfit | RenderError | StoreError | None = None
    ended: float = 0.0  # on the clock of the result's intervals


def outcome_on_this_clock(outcome: Outcome) -> WindowResult:
    """The result of a window that is done, as if it had ended now, on this machine."""
    if outcome.result is None:
        raise ValueError("the window is not done")
    behind_s = time.perf_counter() - outcome.ended
    intervals: tuple[Interval, ...] = tuple(
        (start + behind_s, end + behind_s) for start, end in outcome.result.render_intervals
    )
    return replace(outcome.result, render_intervals=intervals)


def check_identity(place: str, found: str, expected: str) -> None:
    """Raise WorkerUnfit if the store at `place` is another one than the flow's."""
    if found != expected:
        has = "another store" if found else "no store"
        raise WorkerUnfit(f"{place} is {has} there; it must be one that all machines reach")


def render_as_here(
    window: RemoteWindow, own: EngineOptions, context: RunContext, store: ShardStore
) -> WindowResult:
    """Render a window with the devices, batches and caches of this machine.

    Raises WorkerUnfit, RenderError, StoreError, Interrupted.
    """
    options = own_options(window.task.options, own)
    renderer = open_renderer(window.task.engine, options)
    for voice, expected in window.fingerprints.items():
        try:
            found = renderer.fingerprint(voice)
        except (UnknownVoice, VoiceUnfit) as error:  # one that was cloned elsewhere
            raise WorkerUnfit(reason_of(error)) from error
        if found != expected:
            raise WorkerUnfit(f"{voice} would sound different there (“{found}”, not “{expected}”)")
    batches = batches_of(window.task.window.requests, renderer.limits)
    planned = replace(window.task.window, batches=batches)
    return render_window(replace(window.task, window=planned, options=options), store, context)


def own_options(sent: EngineOptions, own: EngineOptions) -> EngineOptions:
    """The options of this machine, with what decides the sound as the flow has told it.

    Each engine says what that is: `OwnOptions.on_worker`.
    """
    return replace(
        sent.each(lambda one: one.on_worker(own)),
        environments=own.environments,
        cloned_voices=own.cloned_voices,
    )


def halves(task: WindowTask) -> tuple[WindowTask, ...]:
    """The window as two of half as many segments; alone, if it has only one."""
    requests = task.window.requests
    if len(requests) == 1:
        return (task,)
    middle = len(requests) // 2
    return tuple(_part(task, part) for part in (requests[:middle], requests[middle:]))


def _part(task: WindowTask, requests: tuple[Request, ...]) -> WindowTask:
    share = len(requests) / len(task.window.requests)
    window = replace(
        task.window,
        batches=(Batch(requests),),
        estimated_s=task.window.estimated_s * share,
    )
    return replace(task, window=window)
