"""The comparison with rivals as a table and as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING

from audiomill.flows.bench.result import Result, ResultRow
from audiomill.flows.bench.table import Column, in_unit, machine_line, table
from audiomill.flows.bench.variants import Mode
from benchmarks.rivals.comparison import RIVALS, RivalResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of the chart.
OURS, THEIRS, QUIET = "#2b2140", "#b9b1c6", "#8a7f9c"
WIDTH, ROW_HEIGHT, EDGE = 9.0, 0.42, 1.5  # inches
DPI = 120


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
    figure.supxlabel(f"{result.mark}{machine_line(result)}", fontsize=8, color=QUIET)
    picture = BytesIO()
    figure.savefig(picture, dpi=DPI, format="png")
    return picture.getvalue()


def _draw_bars(axes: Axes, mode: Mode, rows: list[ResultRow], result: Result) -> None:
    names = [row.variant.name for row in rows]
    speeds = [row.figures.speed for row in rows]
    errors = [(row.figures.spread or 0.0) * row.figures.speed for row in rows]
    colours = [THEIRS if row.variant.engine in RIVALS else OURS for row in rows]
    bars = axes.barh(names, speeds, xerr=errors, color=colours, ecolor=QUIET, height=0.7)
    labels = [f" {row.figures.speed:,.2f}  ({row.ratio:.2f} x)" for row in rows]
    axes.bar_label(bars, labels, fontsize=8, color=OURS)
    axes.set_title(f"{mode}; ratio to {result.references[mode].name}", fontsize=9, loc="left")
    axes.invert_yaxis()
    axes.margins(x=0.2)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
