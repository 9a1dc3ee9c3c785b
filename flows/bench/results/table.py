"""The result as tables of text and as a chart. Pure.

A table for each mode, a row for each variant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, cast

from audiomill.flows.bench.results.result import Result, ResultRow
from audiomill.flows.bench.results.statistics import Stages
from audiomill.flows.bench.variants import Mode

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MIB, GIB = 1 << 20, 1 << 30
NONE = "–"  # not applicable, or not measured

# Of the chart.
OURS, THEIRS, QUIET = "#2b2140", "#b9b1c6", "#8a7f9c"
WIDTH, ROW_HEIGHT, EDGE = 9.0, 0.42, 1.5  # inches
DPI = 120


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
    Column("TFLOP/s", lambda row: in_unit(1e12, row.roofline.flop_per_s), ",.3g"),
    Column("of ceiling", lambda row: row.roofline.ceiling_share, ".1%"),
    Column("GB/s", lambda row: in_unit(1e9, row.roofline.bytes_per_s), ",.3g"),
    Column("of copy", lambda row: row.roofline.copy_share, ".1%"),
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


def table(result: Result) -> str:
    """The whole result as lines of text."""
    return "\n".join(_lines(result))


def align_columns(names: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """A line for each name: the name aligned to the left, its cells to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = max(map(len, names))
    for name, line in zip(names, cells, strict=True):
        figures = "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        yield f"{name:{left}}  {figures}".rstrip()


def _lines(result: Result) -> Iterator[str]:
    text = result.text
    yield f"{text.title}: {text.n_words:,} words, {len(text.passages)} passages"
    yield _machine_line(result)
    for name, facts in result.devices.items():
        yield from _ceiling_line(name, facts)
    for mode in Mode:
        rows = [row for row in result.rows if row.variant.mode is mode]
        if rows:
            yield ""
            yield f"{mode}; ratio to {result.references[mode].name}"
            columns = (*COLUMNS, *(STAGES if mode is Mode.END_TO_END else ()), RATIO)
            yield from _rows(rows, columns)
    if result.skipped:
        yield ""
    groups = groupby(result.skipped, lambda one: (one.variant.mode, one.reason))
    for (mode, reason), group in groups:
        names = "; ".join(one.variant.name for one in group)
        yield f"not measured {mode}: {names}: {reason}"
    for warning in result.warnings:
        yield f"Warning: {warning}"


def _machine_line(result: Result) -> str:
    """The machine in one line: CPU, cores, memory, GPUs, PyTorch."""
    machine = result.machine
    cores = "1 core" if machine.usable_cores == 1 else f"{machine.usable_cores} cores"
    words = [machine.cpu, cores]
    if machine.ram_bytes:
        words.append(f"{machine.ram_bytes / GIB:.0f} GiB")
    words += [str(facts["gpu"]) for facts in result.devices.values() if "gpu" in facts]
    if any("torch_threads" in facts for facts in result.devices.values()):
        words.append(f"torch {result.versions['torch']}")
    return ", ".join(words)


def _ceiling_line(name: str, facts: Mapping[str, object]) -> Iterator[str]:
    """The measured limits of a device in one line, if there are any."""
    ceilings = cast("Mapping[str, float]", facts.get("ceilings", {}))
    words = [
        f"{one.removesuffix('_flops')} {rate / 1e12:,.3g} TFLOP/s"
        for one, rate in ceilings.items()
        if one.endswith("_flops")
    ]
    if copied := ceilings.get("copy_bytes_per_s"):
        words.append(f"copies {copied / 1e9:,.4g} GB/s")
    if words:
        yield f"{name} at most: {', '.join(words)}"


def _rows(rows: Sequence[ResultRow], columns: Sequence[Column]) -> Iterator[str]:
    """A line of titles, and a line for each row."""
    cells = [[column.title for column in columns]]
    cells += [[column.cell(row) for column in columns] for row in rows]
    return align_columns(["", *(row.variant.name for row in rows)], cells)


def drawn_chart(result: Result) -> bytes:
    """A PNG with a bar for each variant. Raises ImportError without matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    modes = [mode for mode in Mode if mode in result.references]
    groups = {mode: [row for row in result.rows if row.variant.mode is mode] for mode in modes}
    heights = [len(rows) + 1.5 for rows in groups.values()]
    figure = Figure((WIDTH, EDGE + ROW_HEIGHT * sum(heights)), layout="constrained")
    FigureCanvasAgg(figure)
    all_axes = figure.subplots(len(modes), squeeze=False, height_ratios=heights)
    for axes, (mode, rows) in zip(all_axes[:, 0], groups.items(), strict=True):
        _draw_bars(axes, mode, rows, result)
    figure.suptitle(f"{result.mark}Seconds of audio a second", fontsize=12, color=OURS)
    figure.supxlabel(f"{result.mark}{_machine_line(result)}", fontsize=8, color=QUIET)
    picture = BytesIO()
    figure.savefig(picture, dpi=DPI, format="png")
    return picture.getvalue()


def _draw_bars(axes: Axes, mode: Mode, rows: list[ResultRow], result: Result) -> None:
    names = [row.variant.name for row in rows]
    speeds = [row.figures.speed for row in rows]
    errors = [(row.figures.spread or 0.0) * row.figures.speed for row in rows]
    colours = [THEIRS if row.variant.is_rival else OURS for row in rows]
    bars = axes.barh(names, speeds, xerr=errors, color=colours, ecolor=QUIET, height=0.7)
    labels = [f" {row.figures.speed:,.2f}  ({row.ratio:.2f} x)" for row in rows]
    axes.bar_label(bars, labels, fontsize=8, color=OURS)
    axes.set_title(f"{mode}; ratio to {result.references[mode].name}", fontsize=9, loc="left")
    axes.invert_yaxis()
    axes.margins(x=0.2)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
