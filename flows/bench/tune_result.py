"""What tuning found: its table and its JSON. Plain frozen data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from flows.bench.aligned import aligned
from flows.bench.result import SCHEMA, short
from flows.bench.search import Tried, default_of
from flows.tuned import Choice

NONE = "–"


@dataclass(frozen=True, slots=True)
class ReadingRate:
    """Text to phonemes, beside what is spoken of it. Characters a second."""

    read_per_s: float | str  # by one process, or why that is not known
    spoken_per_s: float
    default_workers: int

    @property
    def words(self) -> str:
        """For people."""
        if isinstance(self.read_per_s, str):
            return f"Text to phonemes was not measured: {self.read_per_s}."
        return (
            f"One process turns {self.read_per_s:,.0f} characters a second into phonemes,"
            f" {self.spoken_per_s:,.0f} are spoken; by the cores there are {self.default_workers}."
        )


@dataclass(frozen=True, slots=True)
class Found:
    """All that was tried, and what is best."""

    choice: Choice
    tried: tuple[Tried, ...]  # the default first, if it could be loaded
    chosen: Tried
    audio_s: float  # of a pass
    reading: ReadingRate
    took_s: float
    device: str
    weights: str  # a SHA-256 in hexadecimal, or "random"
    costs_as_official: bool  # whether the model that was measured is of the official size
    date: str  # UTC, ISO 8601

    @property
    def is_default(self) -> bool:
        """Whether nothing is better than what holds anyhow."""
        return self.choice == Choice()

    @property
    def speed(self) -> float:
        """Seconds of audio a second, as chosen."""
        return self.audio_s / self.chosen.median_s

    @property
    def default_speed(self) -> float:
        """Likewise, by default."""
        return self.audio_s / default_of(self.tried).median_s

    def table(self) -> str:
        """Everything that a person is shown but for where it is kept, in lines."""
        return "\n".join(self._lines())

    def json(self) -> dict[str, Any]:
        """One object; see docs/benchmark.md."""
        return {
            "schema": SCHEMA,
            "tuning": "audiomill bench --tune",
            "date": self.date,
            "device": self.device,
            "weights": self.weights,
            "choice": asdict(self.choice),
            "is_default": self.is_default,
            "tried": [self._tried(one) for one in self.tried],
            "characters_read_per_s": self.reading.read_per_s,
            "characters_spoken_per_s": short(self.reading.spoken_per_s),
            "took_s": short(self.took_s),
        }

    def _lines(self) -> Iterator[str]:
        titles = ["x real time", "spread", "passes", ""]
        cells = [titles, *([*self._cells(one)] for one in self.tried)]
        yield from aligned(["", *(one.variant.name for one in self.tried)], cells)
        yield self.reading.words
        chosen = ", ".join(f"{name} {value}" for name, value in asdict(self.choice).items())
        why = " (nothing is surely better than the defaults)" if self.is_default else ""
        yield f"Best on {self.device}: {chosen}{why}. Found in {self.took_s:.0f} s."

    def _cells(self, one: Tried) -> Iterator[str]:
        yield f"{self.audio_s / one.median_s:,.2f}" if one.walls else NONE
        yield NONE if one.spread is None else f"{one.spread:.1%}"
        yield str(len(one.walls))
        marks = (
            one is default_of(self.tried) and "default",
            one is self.chosen and "best",
            one.dropped,
        )
        yield ", ".join(mark for mark in marks if mark)

    def _tried(self, one: Tried) -> dict[str, Any]:
        return {
            "name": one.variant.name,
            "precision": one.variant.precision,
            "batch_frames": one.variant.batch_frames,
            "wall_s": [short(wall) for wall in one.walls],
            "spread": short(one.spread),
            "dropped": one.dropped,
        }
