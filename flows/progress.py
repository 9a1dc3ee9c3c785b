"""Progress on stderr: bars with the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import AUDIO_STEPS, Progress, Step

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

LINE_EVERY_S = 10.0
# Makes the progress of one book of several, by its name; "" for the only one.
ProgressOf = Callable[[str], AbstractContextManager[Progress]]


def nobody() -> str:
    """No workers to tell of."""
    return ""


@contextmanager
def terminal_progress(
    workers: Callable[[], str] = nobody, n_at_once: int = 1
) -> Generator[ProgressOf]:
    """Show bars while the block runs if stderr is a terminal, else a line now and then.

    `n_at_once` books may be under way. `workers` tells who renders, if not this process.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda name: nullcontext(
            ThrottledProgress(
                lambda update: say(str(replace(update, of=name, workers=workers()))),
                LINE_EVERY_S * n_at_once,
            )
        )
        return
    # Imported here, so that `audiomill --help` does not wait for it.
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", justify="right", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[pace]}", markup=False),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield lambda name: TerminalBars(bars, name, workers)


@dataclass(frozen=True, slots=True)
class ProgressUpdate:
    """How far one step of a run is."""

    step: Step
    fraction: float  # 0 to 1
    pace: float  # what is done per second
    left_s: float  # estimated time until the step ends
    of: str = ""  # the book, if there are several
    workers: str = ""  # who renders, if not this process

    def __str__(self) -> str:
        pace = _pace_text(self.step, self.pace)
        left = f"about {self.left_s:.0f} s left" if self.fraction < 1 else ""
        words = ", ".join(filter(None, (f"{self.step} {self.fraction:.0%}", pace, left)))
        book = f"{self.of}: " if self.of else ""
        workers = f" ({self.workers})" if self.workers and self.step is Step.RENDER else ""
        return f"{book}{words}{workers}"


def _pace_text(step: Step, pace: float) -> str:
    """How fast a step is, if that is known in seconds of audio."""
    return f"{pace:,.0f}x real time" if step in AUDIO_STEPS else ""


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
    """Shows a bar for each step of a book on a terminal, until the block ends."""

    def __init__(self, bars: RichProgress, name: str, workers: Callable[[], str]) -> None:
        self._bars = bars
        self._name = name
        self._workers = workers
        self._lock = threading.Lock()
        self._counts: dict[Step, tuple[TaskID, _StepCount]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for task, _ in self._counts.values():
            self._bars.remove_task(task)

    def begin(self, step: Step, total: float) -> None:
        """Implement `Progress.begin`."""
        words = f"{self._name}: {step}" if self._name else str(step)
        task = self._bars.add_task(words, total=total, pace="")
        with self._lock:
            self._counts[step] = (task, _StepCount(total, time.monotonic()))

    def advance(self, step: Step, done: float) -> None:
        """Implement `Progress.advance`."""
        with self._lock:
            task, count = self._counts[step]
            count.done += done
        workers = self._workers() if step is Step.RENDER else ""
        pace = "  ".join(filter(None, (_pace_text(step, count.pace), workers)))
        self._bars.update(task, advance=done, pace=pace)
