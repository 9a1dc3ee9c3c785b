"""Passes the progress of windows on workers to the flow that waits for them.

A window may be begun several times and in parts. It never counts for more than it was estimated at,
and when it is done it counts for just that.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from audiomill.flows.execution.run_context import RunContext, Step

# Of the last seconds a worker's pace is told, and of so many workers at most.
PACE_S = 20.0
MAX_WORKERS = 6


@dataclass(slots=True)
class _Window:
    """A window under way: seconds of audio, by the token of each part and attempt."""

    context: RunContext
    estimated_s: float
    done_s: dict[str, float] = field(default_factory=dict[str, float])
    reported_s: float = 0.0


class ProgressRelay:
    """Tells each window's flow how much of it is done. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._windows: dict[str, _Window] = {}
        self._begun: set[str] = set()  # the tokens of all windows, also of those that have ended
        self._started = time.monotonic()
        self._done: deque[tuple[float, str, float]] = deque()  # time, worker, seconds of audio

    def begin(self, token: str, estimated_s: float, context: RunContext) -> None:
        """A window of so much audio begins. Its parts have tokens that begin with `token`."""
        with self._lock:
            self._windows[token] = _Window(context, estimated_s)
            self._begun.add(token)

    def handle(self, message: Mapping[str, Any]) -> None:
        """An event of a worker: how much of a part is done, and how much more that is."""
        token, worker = str(message["token"]), str(message["name"])
        done_s, more_s = float(message["done_s"]), float(message["more_s"])
        with self._lock:
            if whole(token) not in self._begun:  # a window of another run
                return
            self._done.append((time.monotonic(), worker, more_s))
            window = self._windows.get(whole(token))
            if window is None:  # an event that comes after the result
                return
            window.done_s[token] = max(done_s, window.done_s.get(token, 0.0))
            more_s = min(sum(window.done_s.values()), window.estimated_s) - window.reported_s
            window.reported_s += more_s
        window.context.progress.advance(Step.RENDER, more_s)

    def workers(self) -> str:
        """The workers that have rendered lately, the fastest first, and how fast they were."""
        audio_s: dict[str, float] = {}
        with self._lock:
            now = time.monotonic()
            while self._done and self._done[0][0] < now - PACE_S:
                self._done.popleft()
            for _, worker, done_s in self._done:
                audio_s[worker] = audio_s.get(worker, 0.0) + done_s
        over_s = max(min(PACE_S, now - self._started), 1e-3)
        fastest = sorted(audio_s, key=lambda worker: -audio_s[worker])
        listed = [f"{name} {audio_s[name] / over_s:,.0f}x" for name in fastest[:MAX_WORKERS]]
        more = [f"{len(fastest) - MAX_WORKERS} more"] if len(fastest) > MAX_WORKERS else []
        return ", ".join((*listed, *more))

    def end(self, token: str, *, is_done: bool) -> None:
        """The window has ended."""
        with self._lock:
            window = self._windows.pop(token)
        if is_done:
            window.context.progress.advance(Step.RENDER, window.estimated_s - window.reported_s)


def part_of(token: str, number: int) -> str:
    """The token of a part of a window, or of another attempt."""
    return f"{token}.{number}"


def whole(token: str) -> str:
    """The token of the window that a part belongs to."""
    return token.partition(".")[0]
