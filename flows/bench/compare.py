"""Two results of the benchmark side by side: what is faster, and what else differs. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from audiomill.flows.bench.result import BENCHMARK, SCHEMA, short
from audiomill.flows.bench.statistics import Verdict, verdict
from audiomill.flows.bench.table import align_columns

# A result of the benchmark, read back from its JSON.

Key = tuple[str, str]  # mode and name of a variant

# What must be the same, and what to say of two that differ.
SAME = {
    "text": "They spoke different texts",
    "voice": "They spoke with different voices",
    "weights": "One has random weights and the other real ones, or they are of different releases",
}


class NotComparable(Exception):
    """What two files hold cannot be set side by side, or one is no result. Says why."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One variant."""

    speed: float  # seconds of audio a second
    median_s: float  # of a pass
    spread: float | None
    peak_ram_bytes: int
    peak_gpu_bytes: int | None
    batch_fill: float | None
    ceiling_share: float | None


@dataclass(frozen=True, slots=True)
class SavedResult:
    """One run."""

    path: Path
    same: Mapping[str, str]  # what both must have in common: see `SAME`
    facts: Mapping[str, object]  # what it ran on, by dotted names
    ceilings: Mapping[str, float]  # likewise
    variants: Mapping[Key, Measured]
    warnings: Sequence[str]


def read_result(path: Path) -> SavedResult:
    """Raises NotComparable for what cannot be read or is no result of this schema."""
    try:
        written = json.loads(path.read_bytes())
        if written["benchmark"] != BENCHMARK:
            raise NotComparable(f"{path} is no result of {BENCHMARK}.")
        if written["schema"] != SCHEMA:
            raise NotComparable(
                f"{path} is of schema {written['schema']}, in which figures mean something else;"
                f" this version reads schema {SCHEMA}. Measure again with it."
            )
        return _told(path, written)
    except OSError as error:
        raise NotComparable(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NotComparable(f"{path} is no result of {BENCHMARK}, or is damaged.") from error


def _told(path: Path, written: Mapping[str, Any]) -> SavedResult:
    text = written["text"]
    facts = dict(_flat("", {name: written[name] for name in ("machine", "devices", "versions")}))
    ceilings = {name: float(facts.pop(name)) for name in [*facts] if ".ceilings." in name}
    return SavedResult(
        path=path,
        same={
            "text": f"“{text['title']}”, {text['words']} words ({text['sha256'][:12]})",
            "voice": str(text["voice"]),
            "weights": str(written["weights"]),
        },
        facts=facts | {name: written[name] for name in ("commit", "repeat")},
        ceilings=ceilings,
        variants={(one["mode"], one["name"]): _measured(one) for one in written["variants"]},
        warnings=tuple(map(str, written["warnings"])),
    )


def _measured(one: Mapping[str, Any]) -> Measured:
    """Raises KeyError, TypeError, ValueError for what is not there or is no number."""
    spread = one["spread"]
    return Measured(
        speed=_positive(one["speed"]),
        median_s=_positive(median(map(float, one["wall_s"]))),
        spread=None if spread is None else float(spread),
        peak_ram_bytes=int(one["peak_ram_bytes"]),
        peak_gpu_bytes=one["peak_gpu_bytes"],
        batch_fill=one["batch_fill"],
        ceiling_share=one["ceiling_share"],
    )


def _positive(value: Any) -> float:
    if not float(value) > 0:
        raise ValueError(value)
    return float(value)


def _flat(name: str, value: Any) -> list[tuple[str, Any]]:
    """Leaves by their dotted names; load is left out, which is never the same."""
    if not isinstance(value, dict):
        return [] if ".load_" in name else [(name, value)]
    return [
        leaf
        for key, one in value.items()  # type: ignore[reportUnknownVariableType]
        for leaf in _flat(f"{name}.{key}".lstrip("."), one)
    ]


@dataclass(frozen=True, slots=True)
class Pair:
    """A variant that both have."""

    mode: str
    name: str
    a: Measured
    b: Measured

    @property
    def ratio(self) -> float:
        """How many times as fast B is as A through the same text, by the medians."""
        return self.a.median_s / self.b.median_s

    @property
    def spread(self) -> float | None:
        """The larger of both, which the verdict goes by; None where one was measured once."""
        known = [one for one in (self.a.spread, self.b.spread) if one is not None]
        return max(known) if len(known) == 2 else None

    @property
    def verdict(self) -> Verdict:
        """What B is, as against A."""
        return verdict(self.ratio, (self.a.spread, self.b.spread))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that can be said of two runs."""

    a: SavedResult
    b: SavedResult
    pairs: tuple[Pair, ...]

    @property
    def only_a(self) -> tuple[Key, ...]:
        """Variants, and with them devices and precisions, that B lacks."""
        return tuple(key for key in self.a.variants if key not in self.b.variants)

    @property
    def only_b(self) -> tuple[Key, ...]:
        """Those that A lacks."""
        return tuple(key for key in self.b.variants if key not in self.a.variants)

    @property
    def differences(self) -> dict[str, tuple[object, object]]:
        """What of machines, devices, versions and commits is not the same; None: not there."""
        return _differing(self.a.facts, self.b.facts)

    def json(self) -> dict[str, Any]:
        """One object; see docs/benchmark.md."""
        return {
            "schema": SCHEMA,
            "comparison": "audiomill bench --compare",
            "a": str(self.a.path),
            "b": str(self.b.path),
            "variants": [self._pair(pair) for pair in self.pairs],
            "only_a": [list(key) for key in self.only_a],
            "only_b": [list(key) for key in self.only_b],
            "differences": {name: list(both) for name, both in self.differences.items()},
            "ceilings": {
                name: list(both)
                for name, both in _differing(self.a.ceilings, self.b.ceilings).items()
            },
            "warnings": {"a": list(self.a.warnings), "b": list(self.b.warnings)},
        }

    def _pair(self, pair: Pair) -> dict[str, Any]:
        told = {"ratio": pair.ratio, "spread": pair.spread, "verdict": pair.verdict}
        own = {"mode": pair.mode, "name": pair.name, "a": asdict(pair.a), "b": asdict(pair.b)}
        return {name: short(value) for name, value in (own | told).items()}


def compare(a: SavedResult, b: SavedResult) -> Comparison:
    """Raises NotComparable, which says why, for what would compare apples with pears."""
    for name, words in SAME.items():
        if a.same[name] != b.same[name]:
            raise NotComparable(
                f"{a.path} and {b.path} cannot be compared. {words}: {a.same[name] or 'none'}"
                f" and {b.same[name] or 'none'}."
            )
    pairs = tuple(Pair(*key, a.variants[key], b.variants[key]) for key in _both(a, b))
    if not pairs:
        raise NotComparable(
            f"{a.path} and {b.path} have no variant in common: {_named(a)}, and {_named(b)}."
            " Measure both on the same device and in the same precision: --device, --precision."
        )
    return Comparison(a, b, pairs)


def _both(a: SavedResult, b: SavedResult) -> Iterator[Key]:
    return (key for key in a.variants if key in b.variants)


def _named(told: SavedResult) -> str:
    return "; ".join(name for _, name in told.variants) or "none at all"


def _differing(
    a: Mapping[str, object], b: Mapping[str, object]
) -> dict[str, tuple[object, object]]:
    names = dict.fromkeys((*a, *b))
    return {name: (a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name)}


# A comparison as a table for people.

MIB = 1 << 20
NONE = "–"
TITLES = ("A", "B", "B / A", "", "RAM MiB", "GPU MiB", "fill", "of ceiling")


def comparison_table(comparison: Comparison) -> str:
    """Everything that a person is shown, in lines."""
    return "\n".join(_lines(comparison))


def _lines(comparison: Comparison) -> Iterator[str]:
    a, b = comparison.a, comparison.b
    yield f"A is {a.path}, B is {b.path}. Speeds are seconds of audio a second."
    for mode, group in groupby(comparison.pairs, key=lambda pair: pair.mode):
        pairs = [*group]
        yield ""
        cells = [list(TITLES), *map(_cells, pairs)]
        yield from align_columns([mode, *(pair.name for pair in pairs)], cells)
    yield ""
    yield from _only("A", comparison.only_a)
    yield from _only("B", comparison.only_b)
    differing = comparison.differences
    yield "What else differs:" if differing else "The same machine, devices, versions and commit."
    for name, (one, other) in differing.items():
        yield f"  {name}: {_said(one)} and {_said(other)}"
    for name in sorted({*a.ceilings} & {*b.ceilings}):
        yield f"  {name}: {a.ceilings[name]:.3g} and {b.ceilings[name]:.3g}"
    for which, told in (("A", a), ("B", b)):
        yield from (f"Warning of {which}: {warning}" for warning in told.warnings)


def _cells(pair: Pair) -> list[str]:
    a, b = pair.a, pair.b
    return [
        f"{a.speed:,.2f} {_about(a.spread)}",
        f"{b.speed:,.2f} {_about(b.spread)}",
        f"{pair.ratio:.3f} {_about(pair.spread)}",
        pair.verdict,
        _both_told(a.peak_ram_bytes / MIB, b.peak_ram_bytes / MIB, ",.0f"),
        _both_told(_mib(a), _mib(b), ",.0f"),
        _both_told(a.batch_fill, b.batch_fill, ".1%"),
        _both_told(a.ceiling_share, b.ceiling_share, ".1%"),
    ]


def _about(spread: float | None) -> str:
    """The spread, as what may be added or taken away."""
    return "(once)" if spread is None else f"± {spread:.1%}"


def _both_told(a: float | None, b: float | None, form: str) -> str:
    said = [NONE if one is None else format(one, form) for one in (a, b)]
    return NONE if a is b is None else " → ".join(said)


def _mib(one: Measured) -> float | None:
    return None if one.peak_gpu_bytes is None else one.peak_gpu_bytes / MIB


def _only(which: str, keys: Sequence[Key]) -> Iterator[str]:
    for mode, name in keys:
        yield f"Only in {which}: {name}, {mode}"


def _said(fact: object) -> str:
    return "not there" if fact is None else str(fact)
