"""Progress for people: bars with the time left on a terminal, plain lines elsewhere. To stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audiomill.flows.console import say
from audiomill.flows.pipeline.run_context import Progress, Step

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

LINE_EVERY_S = 10.0


@contextmanager
def terminal_progress() -> Generator[Progress]:
    """Bars while the block runs, if stderr is a terminal; a line now and then if it is not."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield Throttled(lambda sight: say(str(sight)), LINE_EVERY_S)
        return
    # Imported here: `audiomill --help` must not wait for it.
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description:>9}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[pace]}"),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield Bars(bars)


@dataclass(slots=True)
class _Count:
    """One step's seconds of audio, and when it began (monotonic clock)."""

    total_s: float
    began: float
    done_s: float = 0.0

    @property
    def pace(self) -> float:
        """Seconds of audio a second."""
        return self.done_s / max(time.monotonic() - self.began, 1e-3)


@dataclass(frozen=True, slots=True)
class ProgressUpdate:
    """How far one step of a run is."""

    step: Step
    fraction: float
    pace: float  # seconds of audio a second
    left_s: float  # of waiting, for this step

    def __str__(self) -> str:
        left = f", about {self.left_s:.0f} s left" if self.fraction < 1 else ""
        return f"{self.step} {self.fraction:.0%}, {self.pace:,.0f}x real time{left}"


class Throttled:
    """Tells how far a step is, at most once in `every_s` seconds."""

    def __init__(self, tell: Callable[[ProgressUpdate], None], every_s: float) -> None:
        self._tell = tell
        self._every_s = every_s
        self._lock = threading.Lock()
        self._counts: dict[Step, _Count] = {}
        self._last = time.monotonic()

    def begin(self, step: Step, total_s: float) -> None:
        """See `Progress`."""
        with self._lock:
            self._counts[step] = _Count(total_s, time.monotonic())

    def advance(self, step: Step, audio_s: float) -> None:
        """See `Progress`."""
        with self._lock:
            count = self._counts[step]
            count.done_s += audio_s
            if time.monotonic() - self._last < self._every_s:
                return
            self._last = time.monotonic()
            sight = self._sight(step, count)
        self._tell(sight)

    @staticmethod
    def _sight(step: Step, count: _Count) -> ProgressUpdate:
        left_s = max(0.0, count.total_s - count.done_s) / max(count.pace, 1e-9)
        fraction = min(1.0, count.done_s / max(count.total_s, 1e-9))
        return ProgressUpdate(step, fraction, count.pace, left_s)


class Bars:
    """A bar a step, on a terminal."""

    def __init__(self, bars: RichProgress) -> None:
        self._bars = bars
        self._lock = threading.Lock()
        self._counts: dict[Step, tuple[TaskID, _Count]] = {}

    def begin(self, step: Step, total_s: float) -> None:
        """See `Progress`."""
        task = self._bars.add_task(step, total=total_s, pace="")
        with self._lock:
            self._counts[step] = (task, _Count(total_s, time.monotonic()))

    def advance(self, step: Step, audio_s: float) -> None:
        """See `Progress`."""
        with self._lock:
            task, count = self._counts[step]
            count.done_s += audio_s
        self._bars.update(task, advance=audio_s, pace=f"{count.pace:,.0f}x real time")
