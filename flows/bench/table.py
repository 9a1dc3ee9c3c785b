"""The result as tables of text. Pure.

A table for each mode, a row for each variant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from audiomill.flows.bench.result import Result, ResultRow
from audiomill.flows.bench.statistics import Stages
from audiomill.flows.bench.variants import Mode
from audiomill.outputs.text import counted

MIB, GIB = 1 << 20, 1 << 30
NONE = "–"  # not applicable, or not measured


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of every row."""

    title: str
    value: Callable[[ResultRow], float | None]
    form: str  # a format specification

    def cell(self, row: ResultRow) -> str:
        """The text of the column in `row`."""
        value = self.value(row)
        return NONE if value is None else format(value, self.form)


def in_unit(unit: float, value: float | None) -> float | None:
    """A figure in a larger unit; None stays None."""
    return None if value is None else value / unit


def _stages(row: ResultRow) -> Stages:
    return row.stages or Stages()


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
)
MEMORY = (
    Column("RAM MiB", lambda row: in_unit(MIB, row.figures.peak_ram_bytes), ",.0f"),
    Column("GPU MiB", lambda row: in_unit(MIB, row.figures.peak_gpu_bytes), ",.0f"),
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


def table(
    result: Result, more_columns: Sequence[Column] = (), more_lines: Sequence[str] = ()
) -> str:
    """The whole result as lines of text.

    `more_columns` come before those of memory, `more_lines` after the line of the machine.
    """
    return "\n".join(_lines(result, more_columns, more_lines))


def align_columns(names: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """A line for each name: the name aligned to the left, its cells to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = max(map(len, names))
    for name, line in zip(names, cells, strict=True):
        figures = "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        yield f"{name:{left}}  {figures}".rstrip()


def _lines(
    result: Result, more_columns: Sequence[Column], more_lines: Sequence[str]
) -> Iterator[str]:
    text = result.text
    yield f"{text.title}: {text.n_words:,} words, {len(text.passages)} passages"
    yield machine_line(result)
    yield from more_lines
    for mode in Mode:
        rows = [row for row in result.rows if row.variant.mode is mode]
        if rows:
            yield ""
            yield f"{mode}; ratio to {result.references[mode].name}"
            stages = STAGES if mode is Mode.END_TO_END else ()
            columns = (*COLUMNS, *more_columns, *MEMORY, *stages, RATIO)
            yield from _rows(rows, columns)
    if result.skipped:
        yield ""
    groups = groupby(result.skipped, lambda one: (one.variant.mode, one.reason))
    for (mode, reason), group in groups:
        names = "; ".join(one.variant.name for one in group)
        yield f"not measured {mode}: {names}: {reason}"
    for warning in result.warnings:
        yield f"Warning: {warning}"


def machine_line(result: Result) -> str:
    """The machine in one line: CPU, cores, memory, GPUs, PyTorch."""
    machine = result.machine
    words = [machine.cpu, counted(machine.usable_cores, "core")]
    if machine.ram_bytes:
        words.append(f"{machine.ram_bytes / GIB:.0f} GiB")
    words += [str(facts["gpu"]) for facts in result.devices.values() if "gpu" in facts]
    if any("torch_threads" in facts for facts in result.devices.values()):
        words.append(f"torch {result.versions['torch']}")
    return ", ".join(words)


def _rows(rows: Sequence[ResultRow], columns: Sequence[Column]) -> Iterator[str]:
    """A line of titles, and a line for each row."""
    cells = [[column.title for column in columns]]
    cells += [[column.cell(row) for column in columns] for row in rows]
    return align_columns(["", *(row.variant.name for row in rows)], cells)
