"""Runs worker processes that render for a cluster, one for each GPU, until they are stopped.

    audiomill worker ─┬─ nanny ── worker process: CUDA_VISIBLE_DEVICES=0, engine, two windows
                      └─ nanny ── worker process: CUDA_VISIBLE_DEVICES=1, …

Dask's nannies start the processes and replace those that die. If the scheduler goes away, the
nannies end too; new ones wait until it is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import dask.config
from distributed import Client, Nanny

from audiomill.flows.cluster.connection import LOST
from audiomill.flows.cluster.engine_plugin import EnginePlugin, end_batches, told_card
from audiomill.flows.cluster.worker_card import CARD, own_card
from audiomill.flows.cluster.worker_slots import WorkerSlot

LOG = logging.getLogger("audiomill")
# The environment of a worker process: of Dask's lines it prints only what is wrong. This replaces
# Dask's own choice of one thread for OpenMP, with which PyTorch would use one core only.
PRE_SPAWN = {"distributed.nanny.pre-spawn-environ": {"DASK_LOGGING__DISTRIBUTED": "error"}}
# The engine renders one window while another waits for the store.
WINDOWS_AT_ONCE = 2
POLL_S = 0.2
RETRY_S = 1.0
LEAVE_S = 15.0  # for which the cluster is told that a worker leaves, before it does


@dataclass(frozen=True, slots=True)
class WorkerService:
    """Worker processes on this machine, for one scheduler and one engine."""

    scheduler: str
    engine: str
    slots: Sequence[WorkerSlot]
    stalled_s: float  # after which a window that ends no batch ends its process

    def run(self, is_stopped: Callable[[], bool]) -> None:
        """Serve until `is_stopped`. Raises RenderError if the engine cannot be loaded."""
        with dask.config.set(PRE_SPAWN):
            asyncio.run(self._run(is_stopped))

    async def _run(self, is_stopped: Callable[[], bool]) -> None:
        async with asyncio.TaskGroup() as group:
            for slot in self.slots:
                group.create_task(self._keep(slot, is_stopped))

    async def _keep(self, slot: WorkerSlot, is_stopped: Callable[[], bool]) -> None:
        """Keep one worker process running."""
        told = False
        while not is_stopped():
            nanny = self._nanny(slot)
            try:
                await nanny
            except (TimeoutError, OSError) as error:
                if not told:
                    told = True
                    LOG.warning("No scheduler at %s yet (%s). Waiting.", self.scheduler, error)
                await nanny.close()
                await asyncio.sleep(RETRY_S)
                continue
            told = False
            LOG.warning("Worker %s has joined %s.", slot.name, self.scheduler)
            while not is_stopped() and nanny.status.name == "running":
                await asyncio.sleep(POLL_S)
            await self._leave(nanny)

    async def _leave(self, nanny: Any) -> None:
        """Have the worker end its batches, and the cluster give its windows to others; end it."""
        with suppress(*LOST):
            if nanny.status.name == "running":
                await asyncio.wait_for(self._say_goodbye(nanny.worker_address), LEAVE_S)
        await nanny.close()

    async def _say_goodbye(self, address: str) -> None:
        async with Client(self.scheduler, asynchronous=True, set_as_default=False) as client:
            await client.run(end_batches, workers=[address])
            await client.retire_workers([address])

    def _nanny(self, slot: WorkerSlot) -> Any:
        card = own_card(self.engine, slot.device)
        return Nanny(
            self.scheduler,
            name=slot.name,
            nthreads=WINDOWS_AT_ONCE,
            resources={card.resource: WINDOWS_AT_ONCE},
            memory_limit="0",  # the engine's memory is none of Dask's
            env={**slot.environment},
            plugins=(EnginePlugin(card, slot.options, self.stalled_s),),
            startup_information={CARD: partial(told_card, card)},
        )
