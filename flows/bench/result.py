"""The result of a benchmark: measurements, the rows that follow from them, and the JSON. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any, cast

from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.statistics import Figures, Pass, Stages, figures_of
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.host.hardware import Machine

BENCHMARK = "audiomill bench"
RESULT_FILE = "bench.json"  # in the folder of --out
SCHEMA = 5  # raised when a field of the JSON changes its meaning, or is removed
# Seconds of measuring. A shorter run says nothing about how far the next one may be from it.
SHORT_RUN_S = 20.0


@dataclass(frozen=True, slots=True)
class SkippedVariant:
    """A variant that was not measured, and why."""

    variant: Variant
    reason: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The figures of one variant."""

    variant: Variant
    figures: Figures
    stages: Stages | None  # of an end-to-end variant
    n_segments: int
    n_chars: int
    voice: str
    ratio: float  # how many times as fast as the reference of its mode, through the same text


@dataclass(frozen=True, slots=True)
class Measurements:
    """Everything that was measured, by variant, in the order of the table."""

    passes: dict[Variant, list[Pass]] = field(default_factory=dict[Variant, list[Pass]])
    # Of each device: what the engine of the first variant there runs on.
    facts: dict[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    cancellation_s: dict[Variant, float] = field(default_factory=dict[Variant, float])
    stages: dict[Variant, Stages] = field(default_factory=dict[Variant, Stages])
    skipped: list[SkippedVariant] = field(default_factory=list[SkippedVariant])

    def references(self) -> dict[Mode, Variant]:
        """The variant that others of a mode are compared with: the first that was measured."""
        first = {variant.mode: variant for variant in reversed(self.passes)}
        return {mode: first[mode] for mode in Mode if mode in first}

    def rows(
        self,
        text: BenchText,
        texts: Mapping[str, BenchText] | None = None,
    ) -> tuple[ResultRow, ...]:
        """A row for each variant that was measured.

        `texts`: the text as each engine was given it, of those that are measured from it.
        """
        texts = texts or {}
        medians_s, references = self._medians_s(), self.references()
        return tuple(
            self._row(
                variant,
                texts.get(variant.engine, text),
                medians_s[references[variant.mode]] / medians_s[variant],
            )
            for variant in medians_s
        )

    def _row(self, variant: Variant, text: BenchText, ratio: float) -> ResultRow:
        lines = text.lines(variant.chunking)
        n_chars = sum(line.n_chars for line in lines)
        figures = figures_of(self.passes[variant], n_chars, self.cancellation_s.get(variant))
        return ResultRow(
            variant=variant,
            figures=figures,
            stages=self.stages.get(variant),
            n_segments=len(lines),
            n_chars=n_chars,
            voice=text.voice,
            ratio=ratio,
        )

    def _medians_s(self) -> dict[Variant, float]:
        """The median time of a pass of each variant."""
        return {
            variant: median(one.wall_s for one in passes) for variant, passes in self.passes.items()
        }


@dataclass(frozen=True, slots=True)
class Result:
    """The whole result, with everything that is needed to compare two machines."""

    mark: str
    text: BenchText
    machine: Machine
    devices: Mapping[str, Mapping[str, object]]  # the facts of each device
    versions: Mapping[str, str]
    commit: str | None
    date: str  # UTC, ISO 8601
    load_after: float | None
    weights: str  # a SHA-256 in hexadecimal, "random", or "" for an engine without weights
    repeat: int
    rows: tuple[ResultRow, ...]
    references: Mapping[Mode, Variant]
    skipped: tuple[SkippedVariant, ...]
    is_interrupted: bool = False  # by Ctrl-C: not all passes were made

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons to doubt the figures, as sentences."""
        cut_off = ("Interrupted: the figures are those of the passes that were finished.",)
        interrupted = cut_off if self.is_interrupted else ()
        return (*interrupted, *self._load_warnings(), *self._duration_warnings())

    def json(self) -> dict[str, Any]:
        """One object; see docs/benchmark.md."""
        return {
            "schema": SCHEMA,
            "benchmark": BENCHMARK,
            "date": self.date,
            "commit": self.commit,
            "weights": self.weights,
            "text": {
                "title": self.text.title,
                "sha256": self.text.sha256,
                "words": self.text.n_words,
                "passages": len(self.text.passages),
                "voice": self.text.voice,
            },
            "repeat": self.repeat,
            "machine": asdict(self.machine) | {"load_after": self.load_after},
            "devices": {
                name: {fact: rounded(value) for fact, value in facts.items()}
                for name, facts in self.devices.items()
            },
            "versions": dict(self.versions),
            "references": {mode: variant.name for mode, variant in self.references.items()},
            "variants": [self._row_json(row) for row in self.rows],
            "not_measured": [
                {"mode": one.variant.mode, "name": one.variant.name, "reason": one.reason}
                for one in self.skipped
            ],
            "interrupted": self.is_interrupted,
            "warnings": list(self.warnings),
        }

    def _load_warnings(self) -> Iterator[str]:
        if self.machine.is_busy:
            yield (
                f"The machine was busy: a load of {self.machine.load_before:g} on"
                f" {self.machine.usable_cores} cores before the start. Figures are worse than they"
                " could be."
            )

    def _duration_warnings(self) -> Iterator[str]:
        measured_s = sum(sum(row.figures.wall_s) for row in self.rows)
        if measured_s < SHORT_RUN_S:
            yield (
                f"All passes took {measured_s:.1f} s together. What disturbs the machine for longer"
                " than that is not in the spread: choose more --words."
            )

    def _row_json(self, row: ResultRow) -> dict[str, Any]:
        return (
            {"name": row.variant.name, "weights": self.weights}
            | asdict(row.variant)
            | {"voice": row.voice, "segments": row.n_segments, "characters": row.n_chars}
            | {"ratio": rounded(row.ratio)}
            | {name: rounded(value) for name, value in asdict(row.figures).items()}
            | {name: rounded(value) for name, value in asdict(row.stages or Stages()).items()}
        )


def rounded(value: Any) -> Any:
    """Floats with six significant digits, which is more than measurements are good for."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in cast("dict[str, Any]", value).items()}
    return [rounded(one) for one in value] if isinstance(value, tuple) else value
