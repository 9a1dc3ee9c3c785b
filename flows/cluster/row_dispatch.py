"""Has rows of texts rendered by workers at once, beside the windows that these are at.

    windows   Dask's queue of a worker ─▶ two at a time, each to its end
    rows      ──────────────────────────▶ a batch at a time; no window begins another one meanwhile

Rows are no tasks of Dask's: in a worker's queue they would wait for whole windows. Each worker gets
one batch at a time, so that a sentence which comes meanwhile waits for no more than that. What goes
wrong is told and mended as for windows.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from audiomill.flows.cluster.connection import SchedulerConnection, SchedulerLost, WorkerLost
from audiomill.flows.cluster.dispatch import POLL_S, Dispatcher, RemoteJob, segment_failed
from audiomill.flows.cluster.on_worker import render_rows_on_worker
from audiomill.flows.cluster.remote_window import Ending, Outcome, RemoteWindow
from audiomill.flows.cluster.usable_workers import WorkerSeen
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.windows import WindowResult

# For a scheduler or a worker: somebody listens, and would rather be told.
WITHIN_S = 60.0


class RowDispatcher(Dispatcher):
    """Gives batches of rows of one engine to the workers of a cluster."""

    def __init__(
        self,
        connection: SchedulerConnection,
        engine: str,
        tell: Callable[[str], None],
        workers_within_s: float,
    ) -> None:
        """A text that has no worker for `workers_within_s` seconds, or a minute, fails."""
        self._tell = tell
        self._n_busy = Counter[str]()  # batches by the address of a worker
        self._lost = set[str]()  # addresses of workers; the scheduler may not know it yet
        self._away_since: float | None = None  # the scheduler
        super().__init__(connection, engine, tell, min(workers_within_s, WITHIN_S))

    @property
    def n_places(self) -> int:
        """How many batches are rendered at a time. Where there is no worker, one waits for it."""
        return max(1, len(self._workers.now))

    @property
    def n_rows(self) -> int:
        """The rows that the worker renders at a time which has the next batch."""
        worker = self._best(self._workers.now)
        return worker.card.n_rows if worker and worker.card else 1

    def _capacity(self) -> int:
        return self.n_places

    async def _tried(
        self, window: RemoteWindow, job: RemoteJob, workers: tuple[str, ...] | None
    ) -> Outcome:
        """The outcome on one worker, of these if not None. Raises SchedulerLost, ExecutorError."""
        await self._wait_for_worker(job.context)
        usable = self._workers.now
        allowed = tuple(one for one in usable if workers is None or one.address in workers)
        worker = self._best(allowed)
        if worker is None:
            raise SchedulerLost("the workers have left that it was meant for")
        self._n_busy[worker.address] += 1
        try:
            outcome = await self._rendered_at(worker.address, window, job.context)
        except WorkerLost:
            self._lost.add(worker.address)
            raise
        finally:
            self._n_busy[worker.address] -= 1
        if outcome.ending is Ending.STOPPED:
            self._lost.add(worker.address)
            raise SchedulerLost("the worker leaves")
        return outcome

    async def _rendered_at(
        self, address: str, window: RemoteWindow, context: RunContext
    ) -> Outcome:
        running = asyncio.create_task(
            self._connection.run_at(address, render_rows_on_worker, window.to_bytes())
        )
        try:
            while not (await asyncio.wait({running}, timeout=POLL_S))[0]:
                context.check()
                self._require_sign_of_life(address)
            return await running
        except SchedulerLost as error:
            if self._connection.is_up:
                raise WorkerLost(address) from error
            raise
        finally:
            running.cancel()

    def _require_sign_of_life(self, address: str) -> None:
        """Raise SchedulerLost, WorkerLost if there is none."""
        if not self._connection.is_up:
            raise SchedulerLost("the scheduler is away")
        if self._connection.is_silent(address):
            raise WorkerLost(address)

    async def _in_halves(
        self,
        window: RemoteWindow,
        job: RemoteJob,  # noqa: ARG002
        error: Exception | None,
    ) -> WindowResult:
        """Raise EngineFailed: of rows that fail, their scheduler has each rendered by itself."""
        raise segment_failed(window.task.window.requests[0], error)

    async def _wait_for_worker(self, context: RunContext) -> None:
        """Return once there is a worker. Raises as `UsableWorkers.check`, SchedulerUnreachable."""
        while not (self._connection.is_up and self._workers):
            context.check()
            if self._connection.is_up:
                self._workers.check()
            else:
                self._check_scheduler()
            await asyncio.sleep(POLL_S)

    def _look(self) -> None:
        super()._look()
        self._away_since = None
        if self._workers:
            self._workers.check()  # that there is one now counts, though nobody asks for it

    def _check_scheduler(self) -> None:
        """Raise SchedulerUnreachable if it has been away for long."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            self._tell(f"The scheduler {self._connection.address} is away. Texts wait a minute.")
        if time.monotonic() - self._away_since > WITHIN_S:
            raise self._connection.unreachable()

    def _best(self, workers: tuple[WorkerSeen, ...]) -> WorkerSeen | None:
        """The one that has least to do, and is not known to be lost; None of none."""
        order = [(one.address in self._lost, self._n_busy[one.address]) for one in workers]
        return workers[order.index(min(order))] if order else None
