"""Waiters for whom time goes fifty times as fast, or only when they wait: so tests wait little."""

from collections.abc import Callable
from threading import Event, Lock

from audiomill.renderers.host.waiting import RunWaiter

HASTE = 50
POLL_S = 0.01


class HastyWaiter(RunWaiter):
    """Waits a fiftieth of each delay, and keeps what the user is told."""

    def __init__(self, outage_s: float = 300.0) -> None:
        self.told: list[str] = []
        super().__init__(lambda: None, self.told.append, outage_s)

    def now_s(self) -> float:
        return HASTE * super().now_s()

    def sleep(self, duration_s: float) -> None:
        Event().wait(duration_s / HASTE)


class VirtualWaiter(HastyWaiter):
    """A waiter whose time goes on only while it waits, at once, for what `is_hanging`.

    It keeps the seconds of each sleep and of each wait that was in vain. `check` may stop it.
    """

    def __init__(
        self,
        is_hanging: Callable[[], object] = lambda: False,
        outage_s: float = 300.0,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(outage_s)
        self.time_s = 0.0
        self.slept_s: list[float] = []
        self.given_up_s: list[float] = []
        self._is_hanging, self._check = is_hanging, check
        self._lock = Lock()

    def now_s(self) -> float:
        return self.time_s

    def wait(self, done: Event, timeout_s: float) -> None:
        while not done.wait(POLL_S):
            if self._is_hanging():
                self.given_up_s.append(timeout_s)
                self._pass(timeout_s)
                return

    def sleep(self, duration_s: float) -> None:
        self.slept_s.append(duration_s)
        self._pass(duration_s)

    def _pass(self, duration_s: float) -> None:
        self._check()
        with self._lock:
            self.time_s += duration_s
