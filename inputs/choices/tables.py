"""Words for tables: their cells with the headers of their columns, or a summary. Pure."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import Announcements
from audiomill.inputs.model.book import Table


def with_headers(table: Table, words: Announcements) -> str:
    """Each row as a line, each cell after the header of its column: "Part: Sail; Price: empty".

    Without a header row, or if cells span others, the cells stand alone; "" for no such table.
    """
    rows = [list(row) for row in table.rows]
    if table.has_spans:
        return ""
    headers = rows.pop(0) if table.has_header and len(rows) > 1 else []
    return "\n".join("; ".join(_cells(row, headers, words)) for row in rows)


def _cells(row: list[str], headers: list[str], words: Announcements) -> list[str]:
    names = [f"{name}: " if name else "" for name in headers]
    names += [""] * (len(row) - len(names))
    return [f"{name}{cell or words.empty}" for name, cell in zip(names, row, strict=False)]


def summary(table: Table, words: Announcements) -> str:
    """The size of a table, and the headers of its columns."""
    n_rows = len(table.rows) - table.has_header
    n_columns = max(map(len, table.rows), default=0)
    size = words.table.format(rows=n_rows, columns=n_columns)
    headers = [cell for cell in table.rows[0] if cell] if table.has_header else []
    return f"{size}: {'; '.join(headers)}." if headers else f"{size}."
