"""The progress, failures and warnings of a run of a podcast."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from audiomill.flows.execution.run_context import Progress, RunContext, Step
from audiomill.flows.podcast.state import ArticleRecord
from audiomill.inputs.model.book import SourceMissing

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunFailure:
    """A source that could not be read in this run, or an article that could not be made."""

    source: str  # its address or path; of a file of a folder, its title
    error: Exception


@dataclass(frozen=True, slots=True)
class RunLog:
    """Collects the failures and warnings of one run. Not thread-safe."""

    failures: list[RunFailure] = field(default_factory=list[RunFailure])
    _warnings: dict[str, None] = field(default_factory=dict[str, None])

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings in order, each once."""
        return tuple(self._warnings)

    def warn(self, lines: Iterable[str]) -> None:
        """Add warnings."""
        self._warnings.update(dict.fromkeys(lines))

    def record_failure(
        self, record: ArticleRecord, error: Exception, *, is_temporary: bool = False
    ) -> ArticleRecord:
        """Note that an article failed. Returns its record, with one more attempt, to be saved."""
        if isinstance(error, OSError):  # of its file
            error = SourceMissing(f"{error}.")
        self.failures.append(RunFailure(record.url or record.title or record.id, error))
        n_attempts = record.attempts + 1
        return replace(record, attempts=n_attempts, failure=str(error), is_temporary=is_temporary)


def with_progress(items: Iterable[T], step: Step, n_items: int, progress: Progress) -> Iterator[T]:
    """The items, each of which is so much of a step."""
    progress.begin(step, n_items)
    for item in items:
        progress.advance(step, 1)
        yield item


@contextmanager
def one_episode(context: RunContext) -> Generator[RunContext]:
    """A context for the run of one episode, which is 1 of Step.FINISH when the block ends."""
    progress = _EpisodeProgress(context.progress)
    try:
        yield RunContext(progress, context.stop)
    finally:
        progress.complete()


class _EpisodeProgress:
    """Shows how far an episode is encoded as a part of Step.FINISH; the rest takes no time."""

    def __init__(self, whole: Progress) -> None:
        self._whole = whole
        self._total = 1.0
        self._done = 0.0  # of the episode, up to 1

    def begin(self, step: Step, total: float) -> None:
        """Implement `Progress.begin`."""
        if step is Step.ENCODE:
            self._total = max(total, 1e-9)

    def advance(self, step: Step, done: float) -> None:
        """Implement `Progress.advance`."""
        if step is Step.ENCODE:
            self._add(done / self._total)

    def extend(self, step: Step, more: float) -> None:
        """Implement `Progress.extend`; what an episode has already done stays."""
        if step is Step.ENCODE:
            self._total = max(self._total + more, 1e-9)

    def complete(self) -> None:
        """The episode is made, or has failed."""
        self._add(1.0)

    def _add(self, part: float) -> None:
        part = min(part, 1.0 - self._done)
        self._done += part
        self._whole.advance(Step.FINISH, part)
