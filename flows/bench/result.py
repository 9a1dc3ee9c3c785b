"""What a benchmark found, and its JSON. Plain frozen data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.statistics import Figures, Share, Stages
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.host.hardware import Machine

BENCHMARK = "audiomill bench"
SCHEMA = 4  # raised when a field of the JSON changes its meaning, or goes
BRIEF_S = 20.0  # of measuring; less says nothing of how far the next run may be from this


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One variant, measured."""

    variant: Variant
    figures: Figures
    stages: Stages | None  # of what was run end to end
    n_segments: int
    n_chars: int
    ratio: float  # to the reference of its mode: how many times as fast through the same text
    share: Share


@dataclass(frozen=True, slots=True)
class Passed:
    """A variant that was not measured, and why."""

    variant: Variant
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that is needed to compare two machines."""

    mark: str
    subject: BenchText
    machine: Machine
    devices: Mapping[str, Mapping[str, object]]  # what each device of the run is
    versions: Mapping[str, str]
    commit: str | None
    date: str  # UTC, ISO 8601
    load_after: float | None
    weights: str  # a SHA-256 in hexadecimal, "random", or "" for an engine without
    repeat: int
    rows: tuple[ResultRow, ...]
    references: Mapping[Mode, Variant]
    passed: tuple[Passed, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever reads the figures should know of them."""
        return (*self._busy(), *self._brief())

    def json(self) -> dict[str, Any]:
        """One object; see docs/benchmark.md."""
        return {
            "schema": SCHEMA,
            "benchmark": BENCHMARK,
            "date": self.date,
            "commit": self.commit,
            "weights": self.weights,
            "text": {
                "title": self.subject.title,
                "sha256": self.subject.sha256,
                "words": self.subject.n_words,
                "passages": len(self.subject.passages),
                "voice": self.subject.voice,
            },
            "repeat": self.repeat,
            "machine": asdict(self.machine) | {"load_after": self.load_after},
            "devices": {
                name: {fact: short(value) for fact, value in facts.items()}
                for name, facts in self.devices.items()
            },
            "versions": dict(self.versions),
            "references": {mode: variant.name for mode, variant in self.references.items()},
            "variants": [self._row(row) for row in self.rows],
            "not_measured": [
                {"mode": one.variant.mode, "name": one.variant.name, "reason": one.reason}
                for one in self.passed
            ],
            "warnings": list(self.warnings),
        }

    def _busy(self) -> Iterator[str]:
        if self.machine.is_busy:
            yield (
                f"The machine was busy: a load of {self.machine.load_before:g} on"
                f" {self.machine.usable_cores} cores before the start. Figures are worse than they"
                " could be."
            )

    def _brief(self) -> Iterator[str]:
        measured_s = sum(sum(row.figures.wall_s) for row in self.rows)
        if measured_s < BRIEF_S:
            yield (
                f"All passes took {measured_s:.1f} s together. What disturbs the machine for longer"
                " than that is not in the spread: choose more --words."
            )

    def _row(self, row: ResultRow) -> dict[str, Any]:
        return (
            {"name": row.variant.name, "weights": self.weights}
            | asdict(row.variant)
            | {"segments": row.n_segments, "characters": row.n_chars, "ratio": short(row.ratio)}
            | {name: short(value) for name, value in asdict(row.figures).items()}
            | {name: short(value) for name, value in asdict(row.share).items()}
            | {name: short(value) for name, value in asdict(row.stages or Stages()).items()}
        )


def short(value: Any) -> Any:
    """Six digits are more than was measured."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: short(one) for name, one in cast("dict[str, Any]", value).items()}
    return [short(one) for one in value] if isinstance(value, tuple) else value
