r"""Draws the curves of a recording as SVG: numbers in, a tree out. Reads no file.

title                            loudness, peak, duration
1 Opening     2 The Sea    3 …   chapters, numbered
▂▃▅▂▁▅▃▂▆▃▂▁▃▅▂▃▂▁▅▃▂▆▃▂▁▃▅▂    envelope of the samples, with the ceiling of peaks
‾‾\_/‾‾‾\__/‾‾‾‾\_/‾‾‾‾‾\__/    loudness of 3 s, with the target
0:00      10:00      20:00       time
1  0:00  Opening …               the chapters once more, if there is no room above
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.curves import Curves, Envelope
from audiomill.outputs.pages.html_tree import text_beside
from audiomill.outputs.pages.plot_names import PlotMark, chapter_list, named_marks
from audiomill.outputs.pages.svg import (
    band,
    bars,
    fitting,
    label,
    line_through,
    node,
    svg_bytes,
    width_of,
)
from audiomill.outputs.text import UNTITLED, clock, line

WIDTH, LEFT, RIGHT = 1200, 56, 24
N_COLUMNS = WIDTH - LEFT - RIGHT
_TITLE_SIZE, _FACTS_SIZE, _SIZE = 18.0, 13.0, 12.0
_BOLD = 1.12  # how much wider bold letters are
_TITLE_Y, _MARKS_Y, _PANELS_Y = 32, 62, 72
_WAVE_HEIGHT, _LOUDNESS_HEIGHT, _GAP = 150, 140, 14
_AXIS_HEIGHT, _FOOT = 24, 12
# Of the loudness axis, around the target, or around the loudness of all if there is no target.
_BELOW_LU, _ABOVE_LU, _TICK_LU = 20, 10, 10
_MAX_TICKS = 12
_TICKS_S = (1, 2, 5, 10, 20, 30, *(60 * n for n in (1, 2, 5, 10, 20, 30)))
_NEAR = 14.0  # pixels, of two texts

Array = NDArray[np.float64]
_Heights = Callable[[Array], Array]  # from levels


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """The content of a picture. None stands for a line that is not drawn."""

    title: str
    curves: Curves
    marks: tuple[PlotMark, ...] = ()
    target_lufs: float | None = None
    ceiling_dbtp: float | None = None


def plot_bytes(plot: Plot) -> bytes:
    """The picture as an SVG file, UTF-8."""
    return svg_bytes(draw(plot), plot_style())


def plot_style() -> str:
    """The style of all pictures, for light and dark pages."""
    return text_beside(__file__, "plot.css")


def draw(plot: Plot, *, is_alone: bool = True) -> Element:
    """The picture as an SVG element, without its style.

    One that is not alone stands on a page that has the title and lists the chapters.
    """
    curves = plot.curves
    top = _PANELS_Y if is_alone else _PANELS_Y - _MARKS_Y + 20
    panels: list[Element] = []
    bottom = top
    if curves.envelope is not None:
        panels += _wave_panel(curves.envelope, plot.ceiling_dbtp, bottom)
        bottom += _WAVE_HEIGHT + _GAP
    panels += _loudness_panel(curves, plot.target_lufs, bottom)
    bottom += _LOUDNESS_HEIGHT
    panels += _time_axis(curves.duration_s, bottom)
    places = [LEFT + one.start_s * _x_of(curves) for one in plot.marks]
    marks, all_named = named_marks(plot.marks, places, WIDTH - RIGHT, top, bottom)
    height = bottom + _AXIS_HEIGHT
    listed: list[Element] = []
    if is_alone and not all_named:
        first = height + 2 * _FOOT
        listed, height = chapter_list(plot.marks, RIGHT, WIDTH - 2 * RIGHT, first)
    height += _FOOT
    about = " · ".join(facts(curves))
    paper = [node("rect", class_="paper", width=WIDTH, height=height, rx=8)] if is_alone else []
    head = _head(plot, about) if is_alone else []
    return node(
        "svg",
        node("title", f"{_title(plot)}: {about}"),
        *(*paper, *head, *panels, *marks, *listed),
        class_="plot",
        role="img",
        view_box=f"0 0 {WIDTH} {height:g}",
    )


def facts(curves: Curves) -> list[str]:
    """The loudness, the peak and the duration in words."""
    peak = curves.true_peak_dbtp
    return [
        f"{decibels(curves.integrated_lufs)} LUFS",
        *([] if peak is None else [f"peak {decibels(peak)} dBTP"]),
        clock(curves.duration_s),
    ]


def decibels(level: float) -> str:
    """A level with its sign, to a tenth."""
    return f"{level:.1f}".replace("-", "−").replace("inf", "∞")


def _title(plot: Plot) -> str:
    return line(plot.title) or UNTITLED


def _head(plot: Plot, about: str) -> list[Element]:
    room = WIDTH - 2 * RIGHT - width_of(about, _FACTS_SIZE) - _NEAR
    return [
        label(RIGHT, _TITLE_Y, fitting(_title(plot), room, _BOLD * _TITLE_SIZE), "title"),
        label(WIDTH - RIGHT, _TITLE_Y, about, "facts", "end"),
    ]


def _x_of(curves: Curves) -> float:
    """The pixels of a second."""
    return N_COLUMNS / curves.duration_s if curves.duration_s else 0.0


def _panel(top: float, height: float) -> Element:
    return node("rect", class_="panel", x=LEFT, y=top, width=N_COLUMNS, height=height)


def _wave_panel(envelope: Envelope, ceiling_dbtp: float | None, top: float) -> Iterator[Element]:
    """The lowest and highest sample of each column; full scale is the panel's height."""
    half = _WAVE_HEIGHT / 2
    middle = top + half
    yield _panel(top, _WAVE_HEIGHT)
    low, high, rms = (np.clip(one, -1, 1) for one in columns_of(envelope, N_COLUMNS))
    x = LEFT + 0.5 + np.arange(N_COLUMNS if low.size else 0)
    # Silence is drawn, too: as a line half a pixel high.
    upper = middle - np.maximum(high * half, 0.25)
    lower = middle - np.minimum(low * half, -0.25)
    yield node("path", class_="wave", d=bars(x, upper, lower))
    body = np.minimum(rms, np.maximum(high, -low)) * half
    yield node("path", class_="body", d=bars(x, middle - body, middle + body))
    yield label(LEFT - 8, middle + 4, "0", "tick", "end")
    if ceiling_dbtp is not None:
        at = half * 10 ** (ceiling_dbtp / 20)
        for y in (middle - at, middle + at):
            yield _across(y, "limit")
        yield label(LEFT - 8, middle - at + 4, decibels(ceiling_dbtp), "limit-name", "end")
        yield label(LEFT - 8, middle - at + 17, "dBTP", "limit-name", "end")


def columns_of(envelope: Envelope, n_columns: int) -> tuple[Array, Array, Array]:
    """The envelope of each column of a picture: lowest, highest and RMS, [n_columns] each."""
    n = envelope.low.size
    if not n:
        return np.empty(0), np.empty(0), np.empty(0)
    first = np.arange(n_columns) * n // n_columns
    if n <= n_columns:
        return envelope.low[first], envelope.high[first], envelope.rms[first]
    low, high = np.minimum.reduceat(envelope.low, first), np.maximum.reduceat(envelope.high, first)
    energy = np.add.reduceat(np.square(envelope.rms), first)
    return low, high, np.sqrt(energy / np.diff(first, append=n))


def _loudness_panel(curves: Curves, target_lufs: float | None, top: float) -> Iterator[Element]:
    lowest, highest = _lufs_range(curves, target_lufs)

    def y_of(lufs: Array) -> Array:
        inside = np.clip(lufs, lowest, highest)
        return top + (highest - inside) / (highest - lowest) * _LOUDNESS_HEIGHT

    yield _panel(top, _LOUDNESS_HEIGHT)
    named = [
        (level, kind)
        for level, kind in ((target_lufs, "target"), (curves.integrated_lufs, "whole"))
        if level is not None and math.isfinite(level)
    ]
    heights = [float(height) for height in y_of(np.array([level for level, _ in named]))]
    for lufs in range(math.ceil(lowest / _TICK_LU) * _TICK_LU, highest + 1, _TICK_LU):
        y = float(y_of(np.array([lufs], np.float64))[0])
        yield _across(y, "grid")
        if all(abs(y - height) >= _NEAR for height in heights):
            yield label(LEFT - 8, y + 4, decibels(lufs).removesuffix(".0"), "tick", "end")
    yield from _curve(curves, y_of)
    for (level, kind), height in zip(named, heights, strict=True):
        yield _across(height, kind)
        yield _level_name(level, kind, height)


def _level_name(level: float, kind: str, height: float) -> Element:
    """The target at the axis; the loudness of all inside the panel, at its end."""
    if kind == "target":
        return label(LEFT - 8, height + 4, decibels(level), "target-name", "end")
    words = f"whole: {decibels(level)} LUFS"
    return label(WIDTH - RIGHT - 8, height - 5, words, "whole-name", "end")


def _curve(curves: Curves, y_of: _Heights) -> Iterator[Element]:
    """The median of each column as a line, and from its lowest to its highest value a band."""
    x, lufs = LEFT + curves.short_term_at * _x_of(curves), curves.short_term_lufs
    if lufs.size > N_COLUMNS:
        x = _by_column(np.mean, x)
        low, high = _by_column(np.min, lufs), _by_column(np.max, lufs)
        yield node("path", class_="spread", d=band(x, y_of(high), y_of(low)))
        lufs = _by_column(np.median, lufs)
    yield node("path", class_="loudness", d=line_through(x, y_of(lufs)))


def _by_column(pick: Callable[..., Array], values: Array) -> Array:
    """Apply `pick` to the values of each column, as `numpy.array_split` shares them out."""
    size, n_longer = divmod(values.size, N_COLUMNS)
    longer, shorter = np.split(values, [n_longer * (size + 1)])
    rows = (longer.reshape(n_longer, size + 1), shorter.reshape(-1, size))
    return np.concatenate([pick(one, axis=1) for one in rows if one.size])


def _lufs_range(curves: Curves, target_lufs: float | None) -> tuple[int, int]:
    """The levels at the bottom and the top of the panel."""
    whole = curves.integrated_lufs
    middle = target_lufs if target_lufs is not None else whole if math.isfinite(whole) else -20.0
    audible = curves.short_term_lufs[np.isfinite(curves.short_term_lufs)]
    highest = max(middle + _ABOVE_LU, float(audible.max(initial=-math.inf)) + 1)
    lowest = min(middle, whole if math.isfinite(whole) else middle) - _BELOW_LU
    return math.floor(lowest), math.ceil(highest)


def _across(y: float, kind: str) -> Element:
    return node("line", class_=kind, x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y)


def _time_axis(duration_s: float, bottom: float) -> Iterator[Element]:
    """Ticks at round times. The last one does not run out of the picture."""
    for at in ticks(duration_s):
        x = LEFT + at / duration_s * N_COLUMNS
        yield node("line", class_="grid", x1=x, x2=x, y1=bottom, y2=bottom + 5)
        if x + width_of(clock(at), _SIZE) / 2 < WIDTH:
            yield label(x, bottom + 18, clock(at), "tick", "middle")


def ticks(duration_s: float) -> list[float]:
    """Round times from 0 to the duration, about twelve at most."""
    if not duration_s:
        return []
    hours = (3600 * n for n in (1, 2, 5, 10, 20, 50, 100, 1000, 10_000))
    step = next((one for one in (*_TICKS_S, *hours) if duration_s / one <= _MAX_TICKS), 0)
    return [float(step * n) for n in range(math.floor(duration_s / step) + 1)] if step else [0.0]
