"""The comparison with rivals as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audiomill.flows.bench.table import Column, in_unit, table
from benchmarks.rivals.comparison import RivalResult


def rival_table(comparison: RivalResult) -> str:
    """The whole comparison as lines of text."""
    rates = comparison.rates
    columns = (
        Column("TFLOP/s", lambda row: in_unit(1e12, rates(row).flop_per_s), ",.3g"),
        Column("of ceiling", lambda row: rates(row).ceiling_share, ".1%"),
        Column("GB/s", lambda row: in_unit(1e9, rates(row).bytes_per_s), ",.3g"),
        Column("of copy", lambda row: rates(row).copy_share, ".1%"),
    )
    ceilings = comparison.ceilings.items()
    lines = [line for name, found in ceilings for line in _ceiling_line(name, found)]
    return table(comparison.result, columns, lines)


def _ceiling_line(name: str, ceilings: Mapping[str, float]) -> Iterator[str]:
    """The measured limits of a device in one line, if there are any."""
    words = [
        f"{one.removesuffix('_flops')} {rate / 1e12:,.3g} TFLOP/s"
        for one, rate in ceilings.items()
        if one.endswith("_flops")
    ]
    if copied := ceilings.get("copy_bytes_per_s"):
        words.append(f"copies {copied / 1e9:,.4g} GB/s")
    if words:
        yield f"{name} at most: {', '.join(words)}"
