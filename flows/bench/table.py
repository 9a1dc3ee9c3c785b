"""The result as a table for people. Pure. A row for each variant, a table for each mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from flows.bench.aligned import aligned
from flows.bench.figures import Stages
from flows.bench.result import Result, Row
from flows.bench.variants import Mode

MIB, GIB = 1 << 20, 1 << 30
NONE = "–"  # makes no sense here, or was not measured


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of every row."""

    title: str
    value: Callable[[Row], float | None]
    form: str  # a format specification

    def cell(self, row: Row) -> str:
        """What stands in `row`."""
        value = self.value(row)
        return NONE if value is None else format(value, self.form)


COLUMNS = (
    Column("x real time", lambda row: row.figures.speed, ",.2f"),
    Column("RTF", lambda row: row.figures.real_time_factor, ".4f"),
    Column("spread", lambda row: row.figures.spread, ".1%"),
    Column("chars/s", lambda row: row.figures.characters_per_s, ",.0f"),
    Column("first s", lambda row: row.figures.first_audio_s, ".2f"),
    Column("cadence s", lambda row: row.figures.cadence_median_s, ".3f"),
    Column("p95 s", lambda row: row.figures.cadence_p95_s, ".2f"),
    Column("stop s", lambda row: row.figures.cancellation_s, ".2f"),
    Column("rows", lambda row: row.figures.batch_rows, ".1f"),
    Column("fill", lambda row: row.figures.batch_fill, ".1%"),
    Column("padding", lambda row: row.figures.padding_share, ".1%"),
    Column("TFLOP/s", lambda row: _in(1e12, row.share.flop_per_s), ",.3g"),
    Column("of ceiling", lambda row: row.share.ceiling_share, ".1%"),
    Column("GB/s", lambda row: _in(1e9, row.share.bytes_per_s), ",.3g"),
    Column("of copy", lambda row: row.share.copy_share, ".1%"),
    Column("RAM MiB", lambda row: row.figures.peak_ram_bytes / MIB, ",.0f"),
    Column("GPU MiB", lambda row: _in(MIB, row.figures.peak_gpu_bytes), ",.0f"),
)
STAGES = (
    Column("G2P", lambda row: _stages(row).g2p_share, ".1%"),
    Column("synthesis", lambda row: _stages(row).synthesis_share, ".1%"),
    Column("store", lambda row: _stages(row).store_share, ".1%"),
    Column("encode", lambda row: _stages(row).encode_share, ".1%"),
    Column("busy", lambda row: _stages(row).busy_share, ".1%"),
    Column("hits cold", lambda row: _stages(row).cold_hit_rate, ".0%"),
    Column("hits warm", lambda row: _stages(row).warm_hit_rate, ".0%"),
)
RATIO = Column("ratio", lambda row: row.ratio, ".2f")


def table(result: Result) -> str:
    """Everything that a person is shown, in lines."""
    return "\n".join(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    subject = result.subject
    yield f"{subject.title}: {subject.n_words:,} words, {len(subject.passages)} passages"
    yield machine_line(result)
    for name, facts in result.devices.items():
        yield from ceiling_line(name, facts)
    for mode in Mode:
        rows = [row for row in result.rows if row.variant.mode is mode]
        if rows:
            yield ""
            yield f"{mode}; ratio to {result.references[mode].name}"
            columns = (*COLUMNS, *(STAGES if mode is Mode.END_TO_END else ()), RATIO)
            yield from _rows(rows, columns)
    if result.passed:
        yield ""
    for (mode, reason), group in groupby(result.passed, lambda one: (one.variant.mode, one.reason)):
        names = "; ".join(one.variant.name for one in group)
        yield f"not measured {mode}: {names}: {reason}"
    for warning in result.warnings:
        yield f"Warning: {warning}"


def machine_line(result: Result) -> str:
    """What it ran on, in a line."""
    machine = result.machine
    cores = "1 core" if machine.usable_cores == 1 else f"{machine.usable_cores} cores"
    words = [machine.cpu, cores]
    if machine.ram_bytes:
        words.append(f"{machine.ram_bytes / GIB:.0f} GiB")
    words += [str(facts["gpu"]) for facts in result.devices.values() if "gpu" in facts]
    if any("torch_threads" in facts for facts in result.devices.values()):
        words.append(f"torch {result.versions['torch']}")
    return ", ".join(words)


def ceiling_line(name: str, facts: Mapping[str, object]) -> Iterator[str]:
    """What a device could do at most, in a line, if that was measured."""
    measured = cast("Mapping[str, float]", facts.get("ceilings", {}))
    words = [
        f"{one.removesuffix('_flops')} {rate / 1e12:,.3g} TFLOP/s"
        for one, rate in measured.items()
        if one.endswith("_flops")
    ]
    if copied := measured.get("copy_bytes_per_s"):
        words.append(f"copies {copied / 1e9:,.4g} GB/s")
    if words:
        yield f"{name} at most: {', '.join(words)}"


def _rows(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[str]:
    """Titles, and a line for each row."""
    cells = [[column.title for column in columns]]
    cells += [[column.cell(row) for column in columns] for row in rows]
    return aligned(["", *(row.variant.name for row in rows)], cells)


def _in(unit: float, value: float | None) -> float | None:
    return None if value is None else value / unit


def _stages(row: Row) -> Stages:
    return row.stages or Stages()
