"""What is said while a benchmark runs. Every line carries the mark of random weights."""

from __future__ import annotations

import time
from collections.abc import Callable

from flows import console

LINE_EVERY_S = 10.0


class Teller:
    """Progress to stderr, results to stdout, each line with `mark` before it."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def say(self, line: str) -> None:
        """One line of progress, or a warning."""
        console.say(f"{self._mark}{line}")

    def put(self, text: str) -> None:
        """Lines of the result."""
        for line in text.splitlines():
            console.put(f"{self._mark}{line}")

    def during(self, what: str) -> Callable[[float], None]:
        """Told how much of `what` is done, it says so now and then, with the time that is left."""
        began = last = time.monotonic()

        def tell(part: float) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= LINE_EVERY_S and 0 < part < 1:
                last = now
                left_s = (now - began) * (1 - part) / part
                self.say(f"  {what}: {part:.0%}, about {left_s:.0f} s left")

        return tell
