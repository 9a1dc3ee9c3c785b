"""Has a window rendered by some worker of the cluster, whatever happens to workers and scheduler.

    a worker dies           Dask gives its windows to others, up to four times
    the scheduler goes      the window is given to it again when it is back
    a worker is unfit       it gets no more windows of this run
    its store fails         it gets none for a minute
    it is silent            others get its windows, until it gives a sign of life
    the engine fails        another machine tries, then halves, down to the segment that is at fault
    the last worker leaves  the window waits for the next one

What was stored before is only looked up again.

Windows of several books share the places in flight: each book may have as many as any other.

    capacity 6     long novel   ■ ■ ■ ▢ ▢ ▢ ▢ ▢ …
                   novel        ■ ■   ▢ ▢ ▢
                   article      ■                    done after one window's time
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from distributed import KilledWorker

from audiomill.flows.cluster.connection import SchedulerConnection, SchedulerLost, WorkerLost
from audiomill.flows.cluster.on_worker import render_on_worker
from audiomill.flows.cluster.progress_relay import part_of
from audiomill.flows.cluster.remote_window import (
    Ending,
    Outcome,
    RemoteWindow,
    halves,
    outcome_on_this_clock,
)
from audiomill.flows.cluster.usable_workers import UsableWorkers
from audiomill.flows.cluster.worker_card import resource_name
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult, joined_results
from audiomill.inputs.own_code import code_digest
from audiomill.renderers.engine.errors import EngineFailed, reason_of
from audiomill.renderers.engine.protocol import Request

POLL_S = 0.25  # between two looks whether a window is still wanted
MOST_MACHINES = 2  # that try a window which fails
MOST_LOST = 3  # workers that are lost with rows
FEWEST_WAITING = 4  # windows that wait at workers, or for the first one


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """The state that all windows of one book share."""

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
        self._resource = resource_name(engine, code_digest())
        self._workers = UsableWorkers(connection, engine, tell, workers_within_s)
        self._places = FairShare(self._capacity)
        connection.on_workers.append(self._look)

    async def render(self, window: RemoteWindow, job: RemoteJob) -> WindowResult:
        """Render a window when it is its turn.

        Raises RenderError, StoreError, ExecutorError, Interrupted.
        """
        async with self._places.turn(job.book, job.priority):
            return await self._rendered(window, job)

    async def _rendered(self, window: RemoteWindow, job: RemoteJob) -> WindowResult:
        """Render a window, if need be in parts."""
        failed: dict[str, Outcome] = {}  # of the engine, by address
        lost = set[str]()  # addresses
        while True:
            job.context.check()
            await self._wait_for_one_with_store(job.context)
            try:
                outcome = await self._tried(window, job, self._workers.allowed(failed))
            except WorkerLost as error:  # of windows, Dask counts them
                lost.add(error.address)
                if len(lost) >= MOST_LOST:
                    return await self._in_halves(window, job, _ended(len(lost)))
                await asyncio.sleep(POLL_S)
                continue
            except SchedulerLost:
                await asyncio.sleep(POLL_S)
                continue
            except KilledWorker as error:
                return await self._in_halves(window, job, _ended(error.allowed_failures + 1))
            self._workers.note(outcome)
            if outcome.ending is Ending.DONE:
                return outcome_on_this_clock(outcome)
            if outcome.ending is Ending.FAILED:
                failed[outcome.worker] = outcome
                if len(failed) >= MOST_MACHINES or not self._workers.elsewhere(failed):
                    return await self._in_halves(window, job, outcome.error)

    async def _tried(
        self, window: RemoteWindow, job: RemoteJob, workers: tuple[str, ...] | None
    ) -> Outcome:
        """The outcome on one worker, of these if not None. Raises SchedulerLost, KilledWorker."""
        await self._connection.client()
        # Also where there is no worker: a cluster that grows on demand must see the demand.
        future = self._connection.submit(
            render_on_worker,
            window.to_bytes(),
            key=_key(window),
            resources={self._resource: 1},
            priority=job.priority,
            workers=workers,
        )
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
                self._workers.check()
                if workers and self._workers.have_left(workers):
                    raise SchedulerLost("the workers have left that it was meant for")
                if future.key in self._connection.stuck:
                    raise SchedulerLost("its worker gives no sign of life")
            return result.result()
        finally:
            result.cancel()

    async def _in_halves(
        self, window: RemoteWindow, job: RemoteJob, error: Exception | None
    ) -> WindowResult:
        """Render a window that fails everywhere in two parts. Raises EngineFailed for a segment."""
        parts = halves(window.task)
        if len(parts) == 1:
            raise segment_failed(window.task.window.requests[0], error)
        results = [
            await self._rendered(
                replace(window, task=part, token=part_of(window.token, number)), job
            )
            for number, part in enumerate(parts)
        ]
        return joined_results(results)

    async def _wait_for_one_with_store(self, context: RunContext) -> None:
        """Return once not all workers are set aside. Raises what `UsableWorkers.check` does."""
        while self._connection.workers and not self._workers:
            context.check()
            self._workers.check()
            await asyncio.sleep(POLL_S)

    def _look(self) -> None:
        """Take note of who is there now."""
        self._workers.look()
        self._places.give()

    def _capacity(self) -> int:
        """How many windows may be in flight: half as many again as the workers take at once.

        Dask gives those to workers that are done early, and a cluster that grows on demand sees
        that more workers would help.
        """
        n_slots = self._workers.n_slots(self._resource)
        return n_slots + max(FEWEST_WAITING, n_slots // 2)


def _key(window: RemoteWindow) -> tuple[str, str]:
    """The name of the task on the dashboard, which groups tasks by its first part: the book."""
    task = window.task
    # Not the token alone: a part that fails is given to another worker under another name.
    return (
        f"{task.of}-{window.token}-{uuid4().hex}",
        f"window {task.window.index + 1} of {task.n_windows}",
    )


def _ended(n_processes: int) -> EngineFailed:
    return EngineFailed(f"It ended {n_processes} worker processes")


def segment_failed(request: Request, error: Exception | None) -> EngineFailed:
    """The error of a segment that fails everywhere."""
    why = reason_of(error) if error else "the engine failed"
    return EngineFailed(f"No machine can render “{request.spoken}”. {why}.")


@dataclass(slots=True, eq=False)
class _Waiting:
    book: Hashable
    priority: int
    is_its_turn: asyncio.Event = field(default_factory=asyncio.Event)


class FairShare:
    """Places in flight. `capacity` tells how many there are; it may change at any time."""

    def __init__(self, capacity: Callable[[], int]) -> None:
        self._capacity = capacity
        self._waiting: list[_Waiting] = []  # in order of arrival
        self._in_flight = Counter[Hashable]()  # by book

    @asynccontextmanager
    async def turn(self, book: Hashable, priority: int = 0) -> AsyncGenerator[None]:
        """Wait for a place, and have it in the block.

        A free place goes to the highest priority, then to the book that has the fewest.
        """
        waiting = _Waiting(book, priority)
        self._waiting.append(waiting)
        try:
            self.give()
            await waiting.is_its_turn.wait()
            yield
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._in_flight[book] -= 1
            self.give()

    def give(self) -> None:
        """Give away all free places: after the capacity has grown, for example."""
        while self._waiting and self._in_flight.total() < self._capacity():
            chosen = min(self._waiting, key=lambda one: (-one.priority, self._in_flight[one.book]))
            self._waiting.remove(chosen)
            self._in_flight[chosen.book] += 1
            chosen.is_its_turn.set()
