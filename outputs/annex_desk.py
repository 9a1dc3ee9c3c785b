"""One process of the annex as its owner has it: its start, what goes there and back, its end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from outputs.annex_worker import Answer, Lacking, Work

T = TypeVar("T")
Order = TypeVar("Order")

LISTEN_S = 0.2  # between two looks at whether work is still wanted
PATIENCE_S = 2.0  # with a process that was told to end, or has closed its pipe
MOST_DEATHS = 3  # of processes in a row, without an answer between: then none can work here
# Imported, not run as a module: what it sends would be of a `__main__` that nobody else has.
BEGIN = "from outputs.annex_worker import main; main()"
# For what is multiplied there, more threads cost more than they bring.
ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


class Deserted(Exception):
    """The process could not be started, or died at work. Says which, in a part of a sentence."""


class Desk:
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

    def do(self, work: Work[Order, T], order: Order, check: Callable[[], None]) -> T:
        """`work(order, …)`, done there. Raises what that or `check` raises, Lacking or Deserted."""
        if self._n_deaths == MOST_DEATHS:
            raise Lacking("a process that lives")
        try:
            pipe = self._pipe or self._open()
            pipe.send((work, order))
            while not pipe.poll(LISTEN_S):
                check()
            answer: Answer[T] = pipe.recv()
        except (OSError, EOFError) as error:
            self._n_deaths += 1
            code = self._end(PATIENCE_S)
            raise Deserted(f"exit status {code}" if code is not None else str(error)) from error
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
