"""Changes the text of blocks, and with it the places in it: passages, pronunciations, numerals.

joined              "V" + "Breakfast"     ─▶ "V: Breakfast"          all places move along
with_words_before   "See Nguyen."         ─▶ "Note: See Nguyen."     the same
with_other_text     the cells of a table  ─▶ "A table of two rows."  no place is left
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from audiomill.inputs.book import Block, ForeignPassage, Pronunciation

_Place = TypeVar("_Place", ForeignPassage, Pronunciation)


def joined(parts: Sequence[Block], text: str) -> Block:
    """The first of the parts with `text`, in which the texts of all parts lie in order."""
    starts = _starts([part.text for part in parts], text)
    placed = list(zip(starts, parts, strict=True))
    return replace(
        parts[0],
        text=text,
        passages=tuple(_moved(one, at) for at, part in placed for one in part.passages),
        pronunciations=tuple(_moved(one, at) for at, part in placed for one in part.pronunciations),
        numerals=tuple(
            (at + start, at + end) for at, part in placed for start, end in part.numerals
        ),
    )


def with_words_before(block: Block, words: str) -> Block:
    """The block with `words` before its text."""
    return joined([with_other_text(block, words), block], words + block.text)


def with_other_text(block: Block, text: str) -> Block:
    """The block with a text that is not made of its own."""
    return replace(block, text=text, passages=(), pronunciations=(), numerals=())


def _starts(parts: Iterable[str], text: str) -> Iterator[int]:
    """Where each part begins in the text."""
    at = 0
    for part in parts:
        at = text.index(part, at)
        yield at
        at += len(part)


def _moved(one: _Place, by: int) -> _Place:
    return replace(one, start=one.start + by, end=one.end + by)
