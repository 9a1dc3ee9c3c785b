"""Passes the progress of windows on workers to the flow that waits for them.

A window may be begun several times and in parts. It never counts for more than it was estimated at,
and when it is done it counts for just that.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from audiomill.flows.execution.run_context import RunContext, Step


@dataclass(slots=True)
class _Window:
    """A window under way: seconds of audio, by the token of each part and attempt."""

    context: RunContext
    estimated_s: float
    done_s: dict[str, float] = field(default_factory=dict[str, float])
    told_s: float = 0.0


class ProgressRelay:
    """Tells each window's flow how much of it is done. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._windows: dict[str, _Window] = {}

    def begin(self, token: str, estimated_s: float, context: RunContext) -> None:
        """A window of so much audio begins. Its parts have tokens that begin with `token`."""
        with self._lock:
            self._windows[token] = _Window(context, estimated_s)

    def handle(self, message: Mapping[str, object]) -> None:
        """An event of a worker, which says how much of a part is done."""
        token, done_s = str(message["token"]), message["done_s"]
        if not isinstance(done_s, float):
            return
        with self._lock:
            window = self._windows.get(whole(token))
            if window is None:  # an event that comes after the result
                return
            window.done_s[token] = max(done_s, window.done_s.get(token, 0.0))
            more_s = min(sum(window.done_s.values()), window.estimated_s) - window.told_s
            window.told_s += more_s
        window.context.progress.advance(Step.RENDER, more_s)

    def end(self, token: str, *, is_done: bool) -> None:
        """The window has ended."""
        with self._lock:
            window = self._windows.pop(token)
        if is_done:
            window.context.progress.advance(Step.RENDER, window.estimated_s - window.told_s)


def part_of(token: str, number: int) -> str:
    """The token of a part of a window, or of another attempt."""
    return f"{token}.{number}"


def whole(token: str) -> str:
    """The token of the window that a part belongs to."""
    return token.partition(".")[0]
