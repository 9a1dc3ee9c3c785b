"""One worker for each device, replaced when it fails, and the rows of a batch shared among them.

    rows ─▶ [0 1 2 3 4 5 6 7] ─▶ worker of cuda:0: 0 1 ✗       it is replaced
                              ─▶ worker of cuda:1: 4 5 6 7
            [2] [3]           ─▶ the rows that it still owed, tried again in halves, down to one

What is finished stays. A row that fails alone, in a fresh worker, fails the batch; what is done of
it by then is handed over with the error.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, WeightsUnfit
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.child_process import do_nothing
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.isolated.engine_process import (
    READ_S,
    Clock,
    EngineProcess,
    Launch,
    WorkerFault,
)
from audiomill.renderers.isolated.protocol import Hello, SpokenRow

ATTEMPTS = 2  # with a row alone, of which the last is in a fresh worker
OTHER_SEED = 1  # flips a row's seed where the last of these ends in the engine's own error
LOADS = 2  # of a model, before it counts as one that cannot be loaded
WAIT_S = 0.5


class Stopped(Exception):
    """The batch is of no more use: the run was stopped, or another row has failed."""


class RowsFailed(EngineFailed):
    """A batch failed. `samples`: those of the rows that are done, by their index."""

    def __init__(self, reason: str, samples: Mapping[int, Samples]) -> None:
        super().__init__(reason)
        self.samples = samples


@dataclass
class SharedRows:
    """The rows of one batch: what waits, what is done, and why it failed."""

    rows: list[SpokenRow]
    groups: deque[tuple[int, ...]]  # of indices into `rows`, which one call takes
    samples: dict[int, Samples] = field(default_factory=dict[int, Samples])
    faults: dict[int, int] = field(default_factory=dict[int, int])  # of rows that were alone
    error: BaseException | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> tuple[int, ...]:
        """The indices of rows to speak next; none if nothing waits."""
        with self.lock:
            return self.groups.popleft() if self.groups else ()

    def keep(self, index: int, samples: Samples) -> None:
        """A row is done."""
        with self.lock:
            self.samples[index] = samples

    def give_back(self, group: Sequence[int], fault: WorkerFault, engine: str) -> None:
        """Have what a worker still owed be spoken in halves. Raises EngineFailed for a lone row."""
        with self.lock:
            left = [index for index in group if index not in self.samples]
            if len(group) == 1 and left:
                self._note_fault(group[0], fault, engine)
            middle = len(left) // 2
            self.groups.extendleft(tuple(half) for half in (left[middle:], left[:middle]) if half)

    def _note_fault(self, index: int, fault: WorkerFault, engine: str) -> None:
        """Count a lone row's fault. Raises EngineFailed if it has had enough attempts.

        What an engine draws from a seed may be what its own code cannot take, for example speech
        that ends at once. The last attempt has another seed, which follows from the first one.
        """
        n_faults = self.faults[index] = self.faults.get(index, 0) + 1
        row = self.rows[index]
        if n_faults == ATTEMPTS and fault.kind == "error":
            self.rows[index] = replace(row, seed=row.seed ^ OTHER_SEED)
        elif n_faults >= ATTEMPTS:
            raise EngineFailed(_failure(engine, row.text, fault))

    def fail(self, error: BaseException) -> None:
        """Stop all workers of this batch."""
        with self.lock:
            self.error = self.error or error

    def check(self) -> None:
        """Raise Stopped once the batch has failed."""
        if self.error is not None:
            raise Stopped


def _failure(engine: str, text: str, fault: WorkerFault) -> str:
    shown = text if len(text) <= 60 else f"{text[:60]}…"
    return f"{engine} cannot speak “{shown}”: {fault.shown()}"


class DeviceWorker:
    """A place for the worker of one device. One thread at a time may use it."""

    def __init__(self, engine: str, launch: Launch) -> None:
        self._engine = engine
        self._launch = launch
        self._process: EngineProcess | None = None
        self._lock = threading.Lock()

    @contextmanager
    def held(self, check: Callable[[], None]) -> Generator[None]:
        """Wait until no other thread uses it. Raises what `check` raises."""
        while not self._lock.acquire(timeout=READ_S):
            check()
        try:
            yield
        finally:
            self._lock.release()

    def pids(self) -> list[int]:
        """Its process, if it runs."""
        return [self._process.pid] if self._process and self._process.is_usable else []

    def speak(self, shared: SharedRows, waiter: Waiter) -> None:
        """Speak rows of the batch until none wait. Raises RenderError, Stopped."""
        clock = Clock(waiter.now_s, shared.check)
        while group := shared.take():
            process = self.ready(clock)
            rows = [shared.rows[index] for index in group]
            try:
                for index, samples in zip(group, process.speak(rows, clock), strict=True):
                    shared.keep(index, samples)
            except WorkerFault as fault:
                self.stop()
                shared.give_back(group, fault, self._engine)

    def ready(self, clock: Clock) -> EngineProcess:
        """The worker, its model loaded.

        Raises EngineMissing, WeightsUnfit, EngineFailed, and what the clock raises.
        """
        for attempt in range(1, LOADS + 1):
            if self._process is not None and self._process.is_usable:
                return self._process
            try:
                self._process = EngineProcess(self._launch, clock)
            except WorkerFault as fault:
                is_final = fault.kind in LOAD_ERRORS
                if is_final or attempt == LOADS:
                    raise _load_error(self._engine, self._launch, fault) from fault
        assert self._process is not None  # noqa: S101
        return self._process

    def stop(self) -> None:
        """End the worker; the next row starts another."""
        if self._process is not None:
            self._process.kill()
        self._process = None


# Kinds of faults that another try meets again.
LOAD_ERRORS = {"missing": EngineMissing, "weights": WeightsUnfit}


def _load_error(
    engine: str, launch: Launch, fault: WorkerFault
) -> EngineMissing | WeightsUnfit | EngineFailed:
    """The error of an engine whose model cannot be loaded."""
    error = LOAD_ERRORS.get(fault.kind, EngineFailed)
    install = f" audiomill engines install {engine} repairs its environment."
    hint = install if error is EngineMissing else ""
    return error(f"{engine} cannot load {launch.model}: {fault.shown(hint)}")


class Workers:
    """The workers of an engine, one for each device."""

    def __init__(self, engine: str, launch: Launch, devices: Sequence[str]) -> None:
        self._workers = [DeviceWorker(engine, replace(launch, device=device)) for device in devices]
        self._rows_per_call = launch.rows_per_call

    def hello(self, waiter: Waiter) -> Hello:
        """What the engine can do, which only its model knows.

        Raises RenderError, and what stops the run.
        """
        found: list[Hello] = []

        def load(shared: SharedRows) -> None:
            worker = self._workers[0]
            with worker.held(shared.check):
                found.append(worker.ready(Clock(waiter.now_s, shared.check)).hello)

        _run_in_threads([load], SharedRows([], deque()), waiter)
        return found[0]

    def speak(self, rows: Sequence[SpokenRow], waiter: Waiter) -> list[Samples]:
        """The samples of each row, in order.

        Raises RowsFailed; EngineMissing or WeightsUnfit if a model cannot be loaded; and what stops
        the run.
        """
        shared = SharedRows([*rows], deque(self._groups(len(rows))))
        tasks = [partial(_speak, worker, waiter) for worker in self._workers[: len(shared.groups)]]
        try:
            _run_in_threads(tasks, shared, waiter)
        except EngineFailed as error:
            raise RowsFailed(str(error), shared.samples) from error
        return [shared.samples[index] for index in range(len(rows))]

    def stop(self) -> None:
        """End all workers."""
        for worker in self._workers:
            with worker.held(do_nothing):
                worker.stop()

    def pids(self) -> list[int]:
        """The processes that run."""
        return [pid for worker in self._workers for pid in worker.pids()]

    def _groups(self, n_rows: int) -> list[tuple[int, ...]]:
        """The rows of each request to a worker: all of them if there is only one worker."""
        n_calls = -(-n_rows // self._rows_per_call)
        n_groups = 1 if len(self._workers) == 1 else n_calls
        size = -(-n_rows // n_groups)
        return [tuple(range(first, min(first + size, n_rows))) for first in range(0, n_rows, size)]


def _speak(worker: DeviceWorker, waiter: Waiter, shared: SharedRows) -> None:
    with worker.held(shared.check):
        worker.speak(shared, waiter)


def _run_in_threads(
    tasks: Sequence[Callable[[SharedRows], None]], shared: SharedRows, waiter: Waiter
) -> None:
    """Run all tasks, each in a thread, while this one waits. The first error stops them all.

    The threads do not know the waiter's run: only this one may be told that it is stopped.
    """
    done = threading.Semaphore(0)
    ended = threading.Event()

    def run(task: Callable[[SharedRows], None]) -> None:
        try:
            task(shared)
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 - raised in the thread that waits
            shared.fail(error)
        finally:
            done.release()
            ended.set()

    threads = [threading.Thread(target=run, args=(task,), daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    try:
        n_running = len(threads)
        while n_running:
            ended.clear()
            while n_running and done.acquire(blocking=False):
                n_running -= 1
            if n_running:
                waiter.wait(ended, WAIT_S)
    except BaseException as error:
        shared.fail(error)
        raise
    finally:
        for thread in threads:
            thread.join()
    if shared.error is not None:
        raise shared.error
