"""Runs functions in child processes to avoid GIL contention; falls back to this process.

    thread ─▶ TaskProcess ── task, argument ─▶ child: task(argument, through)
           ◀──────────────── its result ──────

Joining, measuring and mastering audio are thousands of short NumPy calls. Two threads that do so
take twice the processor time of one and hold up the thread that renders; two processes do not.
Knows nothing of the tasks. A task that a child cannot do, or dies of, is run in this process.
"""

from __future__ import annotations

import importlib
import logging
import os
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from queue import Empty, LifoQueue
from typing import Generic, Protocol, Self, TypeVar, cast

from audiomill.renderers.host.child_process import (
    POLL_S,
    CancellableIter,
    ChildDied,
    ChildProcess,
    RunLocally,
    exit_on_sigterm,
)
from audiomill.renderers.host.malloc import limit_malloc_arenas

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Argument = TypeVar("Argument")
Argument_contra = TypeVar("Argument_contra", contravariant=True)

LOG = logging.getLogger("audiomill")
MAX_DEATHS = 3  # of children in a row, without a result between: then no child can work here
# The arrays of a task are short: more threads cost more than they gain.
ONE_THREAD: Mapping[str, str] = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


class Task(Protocol[Argument_contra, T_co]):
    """A function that a child can import. Its argument and its result are pickled."""

    def __call__(self, argument: Argument_contra, through: CancellableIter, /) -> T_co:
        """Run the task, with its main loop `through` the iterator.

        Raises RunLocally if it needs the parent process.
        """
        ...


@dataclass(frozen=True, slots=True)
class TaskResult(Generic[T]):
    """The result of a task, or the error that it raised."""

    result: T | None
    error: BaseException | None

    def value(self) -> T:
        """The result. Raises the error."""
        if self.error is not None:
            raise self.error
        return cast("T", self.result)


class TaskPool(Protocol):
    """Runs tasks, somewhere. Entered once, and left when no task runs any more."""

    @property
    def n_elsewhere(self) -> int:
        """How many tasks it can run now without a core of this machine."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def prepare(self) -> None:
        """Begin what the first task would wait for."""
        ...

    def do(self, task: Task[Argument, T], argument: Argument, check: Callable[[], None]) -> T:
        """Return `task(argument, through)`, run somewhere. Waits until there is room.

        `check` is called often; what it raises ends the task. Raises that, and what the task
        raises.
        """
        ...


class ProcessPool:
    """Up to `n` child processes: as many as have tasks at the same time, and a spare one.

    They are started by `prepare` or the first task. The spare one has imported `modules`, so that
    the next task need not wait for that. With `n` of 0 every task is run in this process. A pickled
    pool has no processes.
    """

    n_elsewhere = 0

    def __init__(self, n: int, modules: Sequence[str] = (), niceness: int = 0) -> None:
        """By `niceness` the processes give way to others, such as this one."""
        self.n = n
        self._modules = modules
        self._niceness = niceness
        # The process that was busy last gets the next task: the others need not even be started.
        self._free: LifoQueue[TaskProcess] = LifoQueue()

    def __reduce__(self) -> tuple[type[ProcessPool], tuple[int]]:
        return (ProcessPool, (0,))

    def __enter__(self) -> Self:
        for _ in range(self.n):
            self._free.put(TaskProcess(self._modules, self._niceness))
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes; none may be busy."""
        processes = [self._free.get() for _ in range(self.n)]
        for process in processes:
            process.close_pipe()
        for process in processes:
            process.stop()

    def prepare(self) -> None:
        """Start a spare process, if there is none."""
        with suppress(Empty):
            process = self._free.get_nowait()
            try:
                process.prepare()
            finally:
                self._free.put(process)

    def is_ready(self) -> bool:
        """Whether the next task need not wait until a child has started."""
        try:
            process = self._free.get_nowait()
        except Empty:  # all are at work
            return self.n > 0
        try:
            return process.is_ready()
        finally:
            self._free.put(process)

    def do(self, task: Task[Argument, T], argument: Argument, check: Callable[[], None]) -> T:
        """Implement `TaskPool.do`, in a child or, if that cannot be, in this process."""
        with suppress(RunLocally):
            return self.do_in_child(task, argument, check)
        return task(argument, partial(until_cancelled, check))

    def do_in_child(
        self, task: Task[Argument, T], argument: Argument, check: Callable[[], None]
    ) -> T:
        """The same in a child only. Raises RunLocally if none can do it."""
        if not self.n:
            raise RunLocally("there are no children")
        process = self._wait_for_free(check)
        try:
            self.prepare()
            check()
            return process.do(task, argument, check)
        finally:
            self._free.put(process)

    def _wait_for_free(self, check: Callable[[], None]) -> TaskProcess:
        while True:
            with suppress(Empty):
                return self._free.get(timeout=POLL_S)
            check()


class TaskProcess:
    """A place for one child, which is started for the first task and replaced when it dies.

    One thread at a time may use it.
    """

    def __init__(self, modules: Sequence[str] = (), niceness: int = 0) -> None:
        """The child imports `modules` before its first task."""
        self._modules = modules
        self._niceness = niceness
        self._child: ChildProcess | None = None
        self._n_deaths = 0  # since the last result
        self._has_begun = False  # whether the child has told that it awaits tasks

    def is_ready(self) -> bool:
        """Whether there is a child that awaits tasks, or has died."""
        return self._child is not None and (self._has_begun or self._child.poll(0))

    def prepare(self) -> None:
        """Start the child, if there is none, before there is a task for it."""
        if self._child is None and not self._n_deaths:
            with suppress(OSError):  # the first task meets the error again
                self._child = self._start()

    def do(self, task: Task[Argument, T], argument: Argument, check: Callable[[], None]) -> T:
        """Run a task in the child. Raises what it or `check` raises, and RunLocally."""
        if self._n_deaths == MAX_DEATHS:
            raise RunLocally("no child lives long enough")
        try:
            self._child = self._child or self._start()
            self._child.send((task, argument))
            if not self._has_begun:
                self._child.receive(check)
                self._has_begun = True
            result: TaskResult[T] = self._child.receive(check)
        except (OSError, ChildDied) as error:
            self._n_deaths += 1
            self.stop()
            LOG.warning("A child process was lost (%s). Its task is done without it.", error)
            raise RunLocally("its process died") from error
        except BaseException:  # the child still runs a task whose result nobody waits for
            self.stop()
            raise
        self._n_deaths = 0
        return result.value()

    def close_pipe(self) -> None:
        """Have the child end; does not wait for it."""
        if self._child is not None:
            self._child.close_pipe()

    def stop(self) -> None:
        """Have the child end, and wait until it has."""
        if self._child is not None:
            self._child.stop()
            self._child, self._has_begun = None, False

    def _start(self) -> ChildProcess:
        return ChildProcess(_serve, self._modules, self._niceness, environment=ONE_THREAD)


def _serve(pipe: Connection, modules: Sequence[str], niceness: int) -> None:
    """In the child: run the tasks that come through the pipe.

    The parent ends a task that it no longer wants by SIGTERM, which also ends its encoder.
    """
    limit_malloc_arenas()
    os.nice(niceness)
    for module in modules:
        importlib.import_module(module)
    # Not before: an exception that interrupts numpy's import ends as an ImportError's traceback.
    exit_on_sigterm()
    pipe.send(None)  # it awaits tasks
    while True:
        pipe.send_bytes(_pickled_result(pipe.recv_bytes()))


def _pickled_result(message: bytes) -> bytes:
    """Run the task that is pickled in `message`, with its argument."""
    try:
        task, argument = pickle.loads(message)  # noqa: S301 - from our parent
        return pickle.dumps(TaskResult(task(argument, iter), None))
    except Exception as error:  # noqa: BLE001 - the parent raises it again, of whatever class it is
        error.add_note("".join(traceback.format_exception(error)))
        return _pickled_error(error)


def _pickled_error(error: Exception) -> bytes:
    """The error as a result, or RunLocally if the error cannot be pickled."""
    try:
        message = pickle.dumps(TaskResult(None, error))
        pickle.loads(message)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - the error's class may raise anything
        return pickle.dumps(TaskResult(None, RunLocally(f"cannot pickle a {type(error).__name__}")))
    return message


def until_cancelled(check: Callable[[], None], items: Iterable[T]) -> Iterator[T]:
    """Pass on `items`, one by one, until `check` raises."""
    for item in items:
        check()
        yield item
