"""Who is in a cluster, with what, and what keeps a worker from rendering: for `doctor`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from audiomill.flows.cluster.connection import LOST, SchedulerConnection, WorkerSeen
from audiomill.flows.cluster.engine_plugin import NAME
from audiomill.flows.cluster.remote_window import WorkerUnfit, check_identity
from audiomill.flows.cluster.worker_card import WorkerCard, own_ffmpeg, unfit_reason
from audiomill.renderers.engine.errors import StoreError, first_line, reason_of
from audiomill.renderers.store.store import open_store


@dataclass(frozen=True, slots=True)
class WorkerFound:
    """A worker, in words; and why no window of this machine can go to it, if so."""

    name: str
    words: str
    unfit: str  # "" if it can render


def survey(connection: SchedulerConnection, engine: str, store: str) -> tuple[WorkerFound, ...]:
    """All workers, as a run of `engine` with this store would find them, by name.

    Raises SchedulerUnreachable.
    """
    used = open_store(store)
    asked = _ask_workers(connection, used.absolute_location, used.give_identity())
    stores = connection.call(asked).result()
    found = (
        WorkerFound(
            worker.name,
            _described(worker),
            unfit_reason(worker.card, engine) or stores.get(worker.address, ""),
        )
        for worker in connection.workers.values()
    )
    return tuple(sorted(found, key=lambda one: one.name))


async def _ask_workers(
    connection: SchedulerConnection, store: str, identity: str
) -> dict[str, str]:
    """The reason why each worker cannot use the store, by its address; "" if it can."""
    client = await connection.client()
    try:
        answers = await client.run(store_problem, store, identity, on_error="return")
    except LOST:
        return {}
    return {
        address: first_line(one) if isinstance(one, Exception) else str(one)
        for address, one in answers.items()
    }


async def store_problem(store: str, identity: str, dask_worker: Any) -> str:
    """On a worker: why it cannot use the store of the flow; "" if it can."""
    if NAME not in dask_worker.plugins:
        return ""
    try:
        check_identity(store, await asyncio.to_thread(open_store(store).identity), identity)
    except (StoreError, WorkerUnfit) as error:
        return reason_of(error)
    return ""


def _described(worker: WorkerSeen) -> str:
    card = worker.card
    if card is None:
        return "a worker of Dask"
    n_windows = worker.slots.get(card.resource, 0.0)
    return (
        f"{card.engine} on {card.device} of {card.machine}, {n_windows:.0f} windows at once,"
        f" {card.n_encoders} encoder{'s'[: card.n_encoders != 1]}{_unlike_ours(card)},"
        f" audiomill {card.version} {card.code[:12]}, Python {card.python}"
    )


def _unlike_ours(card: WorkerCard) -> str:
    """The work that encoders cannot do for this machine, for people; "" if they can do all."""
    is_alike = card.ffmpeg == own_ffmpeg()
    return "" if is_alike else " (their ffmpeg is another one: they only measure)"
