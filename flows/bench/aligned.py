"""Cells in columns. Pure; knows no figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def aligned(names: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """A line for each name: it to the left, its cells to the right of their columns."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = max(map(len, names))
    for name, line in zip(names, cells, strict=True):
        figures = "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        yield f"{name:{left}}  {figures}".rstrip()
