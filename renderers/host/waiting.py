"""Waiting for what does not answer or may hang, and until a run is stopped.

Tests replace the waiter by one whose clock they set.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

OUTAGE_S = 300.0  # of errors, after which the run ends
POLL_S = 0.1
T = TypeVar("T")


class Waiter(Protocol):
    """The time, the end of a wait when the run is stopped, and the user who is told."""

    @property
    def outage_s(self) -> float:
        """For so long what does not answer is waited for."""
        ...

    def now_s(self) -> float:
        """Seconds of a clock that is never set."""
        ...

    def check(self) -> None:
        """Raise what stops the run, if it is stopped."""
        ...

    def wait(self, done: threading.Event, timeout_s: float) -> None:
        """Return when `done` is set or the time is over. Raises what stops the run."""
        ...

    def sleep(self, duration_s: float) -> None:
        """Return when the time is over. Raises what stops the run."""
        ...

    def tell(self, line: str) -> None:
        """Show the user a line."""
        ...


class RunWaiter:
    """A run's waiter. `check` is called often, and raises when the run is stopped."""

    def __init__(
        self,
        check: Callable[[], None],
        tell: Callable[[str], None],
        outage_s: float = OUTAGE_S,
    ) -> None:
        self._check = check
        self._tell = tell
        self.outage_s = outage_s

    def now_s(self) -> float:
        """Implement `Waiter.now_s`."""
        return time.monotonic()

    def check(self) -> None:
        """Implement `Waiter.check`."""
        self._check()

    def wait(self, done: threading.Event, timeout_s: float) -> None:
        """Implement `Waiter.wait`."""
        until_s = time.monotonic() + timeout_s
        while (left_s := until_s - time.monotonic()) > 0 and not done.wait(min(left_s, POLL_S)):
            self._check()

    def sleep(self, duration_s: float) -> None:
        """Implement `Waiter.sleep`."""
        self.wait(threading.Event(), duration_s)

    def tell(self, line: str) -> None:
        """Implement `Waiter.tell`."""
        self._tell(line)


def _never_stop() -> None:
    """A check that never stops anything."""


def _tell_nobody(_line: str) -> None:
    """Drop a line that nobody reads."""


def unattended(outage_s: float = OUTAGE_S) -> Waiter:
    """A waiter for callers without a run: nothing stops it, and nobody is told."""
    return RunWaiter(_never_stop, _tell_nobody, outage_s)


def in_words(duration_s: float) -> str:
    """A time that is waited for, for people."""
    return f"{duration_s:.0f} s" if duration_s < 120 else f"{duration_s / 60:.0f} minutes"


UNATTENDED = unattended()


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
