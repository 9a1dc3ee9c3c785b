"""What a typed text emphasizes by signs, `_word_`, found in its blocks. Pure.

    typed     The _mill_ stood.[1] It did.      [1] So _they_ say.
    blocks    The mill stood.      Note: So they say.      It did.
    ranges        [4, 8)                    [9, 13)

Notes may be read elsewhere than they were typed, and have words that were not typed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.model.book import Block, BlockKind
from audiomill.inputs.reading.rules import words_before
from audiomill.inputs.text.paragraphs import EMPHASIS, join_lines, split_paragraphs
from audiomill.outputs.readalong.documents.source_text import letters_with_places
from audiomill.outputs.readalong.own.blocks import Ranges


def emphases_in(text: str, blocks: Sequence[Block], language: str) -> Iterator[Ranges]:
    """The emphasized characters [start, end) of each block of a typed text, in order."""
    typed = _without_signs(text)
    if not typed.ranges:
        return
    own = [_typed_letters(one, one.language or language) for one in blocks]
    are_notes = [one.kind is BlockKind.NOTE for one in blocks]
    starts = _starts(typed.letters, [letters for letters, _ in own], are_notes)
    for block, (letters, places), start in zip(blocks, own, starts, strict=True):
        numbers = typed.within(start, start + len(letters)) if start >= 0 else ()
        yield [_in_block(block.text, places, typed, number, start) for number in numbers]


def _starts(typed: str, texts: Sequence[str], are_notes: Sequence[bool]) -> list[int]:
    """Where the letters of each block begin in the typed ones; -1 for nowhere.

    A note is not looked for in order: it is what no other block is.
    """
    starts = [-1] * len(texts)
    at = 0
    for number in (one for one, is_note in enumerate(are_notes) if not is_note):
        text = texts[number]
        start = typed.find(text, at)
        at = start + len(text) if start >= 0 else at
        starts[number] = start if start >= 0 else typed.find(text)
    taken = {*starts} - {-1}
    for number in (one for one, is_note in enumerate(are_notes) if is_note):
        start = typed.find(texts[number])
        while start in taken:
            start = typed.find(texts[number], start + 1)
        starts[number] = start
        taken |= {start} - {-1}
    return starts


def _typed_letters(block: Block, language: str) -> tuple[str, Sequence[int]]:
    """The letters of a block that were typed, without "Note: ", and their characters."""
    letters, places = letters_with_places(block.text)
    before = words_before(block.kind, language)
    n_said = len(letters_with_places(before)[0]) if block.text.startswith(before) else 0
    return letters[n_said:], places[n_said:]


@dataclass(frozen=True, slots=True)
class _TypedText:
    """A text without the signs of emphasis, and its folded letters, each of a character `places`.

    The signs were around the characters [start, end) of `ranges`, which are the letters of `edges`.
    """

    text: str
    letters: str
    places: Sequence[int]
    ranges: Sequence[tuple[int, int]]
    edges: Sequence[tuple[int, int]]

    def within(self, start: int, end: int) -> Iterator[int]:
        """The numbers of the ranges that have letters, all of them in [start, end)."""
        for number in range(bisect_left(self.edges, (start, 0)), len(self.edges)):
            first, last = self.edges[number]
            if last > end:
                return
            if first < last:
                yield number


def _in_block(
    text: str, places: Sequence[int], typed: _TypedText, number: int, start: int
) -> tuple[int, int]:
    """The characters of a block that a range is, with the punctuation at its ends.

    Letter `start` of the typed text is the first of the block.
    """
    first, last = typed.edges[number]
    before = typed.text[typed.ranges[number][0] : typed.places[first]]
    after = typed.text[typed.places[last - 1] + 1 : typed.ranges[number][1]]
    begin, end = places[first - start], places[last - 1 - start] + 1
    begin -= len(before) if text.endswith(before, 0, begin) else 0
    end += len(after) if text.startswith(after, end) else 0
    return begin, end


def _without_signs(text: str) -> _TypedText:
    whole = "\n".join(join_lines(one.lines) for one in split_paragraphs(text))
    parts: list[str] = []
    ranges: list[tuple[int, int]] = []
    at = n_chars = 0
    for match in EMPHASIS.finditer(whole):
        parts += (whole[at : match.start()], match[2])
        first = n_chars + match.start() - at
        n_chars = first + len(match[2])
        ranges.append((first, n_chars))
        at = match.end()
    plain = "".join((*parts, whole[at:]))
    letters, places = letters_with_places(plain)
    edges = [(bisect_left(places, first), bisect_left(places, last)) for first, last in ranges]
    return _TypedText(plain, letters, places, ranges, edges)
