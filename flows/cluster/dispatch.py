"""Has a window rendered by some worker of the cluster, whatever happens to workers and scheduler.

    a worker dies           Dask gives its windows to others, up to four times
    the scheduler goes      the window is given to it again when it is back
    a worker is unfit       it gets no more windows of this run
    its store fails         it gets none for a minute
    the engine fails        another machine tries, then halves, down to the segment that is at fault
    the last worker leaves  the window waits for the next one

What was stored before is only looked up again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from distributed import KilledWorker

from audiomill.flows.cluster.connection import SchedulerConnection, SchedulerLost, WorkerSeen
from audiomill.flows.cluster.fair_share import FairShare
from audiomill.flows.cluster.on_worker import render_on_worker
from audiomill.flows.cluster.progress_relay import part_of
from audiomill.flows.cluster.remote_window import (
    Ending,
    Outcome,
    RemoteWindow,
    halves,
    outcome_on_this_clock,
)
from audiomill.flows.cluster.worker_card import code_digest, resource_name, unfit_reason
from audiomill.flows.execution.executor import ExecutorError
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult, joined_results
from audiomill.renderers.base import EngineFailed, Request, StoreError, reason_of

POLL_S = 0.25  # between two looks whether a window is still wanted
ASIDE_S = 60.0  # for which a worker that could not use the store gets no windows
STORE_PATIENCE_S = 300.0  # in which no worker could use the store
FEWEST_WAITING = 4  # windows that wait at workers, or for the first one


class NoWorker(ExecutorError):
    """No worker of the cluster can render what is asked for."""


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """What all windows of one book share."""

    context: RunContext
    book: Hashable
    priority: int = 0  # higher ones go first


class Dispatcher:
    """Gives windows of one engine to the workers of a cluster, and shares places among books."""

    def __init__(
        self,
        connection: SchedulerConnection,
        engine: str,
        tell: Callable[[str], None],
        workers_within_s: float,
    ) -> None:
        """A run that has no worker for `workers_within_s` seconds ends."""
        self._connection = connection
        self._engine = engine
        self._resource = resource_name(engine, code_digest())
        self._tell = tell
        self._workers_within_s = workers_within_s
        self._unfit: dict[str, str] = {}  # why, by address
        self._aside: dict[str, tuple[float, StoreError]] = {}  # until when, and why, by address
        self._no_store_since: float | None = None
        self._no_worker_since: float | None = None
        self._places = FairShare(self._capacity)
        connection.on_workers.append(self._places.give)

    async def render(self, window: RemoteWindow, job: RemoteJob) -> WindowResult:
        """Render a window when it is its turn.

        Raises RenderError, StoreError, ExecutorError, Interrupted.
        """
        async with self._places.turn(job.book, job.priority):
            return await self._rendered(window, job)

    async def _rendered(self, window: RemoteWindow, job: RemoteJob) -> WindowResult:
        """Render a window, if need be in parts."""
        failed: dict[str, Outcome] = {}  # of the engine, by address
        while True:
            job.context.check()
            await self._wait_for_one_with_store(job.context)
            try:
                outcome = await self._tried(window, job, self._allowed(failed))
            except SchedulerLost:
                await asyncio.sleep(POLL_S)
                continue
            except KilledWorker as error:
                words = f"It ended {error.allowed_failures + 1} worker processes"
                return await self._in_halves(window, job, EngineFailed(words))
            if outcome.ending is Ending.DONE:
                self._no_store_since = None
                return outcome_on_this_clock(outcome)
            self._note(outcome)
            if outcome.ending is Ending.FAILED:
                failed[outcome.worker] = outcome
                if not self._another_machine(failed):
                    return await self._in_halves(window, job, outcome.error)

    async def _tried(
        self, window: RemoteWindow, job: RemoteJob, workers: tuple[str, ...] | None
    ) -> Outcome:
        """The outcome on one worker, of these if not None. Raises SchedulerLost, KilledWorker."""
        client = await self._connection.client()
        try:
            # Also where there is no worker: a cluster that grows on demand must see the demand.
            future = client.submit(
                render_on_worker,
                window.to_bytes(),
                key=_key(window),
                resources={self._resource: 1},
                priority=job.priority,
                workers=workers,
                pure=False,
            )
        except (OSError, RuntimeError, AttributeError) as error:  # it has just lost its scheduler
            raise SchedulerLost(str(error)) from error
        try:
            return await self._awaited(future, job.context, workers)
        finally:
            future.release()

    async def _awaited(
        self, future: Any, context: RunContext, workers: tuple[str, ...] | None
    ) -> Outcome:
        result = asyncio.create_task(self._connection.result(future))
        try:
            while not (await asyncio.wait({result}, timeout=POLL_S))[0]:
                context.check()
                self._check_workers()
                if workers and not self._connection.workers.keys() & {*workers}:
                    raise SchedulerLost("the workers have left that it was meant for")
            return result.result()
        finally:
            result.cancel()

    async def _in_halves(
        self, window: RemoteWindow, job: RemoteJob, error: Exception | None
    ) -> WindowResult:
        """Render a window that fails everywhere in two parts. Raises EngineFailed for a segment."""
        parts = halves(window.task)
        if len(parts) == 1:
            raise _segment_failed(window.task.window.requests[0], error)
        results = [
            await self._rendered(
                replace(window, task=part, token=part_of(window.token, number)), job
            )
            for number, part in enumerate(parts)
        ]
        return joined_results(results)

    async def _wait_for_one_with_store(self, context: RunContext) -> None:
        """Return once not all workers are set aside. Raises what `_check_workers` does."""
        while self._connection.workers and not self._usable():
            context.check()
            self._check_workers()
            await asyncio.sleep(POLL_S)

    def _check_workers(self) -> None:
        """Say so if no worker can take a window.

        Raises NoWorker if all are unfit, or none comes; StoreError if none can use the store.
        """
        if self._usable():
            self._no_worker_since = None
            return
        now = time.monotonic()
        scheduler = self._connection.address
        if self._no_worker_since is None:
            self._no_worker_since = now
            self._tell(f"Waiting for a worker: audiomill worker --scheduler {scheduler}")
        self._raise_if_none_can()
        if now - self._no_worker_since > self._workers_within_s:
            raise NoWorker(
                f"No worker came within {self._workers_within_s:.0f} s. Start one:"
                f" audiomill worker --scheduler {scheduler}"
            )

    def _raise_if_none_can(self) -> None:
        """Raise NoWorker if all workers are unfit; StoreError if none has the store."""
        seen = self._connection.workers
        reasons = {address: self._unfitness(one) for address, one in seen.items()}
        if seen and all(reasons.values()):
            words = "; ".join(
                f"{name_of(seen[address])}: {reason}" for address, reason in reasons.items()
            )
            raise NoWorker(f"No worker of {self._connection.address} can render this. {words}.")
        since = self._no_store_since
        if since is not None and time.monotonic() - since > STORE_PATIENCE_S:
            raise next(error for _, error in self._aside.values())

    def _unfitness(self, worker: WorkerSeen) -> str:
        """Why a worker is unfit for this run; "" if it is not known to be."""
        return self._unfit.get(worker.address, "") or unfit_reason(worker.card, self._engine)

    def _usable(self) -> tuple[WorkerSeen, ...]:
        """The workers that can take windows now."""
        now = time.monotonic()
        return tuple(
            worker
            for worker in self._connection.workers.values()
            if not self._unfitness(worker)
            and self._aside.get(worker.address, (0.0, None))[0] <= now
        )

    def _allowed(self, failed: Mapping[str, Outcome]) -> tuple[str, ...] | None:
        """The workers that a window may go to; None for all, those that come later included."""
        usable = self._usable()
        others = tuple(one.address for one in _elsewhere(usable, failed))
        if failed and others:
            return others
        known = {*self._unfit, *self._aside} & self._connection.workers.keys()
        return tuple(one.address for one in usable) if known and usable else None

    def _another_machine(self, failed: Mapping[str, Outcome]) -> bool:
        """Whether a window that has failed on these workers should be tried once more."""
        return len(failed) < 2 and bool(_elsewhere(self._usable(), failed))

    def _note(self, outcome: Outcome) -> None:
        """Remember that a worker cannot be used."""
        if outcome.ending is Ending.UNFIT and outcome.worker not in self._unfit:
            self._unfit[outcome.worker] = outcome.words
            self._tell(f"{outcome.machine} gets no windows: {outcome.words}.")
        elif outcome.ending is Ending.NO_STORE and isinstance(outcome.error, StoreError):
            now = time.monotonic()
            self._no_store_since = self._no_store_since or now
            self._aside[outcome.worker] = (now + ASIDE_S, outcome.error)
            self._tell(
                f"{outcome.machine} gets no windows for a minute: {reason_of(outcome.error)}."
            )

    def _capacity(self) -> int:
        """How many windows may be in flight: half as many again as the workers take at once.

        Dask gives those to workers that are done early, and a cluster that grows on demand sees
        that more workers would help.
        """
        slots = sum(worker.slots.get(self._resource, 0.0) for worker in self._usable())
        return int(slots) + max(FEWEST_WAITING, int(slots) // 2)


def name_of(worker: WorkerSeen) -> str:
    """A worker's name and machine, for people."""
    machine = worker.card.machine if worker.card else ""
    return f"{worker.name} on {machine}" if machine and machine not in worker.name else worker.name


def _key(window: RemoteWindow) -> tuple[str, str]:
    """The name of the task on the dashboard, which groups tasks by its first part: the book."""
    task = window.task
    # Not the token alone: a part that fails is given to another worker under another name.
    return (
        f"{task.of}-{window.token}-{uuid4().hex}",
        f"window {task.window.index + 1} of {task.n_windows}",
    )


def _elsewhere(
    usable: Iterable[WorkerSeen], failed: Mapping[str, Outcome]
) -> tuple[WorkerSeen, ...]:
    """The workers on machines where the window has not failed; else other ones on the same."""
    machines = {outcome.machine for outcome in failed.values()}
    others = tuple(one for one in usable if one.address not in failed)
    far = tuple(one for one in others if one.card and one.card.machine not in machines)
    return far or others


def _segment_failed(request: Request, error: Exception | None) -> EngineFailed:
    why = reason_of(error) if error else "the engine failed"
    return EngineFailed(f"No machine can render “{request.spoken}”. {why}.")
