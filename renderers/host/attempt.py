"""One attempt at something that may hang: its caller can give it up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Attempt(Generic[T]):
    """An operation in a thread of its own, which a place on the network may keep for ever.

    The thread is a daemon: it does not keep the program from ending.
    """

    def __init__(self, operation: Callable[[], T]) -> None:
        self.done = threading.Event()
        self._operation = operation
        self._results: list[T] = []
        self._error: BaseException | None = None
        threading.Thread(target=self._run, name="attempt", daemon=True).start()

    def result(self) -> T:
        """The result, once `done` is set. Raises what the operation raised."""
        if self._error is not None:
            raise self._error
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._operation())
        except BaseException as error:  # noqa: BLE001  raised again where it is waited for
            self._error = error
        finally:
            self.done.set()
