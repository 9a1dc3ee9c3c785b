"""Which workers of the cluster may have windows of one engine, and why the others may not.

    unfit         another version, engine, weights or store: never in this run
    set aside     it could not use the store: not for a minute
    silent        it gives no sign of life: not until it does
    slots         how many windows a worker takes at once

All of it is looked at once for each answer of the scheduler, not once for each window.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from audiomill.flows.cluster.connection import LOST, SchedulerConnection, WorkerSeen
from audiomill.flows.cluster.engine_plugin import NAME
from audiomill.flows.cluster.remote_window import Ending, Outcome, WorkerUnfit, check_identity
from audiomill.flows.cluster.worker_card import WorkerCard, own_ffmpeg, unfit_reason
from audiomill.flows.execution.executor import ExecutorError
from audiomill.renderers.engine.errors import StoreError, first_line, reason_of
from audiomill.renderers.store.store import open_store

ASIDE_S = 60.0  # for which a worker that could not use the store gets no windows
STORE_PATIENCE_S = 300.0  # in which no worker could use the store


class NoWorker(ExecutorError):
    """No worker of the cluster can render what is asked for."""


class UsableWorkers:
    """The workers of a connection that may have windows of `engine`."""

    def __init__(
        self,
        connection: SchedulerConnection,
        engine: str,
        tell: Callable[[str], None],
        within_s: float,
    ) -> None:
        """A run that has no usable worker for `within_s` seconds ends."""
        self._connection = connection
        self._engine = engine
        self._command = f"audiomill worker --scheduler {connection.address} --engine {engine}"
        self._tell = tell
        self._within_s = within_s
        self._unfit: dict[str, str] = {}  # why, by address
        self._aside: dict[str, tuple[float, StoreError]] = {}  # until when, and why, by address
        self._quiet: frozenset[str] = frozenset()  # addresses of whom that was told
        self._no_store_since: float | None = None
        self._none_since: float | None = None
        self._now: tuple[WorkerSeen, ...] = ()
        self.look()

    def __bool__(self) -> bool:
        return bool(self._now)

    def look(self) -> None:
        """Find out who is usable now: when workers may have changed, and as time passes."""
        now = time.monotonic()
        self._now = tuple(
            worker
            for worker in self._connection.workers.values()
            if not self._unfitness(worker)
            and not worker.is_silent
            and self._aside.get(worker.address, (0.0, None))[0] <= now
        )

        self._tell_of_heartbeats()

    def _tell_of_heartbeats(self) -> None:
        """Say who gives no sign of life any more, and who does again."""
        seen = self._connection.workers
        fit = {address: one for address, one in seen.items() if not self._unfitness(one)}
        quiet = frozenset(address for address, one in fit.items() if one.is_quiet)
        for address in sorted(quiet - self._quiet):
            self._tell(
                f"{name_of(fit[address])} gives no sign of life. If it stays so, other workers take"
                " its windows."
            )
        for address in sorted(self._quiet & fit.keys() - quiet):
            self._tell(f"{name_of(fit[address])} is there again.")
        self._quiet = quiet

    @property
    def now(self) -> tuple[WorkerSeen, ...]:
        """Those who may have windows now."""
        return self._now

    def n_slots(self, resource: str) -> int:
        """How many windows they take at once."""
        return int(sum(worker.slots.get(resource, 0.0) for worker in self._now))

    def note(self, outcome: Outcome) -> None:
        """Remember what the outcome of a window tells of its worker."""
        if outcome.ending is Ending.DONE:
            self._no_store_since = None
        elif outcome.ending is Ending.UNFIT and outcome.worker not in self._unfit:
            self._unfit[outcome.worker] = str(outcome.error)
            self._tell(f"{outcome.machine} gets no windows: {outcome.error}.")
            self.look()
        elif outcome.ending is Ending.NO_STORE and isinstance(outcome.error, StoreError):
            self._set_aside(outcome, outcome.error)
            self.look()

    def _set_aside(self, outcome: Outcome, error: StoreError) -> None:
        now = time.monotonic()
        self._no_store_since = self._no_store_since or now
        self._aside[outcome.worker] = (now + ASIDE_S, error)
        self._tell(f"{outcome.machine} gets no windows for a minute: {reason_of(error)}.")

    def check(self) -> None:
        """Say so if no worker can take the window that asks.

        Raises NoWorker if all are unfit, or none comes; StoreError if none can use the store.
        """
        if self._now:
            self._none_since = None
            return
        self._raise_if_none_can()
        now = time.monotonic()
        if self._none_since is None:
            self._none_since = now
            self._tell(f"Waiting for a worker: {self._command}")
        if now - self._none_since > self._within_s:
            raise NoWorker(
                f"No worker came within {self._within_s:.0f} s. Start one: {self._command}"
            )

    def _raise_if_none_can(self) -> None:
        """Raise NoWorker if all workers are unfit; StoreError if none has the store."""
        seen = self._connection.workers
        reasons = {address: self._unfitness(one) for address, one in seen.items()}
        if seen and all(reasons.values()):
            words = "; ".join(
                f"{name_of(seen[address])}: {reason}" for address, reason in reasons.items()
            )
            raise NoWorker(
                f"No worker of {self._connection.address} can render this. {words}. Start one that"
                f" can, from the same audiomill and with the same store: {self._command}"
            )
        since = self._no_store_since
        if since is not None and time.monotonic() - since > STORE_PATIENCE_S:
            raise next(error for _, error in self._aside.values())

    def _unfitness(self, worker: WorkerSeen) -> str:
        """Why a worker is unfit for this run; "" if it is not known to be."""
        return self._unfit.get(worker.address, "") or unfit_reason(worker.card, self._engine)

    def allowed(self, failed: Mapping[str, Outcome]) -> tuple[str, ...] | None:
        """The workers that a window may go to which has failed on these, by address.

        None: all may have it, those that come later included.
        """
        others = self.elsewhere(failed)
        if failed and others:
            return others
        seen = self._connection.workers
        silent = {address for address, one in seen.items() if one.is_silent}
        known = {*self._unfit, *self._aside, *silent} & seen.keys()
        return _addresses(self._now) if known and self._now else None

    def elsewhere(self, failed: Mapping[str, Outcome]) -> tuple[str, ...]:
        """Those on machines where a window has not failed; else other ones on the same."""
        machines = {outcome.machine for outcome in failed.values()}
        others = tuple(one for one in self._now if one.address not in failed)
        return _addresses(one for one in others if _machine_of(one) not in machines) or _addresses(
            others
        )

    def have_left(self, addresses: Collection[str]) -> bool:
        """Whether none of these is there any more, or gives a sign of life."""
        return all(self._connection.is_silent(one) for one in addresses)


def name_of(worker: WorkerSeen) -> str:
    """A worker's name and machine, for people."""
    machine = _machine_of(worker)
    return f"{worker.name} on {machine}" if machine and machine not in worker.name else worker.name


def _machine_of(worker: WorkerSeen) -> str:
    return worker.card.machine if worker.card else ""


def _addresses(workers: Iterable[WorkerSeen]) -> tuple[str, ...]:
    return tuple(worker.address for worker in workers)


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
