"""Whether a table holds data or only lays out a page; knows nothing of how tables are spoken."""

from __future__ import annotations

from inputs.markup_names import HEADINGS
from inputs.markup_parse import Element, local_name

LONGEST_CELL = 600  # characters; data is shorter, and a page laid out in a table is longer
# What stands in a page and never in a cell of data.
PAGE_PARTS = frozenset(("blockquote", "figure", "hr", "pre", "section", "table", *HEADINGS))


def is_table_of_data(table: Element) -> bool:
    """True if a table should be read row by row; False if its cells are parts of a page."""
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
