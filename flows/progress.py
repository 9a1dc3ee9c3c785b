"""Progress on stderr: bars with the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import BOOK_STEPS, Progress, Step

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

LINE_EVERY_S = 10.0


@contextmanager
def terminal_progress() -> Generator[Progress]:
    """Show bars while the block runs if stderr is a terminal, else a line now and then."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield ThrottledProgress(lambda update: say(str(update)), LINE_EVERY_S)
        return
    # Imported here, so that `audiomill --help` does not wait for it.
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", justify="right"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[pace]}"),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield TerminalBars(bars)


@dataclass(frozen=True, slots=True)
class ProgressUpdate:
    """How far one step of a run is."""

    step: Step
    fraction: float  # 0 to 1
    pace: float  # what is done per second
    left_s: float  # estimated time until the step ends

    def __str__(self) -> str:
        pace = _pace_text(self.step, self.pace)
        left = f"about {self.left_s:.0f} s left" if self.fraction < 1 else ""
        return ", ".join(filter(None, (f"{self.step} {self.fraction:.0%}", pace, left)))


def _pace_text(step: Step, pace: float) -> str:
    """How fast a step is, if that is known in seconds of audio."""
    return f"{pace:,.0f}x real time" if step in BOOK_STEPS else ""


@dataclass(slots=True)
class _StepCount:
    """What one step has to do, as `Progress` measures it, and its start on the monotonic clock."""

    total: float
    started: float
    done: float = 0.0

    @property
    def pace(self) -> float:
        """What is done per second."""
        return self.done / max(time.monotonic() - self.started, 1e-3)

    def update(self, step: Step) -> ProgressUpdate:
        """The state of `step` now."""
        left_s = max(0.0, self.total - self.done) / max(self.pace, 1e-9)
        fraction = min(1.0, self.done / max(self.total, 1e-9))
        return ProgressUpdate(step, fraction, self.pace, left_s)


class ThrottledProgress:
    """Calls `show` with how far a step is, at most once every `interval_s` seconds."""

    def __init__(self, show: Callable[[ProgressUpdate], None], interval_s: float) -> None:
        self._show = show
        self._interval_s = interval_s
        self._lock = threading.Lock()
        self._counts: dict[Step, _StepCount] = {}
        self._last_shown = time.monotonic()

    def begin(self, step: Step, total: float) -> None:
        """Implement `Progress.begin`."""
        with self._lock:
            self._counts[step] = _StepCount(total, time.monotonic())

    def advance(self, step: Step, done: float) -> None:
        """Implement `Progress.advance`."""
        with self._lock:
            count = self._counts[step]
            count.done += done
            if time.monotonic() - self._last_shown < self._interval_s:
                return
            self._last_shown = time.monotonic()
            update = count.update(step)
        self._show(update)


class TerminalBars:
    """Shows a bar for each step on a terminal."""

    def __init__(self, bars: RichProgress) -> None:
        self._bars = bars
        self._lock = threading.Lock()
        self._counts: dict[Step, tuple[TaskID, _StepCount]] = {}

    def begin(self, step: Step, total: float) -> None:
        """Implement `Progress.begin`."""
        task = self._bars.add_task(step, total=total, pace="")
        with self._lock:
            self._counts[step] = (task, _StepCount(total, time.monotonic()))

    def advance(self, step: Step, done: float) -> None:
        """Implement `Progress.advance`."""
        with self._lock:
            task, count = self._counts[step]
            count.done += done
        self._bars.update(task, advance=done, pace=_pace_text(step, count.pace))
