"""Tells tables of data from page layouts, and keeps their cells in the text of a block."""

from __future__ import annotations

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import HEADINGS
from audiomill.inputs.markup.text import ANCHOR, CELL, HEADER, ROW, SPAN
from audiomill.inputs.model.book import Table

_CELLS = frozenset(("td", "th"))
_SPANS = ("colspan", "rowspan")
_MARKS = str.maketrans(dict.fromkeys((ANCHOR, HEADER, SPAN)))
LONGEST_CELL = 600  # characters; cells of data are shorter, cells of a page layout are longer
# Elements of page layouts, never in a cell of data.
PAGE_PARTS = frozenset(("blockquote", "figure", "hr", "pre", "section", "table", *HEADINGS))


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


def is_data_table(table: Element) -> bool:
    """True if a table should be read row by row; False if it is the layout of a page."""
    most_cells = n_cells = n_chars = 0
    for node in table.iterdescendants():
        name = local_name(node)
        if name in PAGE_PARTS:
            return False
        if name == "tr":
            n_cells = 0
        elif name in {"td", "th"}:
            n_cells, n_chars = n_cells + 1, 0
            most_cells = max(most_cells, n_cells)
        n_chars += len(node.text or "") + len(node.tail or "") if name else 0
        if n_chars > LONGEST_CELL:
            return False
    return most_cells > 1
