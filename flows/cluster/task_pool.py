"""Runs parts of a book's stages in child processes here, and at workers while all cores are busy.

    encoding threads ─▶ ClusterPool ─┬─ a core is free ─▶ ProcessPool
                                     └─ none is ─▶ a worker's child process

A task is a function and plain data, with the URL of the store: a region to encode, for example. Its
result comes back through the scheduler: 2 MB for five minutes of AAC. What a worker does not do is
done here, so a worker may lack the store, or die, and nothing is lost.

Tasks are no tasks of Dask's. In a worker's queue they and windows would wait for each other, and
Dask would take a worker whose GPU is busy for idle, because it counts threads.
"""

from __future__ import annotations

import asyncio
import pickle
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent import futures
from threading import Condition
from typing import Any, Self, TypeVar, cast

from audiomill.flows.cluster.connection import SchedulerConnection, SchedulerLost
from audiomill.flows.cluster.on_worker import TaskAnswer, TaskOrder, do_on_worker
from audiomill.flows.cluster.usable_workers import name_of
from audiomill.inputs.own_code import code_digest
from audiomill.outputs.ffmpeg.find_ffmpeg import ffmpeg_build
from audiomill.outputs.formats.region_tasks import RegionTask
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.process_pool import ProcessPool, Task, TaskPool

T = TypeVar("T")
Argument = TypeVar("Argument")

POLL_S = 0.25
HERE = ""  # the place of a task that is no worker's address
MAX_FAULTS = 3  # tasks in a row that a worker could not do: then it gets no more
MAX_ELSEWHERE = 64  # tasks at workers at a time: each result waits here for those before it
SILENT = "it gives no sign of life"
GIVE_UP_S = 300.0  # for a task, which takes seconds


class TaskPlaces:
    """Where all books of a run have tasks done: this machine's cores, and workers' encoders.

    Thread-safe.
    """

    def __init__(
        self,
        connection: SchedulerConnection,
        stores: Mapping[str, str],
        tell: Callable[[str], None],
    ) -> None:
        """`stores` has the identities of the run's stores, by their location."""
        self._connection = connection
        self._stores = stores
        self._tell = tell
        self._n_busy = Counter[str]()  # by place
        self._n_faults = Counter[str]()  # in a row, by address
        self._changed = Condition()

    def n_elsewhere(self) -> int:
        """How many tasks workers can have now."""
        return min(MAX_ELSEWHERE, sum(self._free_encoders("").values()))

    def take(self, ffmpeg: str, check: Callable[[], None]) -> str:
        """Take a place as soon as one is free: here if possible, else a worker's, by its address.

        `ffmpeg` is the build that a worker must have; "" for any.
        """
        with self._changed:
            while not self._is_free_here():
                free = self._free_encoders(ffmpeg)
                if free and self._n_busy.total() - self._n_busy[HERE] < MAX_ELSEWHERE:
                    address = max(free, key=lambda one: free[one])
                    self._n_busy[address] += 1
                    return address
                self._wait(check)
            self._n_busy[HERE] += 1
            return HERE

    def take_here(self, check: Callable[[], None]) -> None:
        """Take a place of this machine as soon as one is free."""
        with self._changed:
            while not self._is_free_here():
                self._wait(check)
            self._n_busy[HERE] += 1

    def give_back(self, place: str) -> None:
        """Free a place that was taken."""
        with self._changed:
            self._n_busy[place] -= 1
            self._changed.notify_all()

    def answer(self, address: str, data: bytes, check: Callable[[], None]) -> TaskAnswer:
        """A worker's result of the task in `data`. Raises what `check` raises."""
        order = TaskOrder(data, dict(self._stores))
        running = self._connection.call(self._answer(address, order))
        try:
            while not (is_done := bool(futures.wait({running}, POLL_S).done)):
                check()
                if self._connection.is_silent(address):
                    break
            answer = running.result() if is_done else TaskAnswer(refusal=SILENT)
        finally:
            running.cancel()
        self._note(address, answer)
        return answer

    async def _answer(self, address: str, order: TaskOrder) -> TaskAnswer:
        running = self._connection.run_at(address, do_on_worker, order)
        try:
            return await asyncio.wait_for(running, GIVE_UP_S)
        except TimeoutError:
            return TaskAnswer(refusal=f"no result within {GIVE_UP_S:.0f} s", is_fault=True)
        except SchedulerLost as error:
            return TaskAnswer(refusal=str(error))

    def _note(self, address: str, answer: TaskAnswer) -> None:
        """Count what a worker could not do."""
        with self._changed:
            self._n_faults[address] = self._n_faults[address] + 1 if answer.is_fault else 0
            is_over = self._n_faults[address] == MAX_FAULTS
        worker = self._connection.workers.get(address)
        if is_over and worker:
            self._tell(f"{name_of(worker)} encodes nothing of this run: {answer.refusal}.")

    def _is_free_here(self) -> bool:
        return self._n_busy[HERE] < usable_cores()

    def _free_encoders(self, ffmpeg: str) -> dict[str, int]:
        """How many tasks each worker can have, by its address, if any."""
        if not self._connection.is_up:
            return {}
        code = code_digest()
        there = self._connection.workers.values()
        cards = {one.address: one.card for one in there if not one.is_silent}
        free = {
            address: card.n_encoders - self._n_busy[address]
            for address, card in cards.items()
            if card
            and not self._connection.is_silent(address)
            and card.code == code
            and ffmpeg in ("", card.ffmpeg)
        }
        return {
            address: n
            for address, n in free.items()
            if n > 0 and self._n_faults[address] < MAX_FAULTS
        }

    def _wait(self, check: Callable[[], None]) -> None:
        self._changed.wait(POLL_S)
        check()


class ClusterPool:
    """A book's own child processes, and the places that its run has."""

    def __init__(self, local: ProcessPool, places: TaskPlaces) -> None:
        self._local = local
        self._places = places

    def __reduce__(self) -> tuple[Callable[..., TaskPool], tuple[int]]:
        return self._local.__reduce__()  # whoever unpickles it has no connection

    def __enter__(self) -> Self:
        self._local.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._local.__exit__(*error)

    @property
    def n_elsewhere(self) -> int:
        """Implement `TaskPool.n_elsewhere`."""
        return self._places.n_elsewhere()

    def prepare(self) -> None:
        """Implement `TaskPool.prepare`."""
        self._local.prepare()

    def do(self, task: Task[Argument, T], argument: Argument, check: Callable[[], None]) -> T:
        """Implement `TaskPool.do`."""
        place = HERE
        if isinstance(argument, RegionTask) and argument.stays_here:
            self._places.take_here(check)
        else:
            place = self._places.take(_ffmpeg_for(argument), check)
        if place != HERE:
            data = pickle.dumps((task, argument), protocol=pickle.HIGHEST_PROTOCOL)
            try:
                answer = self._places.answer(place, data, check)
            finally:
                self._places.give_back(place)
            if not answer.refusal:
                return cast("T", answer.result)
            self._places.take_here(check)
        try:
            return self._local.do(task, argument, check)
        finally:
            self._places.give_back(HERE)


def _ffmpeg_for(argument: Any) -> str:
    """The build of ffmpeg that the task needs; "" if it needs none."""
    return ffmpeg_build(argument.settings.command[0]) if isinstance(argument, RegionTask) else ""
