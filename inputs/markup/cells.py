"""Marks the ends of cells in the text of a table, and reads the cells back from it."""

from __future__ import annotations

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.text import ANCHOR, CELL, HEADER, ROW, SPAN
from audiomill.inputs.model.book import Table

_CELLS = frozenset(("td", "th"))
_SPANS = ("colspan", "rowspan")
_MARKS = str.maketrans(dict.fromkeys((ANCHOR, HEADER, SPAN)))


def cell_end(node: Element, name: str) -> str:
    """Return the marks at the end of an element in a table: of a cell, its properties too."""
    if name not in _CELLS:
        return " "
    is_span = any(node.get(key, "1").strip() not in {"", "0", "1"} for key in _SPANS)
    return f"{HEADER if name == 'th' else ''}{SPAN if is_span else ''}{CELL}"


def table_of(run: str) -> Table:
    """Return the cells of a table."""
    rows = [row.split(CELL)[:-1] for row in run.split(ROW)]
    rows = [row for row in rows if any(cell.translate(_MARKS).strip() for cell in row)]
    return Table(
        tuple(tuple(_cell_text(cell) for cell in row) for row in rows),
        has_header=bool(rows) and all(HEADER in cell for cell in rows[0]),
        has_spans=SPAN in run,
    )


def _cell_text(cell: str) -> str:
    return " ".join(cell.translate(_MARKS).split())
