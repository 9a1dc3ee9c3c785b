"""The state shared by the stages of a run: stop, progress, warnings, usage of the engine.

RunContext ─┬─ stop       set by Ctrl-C; stages check it between batches and segments
            ├─ progress   a terminal's bars, plain lines, a Prefect artifact, or nothing
            ├─ warnings   for the book's report
            └─ usages     of segments that were rendered again after their window was
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Protocol, TypeVar

from audiomill.renderers.engine.protocol import Usage
from audiomill.renderers.host.process_pool import until_cancelled

T = TypeVar("T")


class Interrupted(Exception):
    """The run was stopped. Finished work is kept."""


class Step(StrEnum):
    """The long steps of a run, in the order in which they begin."""

    LIST = "asking sources"  # of a podcast
    FETCH = "fetching articles"
    RENDER = "rendering"
    LISTEN = "checking speech"
    MEASURE = "measuring"  # chapters
    ENCODE = "encoding"
    WRITE = "writing files"  # tags, and all of a file to the disk
    FINISH = "finishing episodes"
    CHECK = "checking"  # finished files
    DRAW = "drawing"  # finished files


BOOK_STEPS = (Step.RENDER, Step.MEASURE, Step.ENCODE, Step.WRITE)
CHECKED_BOOK_STEPS = (Step.RENDER, Step.LISTEN, Step.MEASURE, Step.ENCODE, Step.WRITE)
# Measured in seconds of audio.
AUDIO_STEPS = (Step.RENDER, Step.LISTEN, Step.ENCODE, Step.CHECK, Step.DRAW)
SHORT_STEPS = (Step.MEASURE, Step.WRITE)  # which end soon after those before them
PODCAST_STEPS = (Step.LIST, Step.FETCH, Step.RENDER, Step.FINISH)


class Progress(Protocol):
    """Receives the progress of a run. Must be thread-safe.

    It is measured in seconds of audio in AUDIO_STEPS, else in sources, articles, episodes,
    chapters, files.
    """

    def begin(self, step: Step, total: float) -> None:
        """`step` begins, with so much to do."""
        ...

    def advance(self, step: Step, done: float) -> None:
        """`step` has done so much more."""
        ...

    def extend(self, step: Step, more: float) -> None:
        """`step` has so much more to do; if negative, less: it was done before this run."""
        ...


class NullProgress:
    """Ignores progress."""

    def begin(self, step: Step, total: float) -> None:
        """Do nothing."""

    def advance(self, step: Step, done: float) -> None:
        """Do nothing."""

    def extend(self, step: Step, more: float) -> None:
        """Do nothing."""


class TeeProgress:
    """Passes progress on to two receivers, for example a terminal and Prefect's pages."""

    def __init__(self, first: Progress, second: Progress) -> None:
        self._receivers = (first, second)

    def begin(self, step: Step, total: float) -> None:
        """Implement `Progress.begin`."""
        for receiver in self._receivers:
            receiver.begin(step, total)

    def advance(self, step: Step, done: float) -> None:
        """Implement `Progress.advance`."""
        for receiver in self._receivers:
            receiver.advance(step, done)

    def extend(self, step: Step, more: float) -> None:
        """Implement `Progress.extend`."""
        for receiver in self._receivers:
            receiver.extend(step, more)


class RunContext:
    """Lets the stages of a run report progress and warnings, and lets the run stop them."""

    def __init__(
        self, progress: Progress | None = None, stop: threading.Event | None = None
    ) -> None:
        self.progress: Progress = progress or NullProgress()
        self.stop = stop or threading.Event()  # stops the whole run
        self._cancelled = threading.Event()  # stops one book
        self.warnings: list[str] = []  # for the book's report
        self.usages: list[Usage] = []  # for the book's report, besides those of windows

    def with_progress(self, progress: Progress) -> RunContext:
        """A context of the same run which reports to `progress` too."""
        return RunContext(TeeProgress(self.progress, progress), self.stop)

    def for_one_book(self) -> RunContext:
        """A context of the same run for one book, which can be cancelled alone."""
        return RunContext(self.progress, self.stop)

    def warn(self, message: str) -> None:
        """Add a warning to this book's report."""
        self.warnings.append(message)

    def count(self, usage: Usage) -> None:
        """Add what a segment took, that was rendered outside of a window, to the report."""
        self.usages.append(usage)

    def cancel(self) -> None:
        """Stop all stages of this book."""
        self._cancelled.set()

    def check(self) -> None:
        """Raise Interrupted if this book is cancelled or the run is stopped."""
        if self.stop.is_set() or self._cancelled.is_set():
            raise Interrupted

    def until_cancelled(self, items: Iterable[T]) -> Iterator[T]:
        """Yield `items`. Raises Interrupted before the next one if `check` does."""
        return until_cancelled(self.check, items)
