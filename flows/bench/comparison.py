"""Two results of the benchmark side by side: what is faster, and what else differs. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from flows.bench.measured import SAME, Key, Measured, NotComparable, Told
from flows.bench.result import SCHEMA, short
from flows.bench.spread import Verdict, verdict


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

    a: Told
    b: Told
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


def compare(a: Told, b: Told) -> Comparison:
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


def _both(a: Told, b: Told) -> Iterator[Key]:
    return (key for key in a.variants if key in b.variants)


def _named(told: Told) -> str:
    return "; ".join(name for _, name in told.variants) or "none at all"


def _differing(
    a: Mapping[str, object], b: Mapping[str, object]
) -> dict[str, tuple[object, object]]:
    names = dict.fromkeys((*a, *b))
    return {name: (a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name)}
