"""Tables and lists of the page: headings of columns, cells, and what is folded. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import Content, element
from audiomill.outputs.text import line

MAX_OPEN = 60  # rows that are not folded


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The heading of a column, and whether its cells are numbers, which end at one line."""

    heading: str
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class BookWords:
    """Words of the book, which may have another language and another direction than the page."""

    text: str
    language: str = ""
    max_chars: int = 255


Cell = str | BookWords | Element


def texts(heading: str) -> TableColumn:
    """A column of texts."""
    return TableColumn(heading)


def numbers(heading: str) -> TableColumn:
    """A column of numbers."""
    return TableColumn(heading, is_number=True)


def table(name: str, columns: Sequence[TableColumn], rows: Iterable[Sequence[Cell]]) -> Element:
    """A table in a region that scrolls if it is too wide. The first text cell heads its row."""
    heads = [element("th", {"scope": "col", **_kind(column)}, column.heading) for column in columns]
    body = element("tbody", {}, *(_row(columns, row) for row in rows))
    head = element("thead", {}, element("tr", {}, *heads))
    region = {"class": "scroll", "role": "region", "aria-label": name, "tabindex": "0"}
    return element("div", region, element("table", {}, head, body))


def _row(columns: Sequence[TableColumn], row: Sequence[Cell]) -> Element:
    header = next((n for n, column in enumerate(columns) if not column.is_number), 0)
    cells = [
        element(
            "th" if n == header else "td",
            ({"scope": "row"} if n == header else {}) | _kind(column),
            content(cell),
        )
        for n, (column, cell) in enumerate(zip(columns, row, strict=True))
    ]
    return element("tr", {}, *cells)


def _kind(column: TableColumn) -> dict[str, str]:
    return {"class": "number"} if column.is_number else {}


def content(cell: Cell) -> Content:
    """A cell as the page holds it: clean, and words of the book in their own direction."""
    if isinstance(cell, str):
        return line(cell)
    if isinstance(cell, BookWords):
        language = {"lang": line(cell.language)} if cell.language else {}
        return element("bdi", language, line(cell.text, cell.max_chars))
    return cell


def folded(summary: str, *inside: Element, is_open: bool = False) -> Element:
    """Content that is shown once its summary is clicked."""
    attributes = {"open": "open"} if is_open else {}
    return element("details", attributes, element("summary", {}, line(summary)), *inside)


def folded_if_many(n: int, words: str, shown: Element) -> Element:
    """The content, folded under "714 chapters" if it is many."""
    return folded(f"{n:,} {words}", shown) if n > MAX_OPEN else shown


def listed(items: Iterable[Cell]) -> Element:
    """A list of words."""
    return element("ul", {}, *(element("li", {}, content(one)) for one in items))


def facts_list(facts: Iterable[tuple[str, Cell]]) -> Element:
    """Names and values."""
    pairs = (
        element("div", {}, element("dt", {}, line(name)), element("dd", {}, content(value)))
        for name, value in facts
    )
    return element("dl", {}, *pairs)


def section(heading: str, *inside: Element, name: str) -> Element:
    """A part of the page under a heading. `name` is its address on the page."""
    title = element("h2", {"id": f"{name}-heading"}, heading)
    attributes = {"id": name, "aria-labelledby": f"{name}-heading"}
    return element("section", attributes, title, *inside)
