"""An object that lives in a process of its own and does what it is asked. Knows no engine.

Each engine of a benchmark has one: its peak of memory is then its own, its threads and allocators
meddle with nobody's, and it can be dropped. The process ends with us, whatever becomes of us: its
pipe breaks.

    ask("run", …) ─▶ pipe ─▶ object.run(…)
              heard ◀─ pipe ◀─ tell(part done)
              value ◀─ pipe ◀─ the result, or an error that is foreseen
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from renderers.deaf import start_deaf
from renderers.reasons import first_line
from renderers.shard import RenderError, StoreError

# What an engine may end in for reasons of its own: missing parts, no memory, no such device.
MOST_CHARS = 300  # of what went wrong: short enough for a table
FORESEEN = (RenderError, StoreError, ImportError, OSError, RuntimeError, ValueError, MemoryError)


class WorkFailed(Exception):
    """The object could not be made, or could not do what it was asked. Says why, in a line."""


class Worker:
    """`make(*arguments, tell)`, made and kept in a process of its own. Raises WorkFailed.

    `make` and everything that is passed must be known by name there, or be plain data.
    """

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        context = get_context("spawn")  # a fork would take threads and CUDA along, half alive
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, make, arguments))
        start_deaf(self._process)
        theirs.close()
        try:
            self._answer(_unheard)
        except BaseException:
            self.close()
            raise

    def ask(self, name: str, *arguments: Any, heard: Callable[[float], None] | None = None) -> Any:
        """What the object's method returns. Raises WorkFailed."""
        try:
            self._ours.send((name, arguments))
        except OSError as error:
            raise WorkFailed("its process has ended") from error
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
                raise WorkFailed(f"its process ended ({self._process.exitcode})") from error
            if what == "heard":
                heard(value)
            elif what == "failed":
                raise WorkFailed(value)
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
