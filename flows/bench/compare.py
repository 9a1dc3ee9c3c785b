"""The comparison of two results of the benchmark: which is faster, and what else differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from audiomill.flows.bench.result import BENCHMARK, RESULT_FILE, SCHEMA, rounded
from audiomill.flows.bench.statistics import Verdict, verdict
from audiomill.flows.bench.table import MIB, NONE, align_columns, in_unit
from audiomill.inputs.files import read_regular
from audiomill.inputs.json_text import parse_json

Key = tuple[str, str]  # mode and name of a variant

# What must be equal, with the message for results in which it is not.
MUST_MATCH = {
    "text": "They spoke different texts",
    "voice": "They spoke with different voices",
    "weights": "One has random weights and the other real ones, or they are of different releases",
}
TITLES = ("A", "B", "B / A", "", "RAM MiB", "GPU MiB", "fill")


class NotComparable(Exception):
    """Two results cannot be compared, or a file is not a result. Says why."""


@dataclass(frozen=True, slots=True)
class SavedVariant:
    """The figures of one variant, read from a file."""

    speed: float  # seconds of audio per second
    median_s: float  # of a pass
    spread: float | None
    peak_ram_bytes: int | None
    peak_gpu_bytes: int | None
    batch_fill: float | None


@dataclass(frozen=True, slots=True)
class SavedResult:
    """A result, read from a file."""

    path: Path
    must_match: Mapping[str, str]  # by the names of `MUST_MATCH`
    facts: Mapping[str, object]  # what it ran on, by dotted names
    variants: Mapping[Key, SavedVariant]
    warnings: Sequence[str]


@dataclass(frozen=True, slots=True)
class VariantPair:
    """A variant that both results have."""

    mode: str
    name: str
    a: SavedVariant
    b: SavedVariant

    @property
    def ratio(self) -> float:
        """How many times as fast B is as A through the same text, by the medians."""
        return self.a.median_s / self.b.median_s

    @property
    def spread(self) -> float | None:
        """The larger spread, on which the verdict rests; None if one was measured once."""
        known = [one for one in (self.a.spread, self.b.spread) if one is not None]
        return max(known) if len(known) == 2 else None

    @property
    def verdict(self) -> Verdict:
        """The verdict on B, compared with A."""
        return verdict(self.ratio, (self.a.spread, self.b.spread))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of two results."""

    a: SavedResult
    b: SavedResult
    pairs: tuple[VariantPair, ...]

    @property
    def only_a(self) -> tuple[Key, ...]:
        """Variants that B lacks, for example because of their device or precision."""
        return tuple(key for key in self.a.variants if key not in self.b.variants)

    @property
    def only_b(self) -> tuple[Key, ...]:
        """Variants that A lacks."""
        return tuple(key for key in self.b.variants if key not in self.a.variants)

    @property
    def differences(self) -> dict[str, tuple[object, object]]:
        """Facts of machine, devices, versions and commit that differ; None: missing."""
        return _differing(self.a.facts, self.b.facts)

    def json(self) -> dict[str, Any]:
        """One object; see docs/benchmark.md."""
        return {
            "schema": SCHEMA,
            "comparison": "audiomill bench --compare",
            "a": str(self.a.path),
            "b": str(self.b.path),
            "variants": [self._pair_json(pair) for pair in self.pairs],
            "only_a": [list(key) for key in self.only_a],
            "only_b": [list(key) for key in self.only_b],
            "differences": {name: list(both) for name, both in self.differences.items()},
            "warnings": {"a": list(self.a.warnings), "b": list(self.b.warnings)},
        }

    def _pair_json(self, pair: VariantPair) -> dict[str, Any]:
        values = {
            "mode": pair.mode,
            "name": pair.name,
            "a": asdict(pair.a),
            "b": asdict(pair.b),
            "ratio": pair.ratio,
            "spread": pair.spread,
            "verdict": pair.verdict,
        }
        return {name: rounded(value) for name, value in values.items()}


def compare(a: SavedResult, b: SavedResult) -> Comparison:
    """The comparison. Raises NotComparable, with the reason, if it would be meaningless."""
    for name, message in MUST_MATCH.items():
        if a.must_match[name] != b.must_match[name]:
            raise NotComparable(
                f"{a.path} and {b.path} cannot be compared. {message}:"
                f" {a.must_match[name] or 'none'} and {b.must_match[name] or 'none'}."
            )
    common = (key for key in a.variants if key in b.variants)
    pairs = tuple(VariantPair(*key, a.variants[key], b.variants[key]) for key in common)
    if not pairs:
        raise NotComparable(
            f"{a.path} and {b.path} have no variant in common: {_names(a)}, and {_names(b)}."
            " Measure both on the same device and in the same precision: --device, --precision."
        )
    return Comparison(a, b, pairs)


def _names(result: SavedResult) -> str:
    return "; ".join(name for _, name in result.variants) or "none at all"


def _differing(
    a: Mapping[str, object], b: Mapping[str, object]
) -> dict[str, tuple[object, object]]:
    names = dict.fromkeys((*a, *b))
    return {name: (a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name)}


def read_result(path: Path) -> SavedResult:
    """The result in a JSON file, or in `bench.json` in a folder.

    Raises NotComparable if the file cannot be read or is not a result of this schema.
    """
    path = path / RESULT_FILE if path.is_dir() else path
    try:
        document = parse_json(read_regular(path))
        if document["benchmark"] != BENCHMARK:
            raise NotComparable(f"{path} is no result of {BENCHMARK}.")
        if document["schema"] != SCHEMA:
            raise NotComparable(
                f"{path} is of schema {document['schema']}, in which figures mean something else;"
                f" this version reads schema {SCHEMA}. Measure again with it."
            )
        return _saved_result(path, document)
    except OSError as error:
        raise NotComparable(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotComparable(f"{path} is no result of {BENCHMARK}, or is damaged.") from error


def _saved_result(path: Path, document: Mapping[str, Any]) -> SavedResult:
    text = document["text"]
    facts = dict(_flat("", {name: document[name] for name in ("machine", "devices", "versions")}))
    return SavedResult(
        path=path,
        must_match={
            "text": f"“{text['title']}”, {text['words']} words ({text['sha256'][:12]})",
            "voice": str(text["voice"]),
            "weights": str(document["weights"]),
        },
        facts=facts | {name: document[name] for name in ("commit", "repeat")},
        variants={(one["mode"], one["name"]): _saved_variant(one) for one in document["variants"]},
        warnings=tuple(map(str, document["warnings"])),
    )


def _saved_variant(document: Mapping[str, Any]) -> SavedVariant:
    """Raises KeyError, TypeError, ValueError for a figure that is missing or is not a number."""
    spread = document["spread"]
    return SavedVariant(
        speed=_positive(document["speed"]),
        median_s=_positive(median(map(float, document["wall_s"]))),
        spread=None if spread is None else float(spread),
        peak_ram_bytes=document["peak_ram_bytes"],
        peak_gpu_bytes=document["peak_gpu_bytes"],
        batch_fill=document["batch_fill"],
    )


def _positive(value: Any) -> float:
    if not float(value) > 0:
        raise ValueError(value)
    return float(value)


def _flat(name: str, value: Any) -> list[tuple[str, Any]]:
    """Leaves by their dotted names, without the load of the machine, which always differs."""
    if not isinstance(value, dict):
        return [] if ".load_" in name else [(name, value)]
    return [
        leaf
        for key, one in value.items()  # type: ignore[reportUnknownVariableType]
        for leaf in _flat(f"{name}.{key}".lstrip("."), one)
    ]


def comparison_table(comparison: Comparison) -> str:
    """The whole comparison as lines of text."""
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
    for name, (fact_a, fact_b) in differing.items():
        yield f"  {name}: {_fact_cell(fact_a)} and {_fact_cell(fact_b)}"
    for which, result in (("A", a), ("B", b)):
        yield from (f"Warning of {which}: {warning}" for warning in result.warnings)


def _cells(pair: VariantPair) -> list[str]:
    a, b = pair.a, pair.b
    return [
        f"{a.speed:,.2f} {_spread_cell(a.spread)}",
        f"{b.speed:,.2f} {_spread_cell(b.spread)}",
        f"{pair.ratio:.3f} {_spread_cell(pair.spread)}",
        pair.verdict,
        _change_cell(in_unit(MIB, a.peak_ram_bytes), in_unit(MIB, b.peak_ram_bytes), ",.0f"),
        _change_cell(in_unit(MIB, a.peak_gpu_bytes), in_unit(MIB, b.peak_gpu_bytes), ",.0f"),
        _change_cell(a.batch_fill, b.batch_fill, ".1%"),
    ]


def _spread_cell(spread: float | None) -> str:
    """The spread as a tolerance."""
    return "(once)" if spread is None else f"± {spread:.1%}"


def _change_cell(a: float | None, b: float | None, form: str) -> str:
    values = [NONE if one is None else format(one, form) for one in (a, b)]
    return NONE if a is b is None else " → ".join(values)


def _only(which: str, keys: Sequence[Key]) -> Iterator[str]:
    for mode, name in keys:
        yield f"Only in {which}: {name}, {mode}"


def _fact_cell(fact: object) -> str:
    return "not there" if fact is None else str(fact)
