"""A lasting connection to a Dask scheduler, in an event loop and a thread of its own.

    flow's threads ── call(coroutine) ─▶ event loop ── Dask's client ─▶ scheduler ─▶ workers

If the scheduler goes away, everything that it had is lost to its clients. So a task raises
`SchedulerLost`, and `client` waits until there is a scheduler again, at the same address.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent import futures
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar, cast

from distributed import Client, Security
from distributed.comm.core import CommClosedError, connect

from audiomill.flows.cluster.heartbeats import Heartbeats
from audiomill.flows.cluster.worker_card import CARD, WorkerCard, read_card
from audiomill.flows.execution.executor import ExecutorError
from audiomill.renderers.engine.errors import first_line

T = TypeVar("T")

CONNECT_S = 5.0
AWAY_S = 300.0  # without a scheduler, after which the run ends
TELL_AFTER_S = 5.0
LOOK_EVERY_S = 1.0
# What Dask raises for what it has lost. Time-outs and closed connections are OSErrors, too.
LOST = (futures.CancelledError, OSError)


class SchedulerUnreachable(ExecutorError):
    """No Dask scheduler answers at the address."""


class SchedulerLost(Exception):
    """The scheduler went away, or dropped a task: the task may be given to it again."""


class WorkerLost(SchedulerLost):
    """A worker went away, or sends no heartbeat, with what it was at."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is lost")
        self.address = address


@dataclass(frozen=True, slots=True)
class WorkerSeen:
    """A worker as the scheduler knows it."""

    address: str
    name: str
    card: WorkerCard | None  # None: it is no worker of ours
    slots: Mapping[str, float]  # by the name of the resource
    is_quiet: bool = False  # it has sent no heartbeat for some seconds
    is_silent: bool = False  # for so long that others should have its work


class SchedulerConnection:
    """A client of the scheduler at `address`. `tell` shows the user a line."""

    def __init__(self, address: str, tell: Callable[[str], None]) -> None:
        self.address = address
        self.workers: Mapping[str, WorkerSeen] = {}  # by address
        self.stuck: frozenset[Any] = frozenset()  # keys of tasks that silent workers have
        self.on_workers: list[Callable[[], None]] = []  # called when they may have changed
        self._tell = tell
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_log_quietly)
        self._thread = threading.Thread(target=self._loop.run_forever, name="cluster", daemon=True)
        self._client: Any = None
        self._scheduler_id = ""
        self._heartbeats = Heartbeats()
        self._topics: dict[str, Callable[[Any], None]] = {}
        self._watch: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()

    def __enter__(self) -> Self:
        """Connect. Raises SchedulerUnreachable."""
        self._thread.start()
        try:
            self.call(self._begin()).result()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.call(self._end()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, coroutine: Coroutine[Any, Any, T]) -> futures.Future[T]:
        """Run a coroutine in the event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def subscribe(self, topic: str, handle: Callable[[Any], None]) -> None:
        """Have events of a topic handled, in the event loop. To be called before connecting."""
        self._topics[topic] = handle

    async def client(self) -> Any:
        """Dask's client, connected. Waits for a scheduler that is away.

        Raises SchedulerUnreachable if none answers for five minutes.
        """
        async with self._opening:
            started, was_away = time.monotonic(), False
            while not self.is_up:
                away_s = time.monotonic() - started
                if away_s > AWAY_S:
                    raise self.unreachable()
                if away_s > TELL_AFTER_S and not was_away:
                    was_away = True
                    self._tell(
                        f"The scheduler {self.address} is away. Waiting for it, for"
                        f" {AWAY_S / 60:.0f} minutes at most; what is stored is kept."
                    )
                await self._open_again()
            if was_away:
                self._tell(f"The scheduler {self.address} is there again.")
        return self._client

    @property
    def is_up(self) -> bool:
        """Whether there is a scheduler now."""
        return self._client is not None and self._client.status == "running"

    def is_silent(self, address: str) -> bool:
        """Whether a worker sends no heartbeat, or has left."""
        worker = self.workers.get(address)
        return worker is None or worker.is_silent

    def submit(self, function: Callable[[bytes], object], data: bytes, **options: object) -> Any:
        """Dask's future of a task. To be called in the event loop. Raises SchedulerLost."""
        if not self.is_up:
            raise SchedulerLost("the scheduler is away")
        try:
            return self._client.submit(function, data, pure=False, **options)
        except (OSError, RuntimeError, AttributeError) as error:  # it has just lost its scheduler
            raise SchedulerLost(str(error)) from error

    async def run_at(
        self, address: str, function: Callable[..., Coroutine[Any, Any, T]], *arguments: object
    ) -> T:
        """The result of `function` at a worker, where it runs beside all queues of Dask.

        Raises SchedulerLost if there is no answer, and what the function raises.
        """
        if not self.is_up:
            raise SchedulerLost("the scheduler is away")
        try:
            answers = await self._client.run(function, *arguments, workers=[address])
        except LOST as error:
            raise SchedulerLost(first_line(error)) from error
        return cast("T", answers[address])

    async def result(self, future: Any) -> Any:
        """The result of a Dask future. Raises SchedulerLost, and what the task raised."""
        try:
            return await future
        except (futures.CancelledError, CommClosedError) as error:
            raise SchedulerLost(first_line(error)) from error

    async def _begin(self) -> None:
        try:
            self._client = await self._new_client()
            await self._look()
        except (OSError, ValueError) as error:
            raise self.unreachable() from error
        self._watch = asyncio.create_task(self._keep_looking())

    async def _end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        if self._client is not None:
            with suppress(*LOST):
                await self._client.close(timeout=CONNECT_S)
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    def unreachable(self) -> SchedulerUnreachable:
        """The error of a scheduler that does not answer."""
        return SchedulerUnreachable(
            f"No Dask scheduler answers at {self.address}. Start one there (dask scheduler), or"
            " correct AUDIOMILL_DASK_SCHEDULER."
        )

    async def _new_client(self) -> Any:
        if not await is_scheduler(self.address):
            raise TimeoutError(f"{self.address} does not answer")
        return await Client(
            self.address,
            asynchronous=True,
            timeout=CONNECT_S,
            set_as_default=False,
            name="audiomill",
        )

    async def _open_again(self) -> None:
        """Give the client time to connect again; replace it if it has given up."""
        if self._client is not None and self._client.status == "connecting":
            await asyncio.sleep(0.1)
            return
        if self._client is not None:
            with suppress(*LOST):
                await self._client.close(timeout=CONNECT_S)
        try:
            self._client = await self._new_client()
        except OSError:
            await asyncio.sleep(LOOK_EVERY_S)

    async def _keep_looking(self) -> None:
        """Look who is there, again and again."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            async with self._opening:
                if not self.is_up:
                    await self._open_again()
                    continue
            try:
                await self._look()
            except LOST as error:
                logging.getLogger("audiomill").debug("the scheduler: %s", error)

    async def _look(self) -> None:
        """Ask the scheduler for all its workers. A new scheduler is told of our topics."""
        seen = await self._client.scheduler.identity(n_workers=-1)
        if seen["id"] != self._scheduler_id:
            self._scheduler_id = seen["id"]
            for topic, handle in self._topics.items():
                self._client.subscribe_topic(topic, partial(_handle_event, handle))
        self._heartbeats.look({one: known["last_seen"] for one, known in seen["workers"].items()})
        self.workers = {
            address: WorkerSeen(
                address,
                str(known["name"]),
                read_card(known.get(CARD)),
                known["resources"],
                self._heartbeats.is_quiet(address),
                self._heartbeats.is_silent(address),
            )
            for address, known in seen["workers"].items()
        }
        self.stuck = await self._tasks_of([one for one in self.workers if self.is_silent(one)])
        for notify in self.on_workers:
            notify()

    async def _tasks_of(self, addresses: Sequence[str]) -> frozenset[Any]:
        """The keys of all tasks that these workers have."""
        if not addresses:
            return frozenset()
        with suppress(KeyError):  # one has left since
            tasks = await self._client.scheduler.processing(workers=addresses)
            return frozenset(key for keys in tasks.values() for key in keys)
        return frozenset()


async def is_scheduler(address: str) -> bool:
    """Whether a server of Dask's answers soon. Dask itself waits eight minutes for a silent one.

    Raises SchedulerUnreachable if Dask is not set up for the protocol of the address.
    """
    arguments: dict[str, Any] = Security().get_connection_args("client")
    try:
        async with asyncio.timeout(CONNECT_S):
            comm = await connect(address, **arguments)
    except OSError:
        return False
    except TypeError as error:  # no certificates for tls, or a protocol that is not installed
        raise SchedulerUnreachable(
            f"Dask is not set up here for {address} ({first_line(error)}). Configure it as"
            " Dask's documents say, or take an address of tcp://."
        ) from error
    comm.abort()
    return True


def _log_quietly(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log what Dask has not waited for, for example a connection that ends as we leave."""
    logging.getLogger("audiomill").debug("the scheduler: %s", context)


def _handle_event(handle: Callable[[Any], None], event: tuple[float, Any]) -> None:
    """Handle an event of Dask's, which is a time and a message."""
    handle(event[1])
