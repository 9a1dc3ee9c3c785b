"""Runs worker processes that render for a cluster, one for each GPU, until they are stopped.

    audiomill worker ─┬─ nanny ── worker process: CUDA_VISIBLE_DEVICES=0, engine, two windows
                      │                           └─ child processes: encoders
                      └─ nanny ── worker process: CUDA_VISIBLE_DEVICES=1, …

Dask's nannies start the processes and replace those that die. If the scheduler goes away, the
nannies end too; new ones wait until it is back.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import dask.config
from distributed import Client, Nanny

from audiomill.flows.cluster.connection import LOST, SchedulerUnreachable, is_scheduler
from audiomill.flows.cluster.engine_plugin import EnginePlugin, end_batches, told_card
from audiomill.flows.cluster.worker_card import CARD, own_card
from audiomill.flows.cluster.worker_slots import WorkerSlot
from audiomill.flows.web_address import LOCALHOST, is_this_machine
from audiomill.renderers.engine.errors import EngineFailed, RenderError, reason_of

LOG = logging.getLogger("audiomill")
CONFIG = {
    # The environment of a worker process, in which Dask prints no tracebacks of its own: what fails
    # is told where it is waited for. This replaces Dask's choice of one thread for OpenMP, with
    # which PyTorch would use one core only.
    "distributed.nanny.pre-spawn-environ": {"DASK_LOGGING__DISTRIBUTED": "critical"},
    # Dask's profiler looks at the stacks of all threads, a hundred times a second. Before Python
    # 3.11.9 and 3.12.3 that may lock up the process: github.com/python/cpython/issues/106883.
    "distributed.worker.profile.enabled": False,
    # Each worker has a web server for pages that only Dask's dashboard needs: it has none of them.
    "distributed.worker.http.routes": [],
}
# The engine renders one window while another waits for the store.
WINDOWS_AT_ONCE = 2
LOOPBACK = "127.0.0.1"
POLL_S = 0.2
MAX_MISSED = 25  # looks in a row at which a nanny has no process: it starts none any more
RETRY_S = 3.0
LEAVE_S = 15.0  # for which the cluster is told that a worker leaves, before it does


@dataclass(frozen=True, slots=True)
class WorkerService:
    """Worker processes on this machine, for one scheduler and one engine."""

    scheduler: str
    engine: str
    slots: Sequence[WorkerSlot]
    n_encoders: int  # of each process: tasks of flows that it does at a time
    stalled_s: float  # after which a window that ends no batch ends its process

    def run(self, is_stopped: Callable[[], bool]) -> None:
        """Serve until `is_stopped`.

        Raises RenderError if the engine cannot be loaded, SchedulerUnreachable if Dask is not set
        up for the address.
        """
        try:
            with dask.config.set(CONFIG):
                asyncio.run(self._run(is_stopped))
        except ExceptionGroup as group:
            if failed := group.subgroup((RenderError, SchedulerUnreachable)):
                raise failed.exceptions[0] from group
            raise

    async def _run(self, is_stopped: Callable[[], bool]) -> None:
        async with asyncio.TaskGroup() as group:
            for slot in self.slots:
                group.create_task(self._keep(slot, is_stopped))

    async def _keep(self, slot: WorkerSlot, is_stopped: Callable[[], bool]) -> None:
        """Keep one worker process running."""
        reported = ""
        while not is_stopped():
            words = await self._serve(slot, is_stopped)
            if words and words != reported:
                LOG.warning("%s", words)
            reported = words
            until = time.monotonic() + RETRY_S
            while words and not is_stopped() and time.monotonic() < until:
                await asyncio.sleep(POLL_S)

    async def _serve(self, slot: WorkerSlot, is_stopped: Callable[[], bool]) -> str:
        """Start a worker process, and wait until it has ended. If it cannot join yet: why."""
        if not await is_scheduler(self.scheduler):  # a nanny would wait for it silently
            return f"No scheduler answers at {self.scheduler}. Waiting for it."
        nanny = self._nanny(slot)
        try:
            has_joined = await _unless_stopped(nanny, is_stopped)
        except (OSError, RuntimeError) as error:
            await nanny.close()
            return self._why_not_yet(error, slot.name)
        if has_joined:
            LOG.warning("Worker %s has joined %s.", slot.name, self.scheduler)
            await watch(nanny, is_stopped)
        await self._leave(nanny, slot.name)
        return ""

    def _why_not_yet(self, error: Exception, name: str) -> str:
        """Why a worker could not join, if it may later. Raises RenderError if it never can."""
        causes = _causes(error)
        if failed := next((one for one in causes if isinstance(one, RenderError)), None):
            raise failed
        if any("name taken" in str(one) for one in causes):
            return (
                f"The cluster has a worker called {name}. Waiting until that is gone;"
                " or give this one another --name."
            )
        if any(isinstance(one, OSError) for one in causes):
            return f"No scheduler answers at {self.scheduler}. Waiting for it."
        raise EngineFailed(f"The worker process did not start: {reason_of(error)}.") from error

    async def _leave(self, nanny: Any, name: str) -> None:
        """Have the worker end its batches, and the cluster give its windows to others; end it."""
        with suppress(*LOST):
            if nanny.status.name == "running":
                await asyncio.wait_for(self._say_goodbye(name), LEAVE_S)
        await nanny.close()

    async def _say_goodbye(self, name: str) -> None:
        client: Any
        async with Client(self.scheduler, asynchronous=True, set_as_default=False) as client:
            # Not the address that the nanny has: of processes that died soon, it may be an old one.
            seen = await client.scheduler.identity(n_workers=-1)
            addresses = [one for one, known in seen["workers"].items() if known["name"] == name]
            if addresses:  # to Dask, none would be all workers of the cluster
                await client.run(end_batches, workers=addresses)
                await client.retire_workers(addresses)

    def _nanny(self, slot: WorkerSlot) -> Any:
        card = own_card(self.engine, slot.device, self.n_encoders)
        return Nanny(
            self.scheduler,
            name=slot.name,
            host=loopback_of(self.scheduler),
            dashboard_address=f"{LOOPBACK}:0",  # of that web server, which always listens
            nthreads=WINDOWS_AT_ONCE,
            resources={card.resource: WINDOWS_AT_ONCE},
            memory_limit="0",  # the engine's memory is none of Dask's
            env={**slot.environment},
            plugins=(EnginePlugin(card, slot, self.stalled_s),),
            startup_information={CARD: partial(told_card, card)},
        )


def loopback_of(scheduler: str) -> str | None:
    """Where workers of a scheduler on loopback listen; None: on all networks of the machine."""
    host = scheduler.rpartition("//")[2].rpartition(":")[0].strip("[]")
    if not is_this_machine(host):
        return None
    return LOOPBACK if host == LOCALHOST else host


async def watch(nanny: Any, is_stopped: Callable[[], bool]) -> None:
    """Return when the worker is stopped, or has lost its scheduler or its process.

    A nanny replaces a process that dies. But if that one dies just as it joins, the nanny takes it
    for running, and has none.
    """
    pid, n_missed = nanny.pid, 0
    while not is_stopped() and nanny.status.name == "running" and n_missed < MAX_MISSED:
        if nanny.pid not in (pid, None):
            LOG.warning("A process of worker %s has ended. Another one took over.", nanny.name)
            pid = nanny.pid
        n_missed = 0 if nanny.pid else n_missed + 1
        await asyncio.sleep(POLL_S)


async def _unless_stopped(nanny: Any, is_stopped: Callable[[], bool]) -> bool:
    """Start a nanny and its process; False if that was stopped meanwhile. Raises what it does."""
    starting = asyncio.ensure_future(nanny)
    while not (await asyncio.wait({starting}, timeout=POLL_S))[0]:
        if is_stopped():
            await _end_start(nanny, starting)
            return False
    starting.result()
    return True


async def _end_start(nanny: Any, starting: asyncio.Future[Any]) -> None:
    """End the process that a nanny starts. If that were cancelled, the nanny could not close."""
    while not starting.done():
        if pid := nanny.pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await asyncio.wait({starting}, timeout=POLL_S)
    starting.exception()  # the nanny says that its process has died


def _causes(error: BaseException) -> list[BaseException]:
    """The error and its causes: Dask tells what is wrong as the cause of a cause."""
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return causes
