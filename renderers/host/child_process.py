"""One process of the annex as its owner has it: its start, what goes there and back, its end."""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, NoReturn, Protocol, Self, TypeVar, cast

from audiomill.renderers.base import RenderError, StoreError, first_line
from audiomill.renderers.host.malloc import limit_malloc_arenas

# A process of the annex, which does what comes through a pipe.

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Order_contra = TypeVar("Order_contra", contravariant=True)


class CancellableIter(Protocol):
    """What work passes the items it goes over through, so that it can be stopped between them."""

    def __call__(self, items: Iterable[T], /) -> Iterator[T]:
        """The items."""
        ...


class Task(Protocol[Order_contra, T_co]):
    """A function of a module, where a process can import it; order and result are pickled."""

    def __call__(self, order: Order_contra, through: CancellableIter, /) -> T_co:
        """Do it. Raises RunLocally if this is the wrong process for that."""
        ...


class RunLocally(Exception):
    """Something is not to be had in a process of the annex: the work must be done elsewhere."""


@dataclass(frozen=True, slots=True)
class TaskResult(Generic[T]):
    """What came of work: its result, or the error that it raised."""

    result: T | None
    error: BaseException | None

    def value(self) -> T:
        """The result. Raises the error."""
        if self.error is not None:
            raise self.error
        return cast("T", self.result)


def main() -> None:
    """Do what comes through the pipe whose descriptor is the argument, until it is closed.

    What other arguments name is imported before.
    """
    limit_malloc_arenas()
    signal.signal(signal.SIGTERM, _stop)
    for module in sys.argv[2:]:
        importlib.import_module(module)
    through = partial(_while_owned, os.getppid())
    # An owner that is gone wants nothing, and what is half sent by then is no order.
    with suppress(EOFError, OSError), Connection(int(sys.argv[1])) as pipe:
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes(), through))


def _stop(*_: object) -> NoReturn:
    """Leave what is being done in order: an encoder is ended by whoever started it."""
    sys.exit(128 + signal.SIGTERM)


def _while_owned(owner: int, items: Iterable[T]) -> Iterator[T]:
    """The items, until the owner is dead: who is at work does not see the pipe's end."""
    for item in items:
        if os.getppid() != owner:
            raise RunLocally("an owner")
        yield item


def _answer(message: bytes, through: CancellableIter) -> bytes:
    """What came of the work and order that are pickled in `message`, pickled."""
    try:
        work, order = pickle.loads(message)  # noqa: S301 - from our owner
        return pickle.dumps(TaskResult(work(order, through), None))
    except Exception as error:  # noqa: BLE001 - it is raised again, by whoever gave the order
        error.add_note("".join(traceback.format_exception(error)))
        return _told(error)


def _told(error: Exception) -> bytes:
    """The error as an answer. One that does not survive that is done again where it is needed."""
    try:
        told = pickle.dumps(TaskResult(None, error))
        pickle.loads(told)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - a class that is not ours may raise anything
        return pickle.dumps(TaskResult(None, RunLocally(f"words for a {type(error).__name__}")))
    return told


Order = TypeVar("Order")

LISTEN_S = 0.2  # between two looks at whether work is still wanted
PATIENCE_S = 2.0  # with a process that was told to end, or has closed its pipe
MOST_DEATHS = 3  # of processes in a row, without an answer between: then none can work here
# Imported, not run as a module: what it sends would be of a `__main__` that nobody else has.
BEGIN = "from audiomill.renderers.host.child_process import main; main()"
# For what is multiplied there, more threads cost more than they bring.
ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


class ChildDied(Exception):
    """The process could not be started, or died at work. Says which, in a part of a sentence."""


class ChildProcess:
    """A place for one process, which starts with the first work and is replaced if it dies.

    It imports `modules` before it asks for work. One thread at a time.
    """

    def __init__(self, modules: Sequence[str] = ()) -> None:
        self._modules = modules
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._n_deaths = 0  # since the last answer

    def prepare(self) -> None:
        """Start the process, if there is none, before there is work for it."""
        if self._pipe is None and not self._n_deaths:
            with suppress(OSError):  # which comes again with the work, and is told then
                self._open()

    def do(self, work: Task[Order, T], order: Order, check: Callable[[], None]) -> T:
        """Run `work` in the child. Raises what it or `check` raises, RunLocally or ChildDied."""
        if self._n_deaths == MOST_DEATHS:
            raise RunLocally("a process that lives")
        try:
            pipe = self._pipe or self._open()
            pipe.send((work, order))
            while not pipe.poll(LISTEN_S):
                check()
            answer: TaskResult[T] = pipe.recv()
        except (OSError, EOFError) as error:
            self._n_deaths += 1
            code = self._end(PATIENCE_S)
            raise ChildDied(f"exit status {code}" if code is not None else str(error)) from error
        except BaseException:  # nobody waits any more for what is being done there
            self._end(0.0)
            raise
        self._n_deaths = 0
        return answer.value()

    def dismiss(self) -> None:
        """Tell the process to end, which it does once it is idle."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def close(self) -> None:
        """Wait until it has ended."""
        self._end(PATIENCE_S)

    def _open(self) -> Connection:
        """Start a process. Raises OSError.

        By the interpreter itself: `multiprocessing` would import the caller's main module, which
        may take seconds, or begin a render of its own.
        """
        ours, theirs = Pipe()
        path = os.pathsep.join(str(Path(folder).resolve()) for folder in sys.path)
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", BEGIN, str(theirs.fileno()), *self._modules],
                    env=os.environ | ONE_THREAD | {"PYTHONPATH": path},
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    process_group=0,  # a terminal's Ctrl-C is for us, who then end it in order
                )
        except OSError:
            ours.close()
            raise
        self._pipe = ours
        return ours

    def _end(self, patience_s: float) -> int | None:
        """End the process, if there is one, and say with which exit status.

        After `patience_s` it is told to stop, which takes its encoder with it, and then killed.
        """
        self.dismiss()
        process, self._process = self._process, None
        if process is None:
            return None
        for wait_s, insist in ((patience_s, process.terminate), (PATIENCE_S, process.kill)):
            with suppress(subprocess.TimeoutExpired):
                return process.wait(wait_s)
            insist()
        return process.wait()


# Starting a process that Ctrl-C does not meet.


def start_ignoring_sigint(process: BaseProcess) -> None:
    """Start a process that Ctrl-C cannot meet before it knows what to do about it.

    It inherits what this thread blocks meanwhile. Python's own helper for processes must be there
    by then: starting it unblocks the signal.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# An object that lives in a process of its own and does what it is asked.

# What an engine may end in for reasons of its own: missing parts, no memory, no such device.
MOST_CHARS = 300  # of what went wrong: short enough for a table
FORESEEN = (RenderError, StoreError, ImportError, OSError, RuntimeError, ValueError, MemoryError)


class RemoteError(Exception):
    """The object could not be made, or could not do what it was asked. Says why, in a line."""


class RemoteObject:
    """`make(*arguments, tell)`, made and kept in a process of its own. Raises RemoteError.

    `make` and everything that is passed must be known by name there, or be plain data.
    """

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        context = get_context("spawn")  # a fork would take threads and CUDA along, half alive
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, make, arguments))
        start_ignoring_sigint(self._process)
        theirs.close()
        try:
            self._answer(_unheard)
        except BaseException:
            self.close()
            raise

    def ask(self, name: str, *arguments: Any, heard: Callable[[float], None] | None = None) -> Any:
        """What the object's method returns. Raises RemoteError."""
        try:
            self._ours.send((name, arguments))
        except OSError as error:
            raise RemoteError("its process has ended") from error
        return self._answer(heard or _unheard)

    def close(self) -> None:
        """End the process, at once and whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._ours.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _answer(self, heard: Callable[[float], None]) -> Any:
        while True:
            try:
                what, value = self._ours.recv()
            except (EOFError, OSError) as error:
                self._process.join()
                raise RemoteError(f"its process ended ({self._process.exitcode})") from error
            if what == "heard":
                heard(value)
            elif what == "failed":
                raise RemoteError(value)
            else:
                return value


def _serve(pipe: Connection, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """The life of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us, and will end us
    try:
        made = make(*arguments, partial(_tell, pipe))
        pipe.send(("done", None))
        while True:
            name, given = pipe.recv()
            pipe.send(("done", getattr(made, name)(*given)))
    except EOFError:
        return
    except FORESEEN as error:
        pipe.send(("failed", first_line(error)[:MOST_CHARS]))


def _tell(pipe: Connection, part: float) -> None:
    pipe.send(("heard", part))


def _unheard(_part: float) -> None:
    """Nobody wants to know."""
