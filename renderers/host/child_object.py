"""An object that lives in a child process, and whose methods the parent calls.

parent                                       child
ChildObject(make, *arguments) ────────────▶ object = make(*arguments, report)
call(name, *arguments) ────────────────────▶ object.name(*arguments)
                      ◀── progress, result ─
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Self

from audiomill.renderers.host.child_process import ChildDied, ChildProcess

MAX_REASON_CHARS = 300  # short enough for a table


class ChildObjectError(Exception):
    """The object could not be made, or a method has failed. The message is the reason, one line."""


class ChildObject:
    """`make(*arguments, report)` in a child process; `report` takes progress, from 0 to 1.

    The child must be able to import `make`; arguments and results are pickled. After an error the
    child has ended, and every further call raises ChildObjectError.
    """

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        """Raises ChildObjectError if the object cannot be made, OSError if no process starts."""
        self._child = ChildProcess(_serve, make, arguments)
        try:
            self._answer(_ignore)
        except BaseException:
            self.close()
            raise

    def call(
        self, name: str, *arguments: Any, on_progress: Callable[[float], None] | None = None
    ) -> Any:
        """Call the object's method `name` and return its result. Raises ChildObjectError.

        `on_progress` is called with the progress that the method reports.
        """
        try:
            self._child.send((name, arguments))
        except ChildDied as error:
            raise ChildObjectError("its process has ended") from error
        return self._answer(on_progress or _ignore)

    def close(self) -> None:
        """End the child at once, whatever it is doing."""
        self._child.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, on_progress: Callable[[float], None]) -> Any:
        while True:
            try:
                kind, value = self._child.receive()
            except ChildDied as error:
                raise ChildObjectError(str(error)) from error
            if kind == "progress":
                on_progress(value)
            elif kind == "error":
                reason, trace = value
                raise ChildObjectError(reason) from RuntimeError(trace)
            else:
                return value


def _ignore(_fraction: float) -> None:
    """Drop a report of progress."""


def _serve(pipe: Connection, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """In the child: make the object and call its methods until one fails."""
    try:
        remote = make(*arguments, partial(_send_progress, pipe))
        pipe.send(("result", None))
        while True:
            name, values = pipe.recv()
            pipe.send(("result", getattr(remote, name)(*values)))
    except Exception as error:  # noqa: BLE001 - the parent raises it again, of whatever class it is
        pipe.send(("error", (_reason(error), "".join(traceback.format_exception(error)))))


def _reason(error: Exception) -> str:
    """The first line of the error's message, or its class if it has none."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:MAX_REASON_CHARS]


def _send_progress(pipe: Connection, fraction: float) -> None:
    pipe.send(("progress", fraction))
