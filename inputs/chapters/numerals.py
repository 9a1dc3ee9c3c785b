"""Marks the Roman numerals of headings that are numbered in sequence: “XLIX”, “L”, “LI”.

“L” alone heads chapter fifty, or the names of an index. The headings beside it tell which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from audiomill.inputs.model.book import Block, BlockKind
from audiomill.inputs.spoken.roman import roman_value

_NUMERAL = re.compile(r"[IVXLCDM]+(?=[.:)]?(?:\s|\Z))")


def mark_numerals(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a book, in order; the numerals of headings that count on are marked."""
    marked = list(blocks)
    headings = [*_numbered(blocks)]
    values = [0, *(value for _, _, value in headings), 0]
    for place, (index, end, value) in enumerate(headings, 1):
        counts = values[place - 1] == value - 1 != 0 or values[place + 1] == value + 1
        if counts and not blocks[index].numerals:
            marked[index] = replace(blocks[index], numerals=((0, end),))
    return marked


def _numbered(blocks: Sequence[Block]) -> Iterator[tuple[int, int, int]]:
    """(index, end of the numeral, its value) of each heading that begins with a numeral."""
    for index, block in enumerate(blocks):
        match = _NUMERAL.match(block.text) if block.kind is BlockKind.HEADING else None
        value = roman_value(match[0]) if match else None
        if match and value:
            yield index, match.end(), value
