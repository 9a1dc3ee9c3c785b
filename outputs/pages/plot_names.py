"""The chapters of a picture: marks with numbers and as many titles as fit, and a list of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.svg import fitting, isolated, label, node, width_of
from audiomill.outputs.text import UNTITLED, clock, line

_SIZE, _ROW = 12.0, 19
_SPACE = 8.0  # pixels between two names
_CLOSE = 6.0  # marks that are nearer to each other on average are short
_SHORTEST = 34.0  # pixels of a title that is worth beginning
_TITLE_AFTER = 5.0  # pixels after its number
# Of the list: where the numbers and the times end, and where the titles begin.
_NUMBER_X, _CLOCK_X, _TITLE_X = 26, 84, 94
_MAX_LISTED, _MAX_COLUMNS, _FEW_ROWS = 300, 3, 8


@dataclass(frozen=True, slots=True)
class PlotMark:
    """A chapter of a recording: its title, and where it begins."""

    title: str
    start_s: float

    @property
    def name(self) -> str:
        """The title on one line, never empty."""
        return line(self.title) or UNTITLED


def named_marks(
    marks: Sequence[PlotMark], places: Sequence[float], right: float, top: float, bottom: float
) -> tuple[list[Element], bool]:
    """A vertical line for each chapter, named above `top`; and whether all names are there whole.

    `places` are their horizontal ones. Where many stand close, only some have their numbers, and
    the lines end above the curves, which would not be seen behind them. Each line has its name as a
    tooltip.
    """
    room = right - places[0] if places else 0.0
    end = top if len(marks) * _CLOSE > room else bottom
    names = list(_names(marks, places, right))
    lines = [
        node(
            "g",
            node("title", f"{number}. {isolated(one.name)} ({clock(one.start_s)})"),
            node("line", class_="mark", x1=x, x2=x, y1=top - 6, y2=end),
        )
        for number, (one, x) in enumerate(zip(marks, places, strict=True), 1)
    ]
    texts = [_named(x, top - 10, number, title) for number, x, title in names]
    all_whole = [title for _, _, title in names] == [one.name for one in marks]
    return [*lines, *texts], all_whole


def _names(
    marks: Sequence[PlotMark], places: Sequence[float], right: float
) -> Iterator[tuple[int, float, str]]:
    """The number, the place, and as much of the title as fits before the next mark."""
    taken = -_SPACE
    for number, (one, x) in enumerate(zip(marks, places, strict=True), 1):
        if x < taken + _SPACE:
            continue
        following = places[number] if number < len(places) else right
        begin = x + width_of(str(number), _SIZE) + _TITLE_AFTER
        room = following - begin - _SPACE
        title = fitting(one.name, room, _SIZE) if room >= min(_SHORTEST, right - x) else ""
        taken = begin + width_of(title, _SIZE) if title else begin - _TITLE_AFTER
        yield number, x, title


def _named(x: float, y: float, number: int, title: str) -> Element:
    text = label(x, y, "", "names")
    text.append(node("tspan", str(number), class_="number"))
    if title:
        text.append(node("tspan", isolated(title), class_="name", dx=_TITLE_AFTER))
    return text


def chapter_list(
    marks: Sequence[PlotMark], left: float, width: float, top: float
) -> tuple[list[Element], float]:
    """The chapters in columns, from the base line `top` on; and the base line after the last row.

    Of very many the first ones are listed, and the number of the others.
    """
    shown = marks[:_MAX_LISTED]
    n_columns = min(_MAX_COLUMNS, -(-len(shown) // _FEW_ROWS))
    n_rows = -(-len(shown) // max(n_columns, 1))
    column = width / max(n_columns, 1)
    rows = [
        element
        for index, one in enumerate(shown)
        for element in _row(
            one, index + 1, left + index // n_rows * column, top + index % n_rows * _ROW, column
        )
    ]
    if len(marks) > len(shown):
        rows.append(label(left, top + n_rows * _ROW, f"and {len(marks) - len(shown)} more", "tick"))
        n_rows += 1
    return rows, top + n_rows * _ROW


def _row(
    mark: PlotMark, number: int, x: float, y: float, width: float
) -> tuple[Element, Element, Element]:
    title = fitting(mark.name, width - _TITLE_X - _SPACE, _SIZE)
    return (
        label(x + _NUMBER_X, y, str(number), "number", "end"),
        label(x + _CLOCK_X, y, clock(mark.start_s), "tick", "end"),
        label(x + _TITLE_X, y, isolated(title), "name"),
    )
