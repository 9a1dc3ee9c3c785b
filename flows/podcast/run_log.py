"""What a run of a podcast has to say besides its episodes: what failed in it, and warnings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from audiomill.flows.podcast.state import ArticleRecord
from audiomill.inputs.book import SourceMissing


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

    def failed(
        self, record: ArticleRecord, error: Exception, *, is_temporary: bool = False
    ) -> ArticleRecord:
        """Note that an article failed. Returns its record, with one more attempt, to be saved."""
        if isinstance(error, OSError):  # of its file
            error = SourceMissing(f"{error}.")
        self.failures.append(RunFailure(record.url or record.title or record.id, error))
        n_attempts = record.attempts + 1
        return replace(record, attempts=n_attempts, failure=str(error), is_temporary=is_temporary)
