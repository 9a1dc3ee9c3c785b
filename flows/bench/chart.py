"""The result as a picture: a bar for each variant, by how fast it speaks. Knows matplotlib.

matplotlib is an extra (`bench`): nothing else needs it, and everything but the picture comes
without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flows.bench.result import Result, Row
from flows.bench.table import machine_line
from flows.bench.variants import Mode

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OURS, THEIRS, QUIET = "#2b2140", "#b9b1c6", "#8a7f9c"
WIDTH, ROW_HEIGHT, EDGE = 9.0, 0.42, 1.5  # inches
DPI = 120


def draw(result: Result, path: Path) -> None:
    """Write a PNG. Raises ImportError without matplotlib, OSError."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    modes = [mode for mode in Mode if mode in result.references]
    groups = {mode: [row for row in result.rows if row.variant.mode is mode] for mode in modes}
    heights = [len(rows) + 1.5 for rows in groups.values()]
    figure = Figure((WIDTH, EDGE + ROW_HEIGHT * sum(heights)), layout="constrained")
    FigureCanvasAgg(figure)
    every = figure.subplots(len(modes), squeeze=False, height_ratios=heights)
    for axes, (mode, rows) in zip(every[:, 0], groups.items(), strict=True):
        _bars(axes, mode, rows, result)
    figure.suptitle(f"{result.mark}Seconds of audio a second", fontsize=12, color=OURS)
    figure.supxlabel(f"{result.mark}{machine_line(result)}", fontsize=8, color=QUIET)
    figure.savefig(path, dpi=DPI)


def _bars(axes: Axes, mode: Mode, rows: list[Row], result: Result) -> None:
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
