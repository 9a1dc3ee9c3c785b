"""Changes the text of blocks, and with it the places in it: passages, pronunciations, numerals.

joined              "V" + "Breakfast"     ─▶ "V: Breakfast"          all places move along
with_words_before   "See Nguyen."         ─▶ "Note: See Nguyen."     the same
without_ranges      "A mill [3] stood." ─▶ "A mill stood."           places move along, or go
with_other_text     the cells of a table  ─▶ "A table of two rows."  no place is left
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, compress
from typing import TypeVar

from audiomill.inputs.model.book import Block, ForeignPassage, Pronunciation

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


def without_ranges(block: Block, ranges: Iterable[tuple[int, int]]) -> Block:
    """The block without the characters [start, end) of each range, and the spaces around them."""
    kept = bytearray(b"\1") * len(block.text)
    for start, end in ranges:
        kept[start:end] = bytes(end - start)
    if all(kept):
        return block
    _drop_spaces(block.text, kept)
    new = [0, *accumulate(kept)]
    return replace(
        block,
        text="".join(compress(block.text, kept)),
        passages=tuple(_shrunk(block.passages, new)),
        pronunciations=tuple(_shrunk(block.pronunciations, new)),
        numerals=tuple(
            (new[start], new[end]) for start, end in block.numerals if new[start] < new[end]
        ),
    )


def _drop_spaces(text: str, kept: bytearray) -> None:
    """Clear the marks of spaces and line breaks that follow another one, or end the text."""
    last = -1  # the space that has no word after it so far
    has_word = False
    for at, character in enumerate(text):
        if not kept[at]:
            continue
        if not character.isspace():
            has_word, last = True, -1
        elif not has_word or last >= 0:
            kept[at] = 0
        else:
            last = at
    if last >= 0:
        kept[last] = 0


def _shrunk(places: Iterable[_Place], new: Sequence[int]) -> Iterator[_Place]:
    """The places with their new characters, without those that have none."""
    for one in places:
        if new[one.start] < new[one.end]:
            yield replace(one, start=new[one.start], end=new[one.end])


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
