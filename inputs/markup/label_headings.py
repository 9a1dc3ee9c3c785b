"""Paragraphs that only number chapters become headings, on a page that has none for them.

<p>CHAPTER I.</p>          a heading
<p>You don't know …</p>
<p>CHAPTER II.</p>         a heading
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from audiomill.inputs.book import Block, BlockKind
from audiomill.inputs.markup.joining import is_label
from audiomill.inputs.markup.outline import LONGEST_CHAPTER, MIN_INNER
from audiomill.inputs.spoken.roman import roman_value

_NUMBERED = re.compile(
    r"(?:chapter|kapitel|chapitre|cap[íi]tulo|capitolo)\s(?P<number>\d{1,3}|[ivxlc]+)[.:]?",
    re.IGNORECASE,
)
LEAST_CHARS = 500  # of a chapter on the average; the lines of a table of contents have fewer


def with_label_headings(blocks: Sequence[Block]) -> list[Block]:
    """`blocks`, in which paragraphs that count chapters from one on are headings.

    A page of less than an hour stays as it is, and one with a heading that numbers a chapter.
    """
    has_own = any(one.kind is BlockKind.HEADING and _number(one) for one in blocks)
    if has_own or sum(len(one.text) for one in blocks) <= LONGEST_CHAPTER:
        return list(blocks)
    level = 1 + max((one.level for one in blocks if one.kind is BlockKind.HEADING), default=0)
    numbers = {at: _number(one) for at, one in enumerate(blocks)}
    for first in (at for at, number in numbers.items() if number == 1):
        labels = _counted(numbers, first)
        n_chars = sum(len(one.text) for one in blocks[first : labels[-1]])
        if len(labels) >= MIN_INNER and n_chars > LEAST_CHARS * len(labels):
            return [
                replace(one, kind=BlockKind.HEADING, level=level) if at in labels else one
                for at, one in enumerate(blocks)
            ]
    return list(blocks)


def _number(block: Block) -> int:
    """The number of the chapter that a block is only the label of; 0 if it is none."""
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING) or not is_label(block.text):
        return 0
    match = _NUMBERED.fullmatch(" ".join(block.text.split()))
    number = match["number"] if match else ""
    return int(number) if number.isdecimal() else roman_value(number) or 0


def _counted(numbers: dict[int, int], first: int) -> list[int]:
    """The labels from `first` on that count from one on."""
    found = list[int]()
    for at, number in numbers.items():
        if at >= first and number == len(found) + 1:
            found.append(at)
    return found
