"""A comparison as a table for people. Pure. A is what was before, B what is held to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from flows.bench.aligned import aligned
from flows.bench.comparison import Comparison, Pair
from flows.bench.measured import Key, Measured

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
        yield from aligned([mode, *(pair.name for pair in pairs)], cells)
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
        _both(a.peak_ram_bytes / MIB, b.peak_ram_bytes / MIB, ",.0f"),
        _both(_mib(a), _mib(b), ",.0f"),
        _both(a.batch_fill, b.batch_fill, ".1%"),
        _both(a.ceiling_share, b.ceiling_share, ".1%"),
    ]


def _about(spread: float | None) -> str:
    """The spread, as what may be added or taken away."""
    return "(once)" if spread is None else f"± {spread:.1%}"


def _both(a: float | None, b: float | None, form: str) -> str:
    said = [NONE if one is None else format(one, form) for one in (a, b)]
    return NONE if a is b is None else " → ".join(said)


def _mib(one: Measured) -> float | None:
    return None if one.peak_gpu_bytes is None else one.peak_gpu_bytes / MIB


def _only(which: str, keys: Sequence[Key]) -> Iterator[str]:
    for mode, name in keys:
        yield f"Only in {which}: {name}, {mode}"


def _said(fact: object) -> str:
    return "not there" if fact is None else str(fact)
