"""Progress on stderr: bars with the time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import AUDIO_STEPS, SHORT_STEPS, Progress, Step

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

LINE_EVERY_S = 10.0
ROUNDING = 1e-6  # by so much of a step sums of its parts are off, at most
# Makes the progress of one book of several, by its name; "" for the only one.
ProgressOf = Callable[[str], AbstractContextManager[Progress]]


def no_workers() -> str:
    """No workers to tell of."""
    return ""


@contextmanager
def terminal_progress(
    workers: Callable[[], str] = no_workers, n_at_once: int = 1
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
    left_s: float  # estimated time until the step ends; infinite if nothing is known
    of: str = ""  # the book, if there are several
    workers: str = ""  # who renders, if not this process
    before: float = 0.0  # the share of the whole step that was done before this run, 0 to 1

    def __str__(self) -> str:
        pace = _pace_text(self.step, self.pace)
        is_known = self.fraction < 1 and math.isfinite(self.left_s)
        left = f"about {self.left_s:.0f} s left" if is_known else ""
        before = _before_text(self.before)
        words = ", ".join(filter(None, (f"{self.step} {self.fraction:.0%}", pace, left, before)))
        book = f"{self.of}: " if self.of else ""
        workers = f" ({self.workers})" if self.workers and self.step is Step.RENDER else ""
        return f"{book}{words}{workers}"


def _pace_text(step: Step, pace: float) -> str:
    """How fast a step is, if that is known in seconds of audio."""
    return f"{pace:,.0f}x real time" if step in AUDIO_STEPS and pace else ""


def _before_text(before: float) -> str:
    """How much was done before this run, if that is not all."""
    return f"{before:.0%} done before" if 0.005 <= before < 1 - ROUNDING else ""


@dataclass(slots=True)
class _StepCount:
    """The work of one step, as `Progress` measures it, and its start on the monotonic clock."""

    total: float
    started: float
    done: float = 0.0
    done_before: float = 0.0  # before this run, so it is not in `total`

    @property
    def pace(self) -> float:
        """The work done per second."""
        return self.done / max(time.monotonic() - self.started, 1e-3)

    @property
    def fraction(self) -> float:
        """How much is done of what this run has to do, 0 to 1."""
        return 1.0 if self.is_done else self.done / self.total

    @property
    def is_done(self) -> bool:
        """Whether nothing is left. Sums of many parts are a little off."""
        return self.total - self.done <= ROUNDING * (self.total + self.done_before)

    @property
    def before(self) -> float:
        """The share of the whole step that was done before this run."""
        return self.done_before / max(self.total + self.done_before, 1e-9)

    def extend(self, more: float) -> None:
        """Count what there is to do anew."""
        self.total = max(self.total + more, 0.0)
        self.done_before += max(-more, 0.0)
        if not self.done:  # until now nothing was done but looking for what is done
            self.started = time.monotonic()

    def update(self, step: Step) -> ProgressUpdate:
        """The state of `step` now."""
        left_s = max(0.0, self.total - self.done) / self.pace if self.done else math.inf
        return ProgressUpdate(step, self.fraction, self.pace, left_s, before=self.before)


class ThrottledProgress:
    """Calls `show` with how far the run is, at most once every `interval_s` seconds.

    Of steps that go side by side, the first one that is not done is shown; and when one ends after
    others were shown, what is left, at once.
    """

    def __init__(self, show: Callable[[ProgressUpdate], None], interval_s: float) -> None:
        self._show = show
        self._interval_s = interval_s
        self._lock = threading.Lock()
        self._counts: dict[Step, _StepCount] = {}
        self._last_shown = time.monotonic()
        self._shown: Step | None = None  # the step that was shown last

    def begin(self, step: Step, total: float) -> None:
        """Implement `Progress.begin`."""
        with self._lock:
            self._counts[step] = _StepCount(total, time.monotonic())

    def advance(self, step: Step, done: float) -> None:
        """Implement `Progress.advance`."""
        with self._lock:
            self._counts[step].done += done
            update = self._due(step)
        if update is not None:
            self._show(update)

    def extend(self, step: Step, more: float) -> None:
        """Implement `Progress.extend`."""
        with self._lock:
            self._counts[step].extend(more)
            update = self._due(step)
        if update is not None:
            self._show(update)

    def _due(self, step: Step) -> ProgressUpdate | None:
        """The line to show now that `step` goes on; None if one was shown just now."""
        current = self._current(step)
        has_next_begun = self._shown is not None and current != self._shown
        if time.monotonic() - self._last_shown < self._interval_s and not has_next_begun:
            return None
        self._last_shown, self._shown = time.monotonic(), current
        return self._counts[current].update(current)

    def _current(self, step: Step) -> Step:
        """The step to show as `step` advances: the first of those that go on which is not done."""
        begun = list(self._counts)
        going_on = begun if step in SHORT_STEPS else begun[begun.index(step) :]
        return next((one for one in going_on if self._counts[one].fraction < 1), step)


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
        self._update(step, task, count)

    def extend(self, step: Step, more: float) -> None:
        """Implement `Progress.extend`."""
        with self._lock:
            task, count = self._counts[step]
            count.extend(more)
        self._update(step, task, count)

    def _update(self, step: Step, task: TaskID, count: _StepCount) -> None:
        workers = self._workers() if step is Step.RENDER else ""
        words = (_pace_text(step, count.pace), _before_text(count.before), workers)
        # Rich shows a bar of nothing as 0 %.
        total, done = (1.0, 1.0) if count.is_done else (count.total, count.done)
        self._bars.update(task, total=total, completed=done, pace="  ".join(filter(None, words)))
