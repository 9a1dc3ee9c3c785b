"""Runs parts of a book's stages in child processes here, and at workers while those are busy.

    encoding threads ─▶ ClusterPool ─┬─ a child is free ─▶ ProcessPool
                                     └─ none is ─▶ RemoteTasks ─▶ a worker's child process

A task is a function and plain data, with the URL of the store: a region to encode, for example.
Its result comes back through the scheduler: 2 MB for five minutes of AAC. What a worker cannot do
is done here, so a worker may lack the store, or die, and nothing is lost.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Callable
from concurrent import futures
from threading import Condition
from typing import Any, Self, TypeVar
from uuid import uuid4

from distributed import KilledWorker

from audiomill.flows.cluster.connection import SchedulerConnection, SchedulerLost
from audiomill.flows.cluster.on_worker import do_on_worker
from audiomill.flows.cluster.worker_card import code_digest, encoder_resource, own_ffmpeg
from audiomill.renderers.base import first_line
from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.host.process_pool import ProcessPool, Task

T = TypeVar("T")
Argument = TypeVar("Argument")

LOG = logging.getLogger("audiomill")
POLL_S = 0.1
MAX_REFUSED = 3  # tasks in a row that workers could not do: then no more are sent
GIVE_UP_S = 600.0  # for one task, which takes seconds


class RemoteTasks:
    """Tasks at the workers that have the code and the ffmpeg of this machine. Thread-safe."""

    def __init__(self, connection: SchedulerConnection, priority: int) -> None:
        """Of those behind `connection`. Tasks of a higher priority go first."""
        self._connection = connection
        self._priority = priority
        self._resource = encoder_resource(code_digest(), own_ffmpeg())
        self._n_busy = 0
        self._n_refused = 0  # since the last that was done
        self.changed = Condition()  # notified when a task has ended

    @property
    def n_places(self) -> int:
        """How many tasks they run at the same time."""
        if self._n_refused >= MAX_REFUSED or not self._connection.is_up:
            return 0
        workers = self._connection.workers.values()
        return int(sum(worker.slots.get(self._resource, 0.0) for worker in workers))

    def take_place(self) -> bool:
        """Take a place if one is free. `changed` must be held."""
        is_free = self._n_busy < self.n_places
        self._n_busy += is_free
        return is_free

    def give_back(self) -> None:
        """Free a place that was taken."""
        with self.changed:
            self._n_busy -= 1
            self.changed.notify_all()

    def do(self, task: Task[Argument, T], argument: Argument, check: Callable[[], None]) -> T:
        """The result of a task at a worker. Raises RunLocally, and what `check` raises."""
        running = self._connection.call(self._result(task, argument))
        try:
            while not futures.wait({running}, POLL_S).done:
                check()
                if not self.n_places:
                    raise RunLocally("the last worker that could do it has left")
            return running.result()
        finally:
            running.cancel()

    async def _result(self, task: Task[Argument, T], argument: Argument) -> T:
        data = pickle.dumps((task, argument), protocol=pickle.HIGHEST_PROTOCOL)
        name = getattr(task, "__name__", "task").replace("_", "-")
        try:
            future = self._connection.submit(
                do_on_worker,
                data,
                key=f"{name}-{uuid4().hex}",
                resources={self._resource: 1},
                priority=self._priority,
            )
            try:
                answer = await asyncio.wait_for(self._connection.result(future), GIVE_UP_S)
            finally:
                future.release()
        except (SchedulerLost, KilledWorker, TimeoutError) as error:
            raise RunLocally(first_line(error)) from error
        self._n_refused = 0 if answer.error is None else self._n_refused + 1
        return answer.value()


class ClusterPool:
    """A book's own child processes, and all the places that a run has at workers."""

    def __init__(self, local: ProcessPool, remote: RemoteTasks) -> None:
        self._local = local
        self._remote = remote
        self._n_here = 0

    def __reduce__(self) -> Any:
        return self._local.__reduce__()

    def __enter__(self) -> Self:
        self._local.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._local.__exit__(*error)

    @property
    def n_elsewhere(self) -> int:
        """Implement `TaskPool.n_elsewhere`."""
        return self._remote.n_places

    def do(self, task: Task[Argument, T], argument: Argument, check: Callable[[], None]) -> T:
        """Implement `TaskPool.do`."""
        if self._is_for_here(check):
            try:
                return self._local.do(task, argument, check)
            finally:
                self._leave()
        try:
            return self._remote.do(task, argument, check)
        except RunLocally as error:
            LOG.debug("No worker did a task, so it is done here: %s", error)
        finally:
            self._remote.give_back()
        return self._local.do(task, argument, check)

    def _is_for_here(self, check: Callable[[], None]) -> bool:
        """Take a place as soon as one is free: here if possible, else at a worker."""
        with self._remote.changed:
            while True:
                if self._n_here < self._local.n:
                    self._n_here += 1
                    return True
                if self._remote.take_place():
                    return False
                self._remote.changed.wait(POLL_S)
                check()

    def _leave(self) -> None:
        with self._remote.changed:
            self._n_here -= 1
            self._remote.changed.notify_all()
