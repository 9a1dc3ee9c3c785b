"""A waiter for whom time goes fifty times as fast, so that tests wait little."""

from threading import Event

from audiomill.renderers.host.waiting import RunWaiter

HASTE = 50


class HastyWaiter(RunWaiter):
    """Waits a fiftieth of each delay, and keeps what the user is told."""

    def __init__(self, outage_s: float = 300.0) -> None:
        self.told: list[str] = []
        super().__init__(lambda: None, self.told.append, outage_s)

    def now_s(self) -> float:
        return HASTE * super().now_s()

    def sleep(self, duration_s: float) -> None:
        Event().wait(duration_s / HASTE)
