"""Finds what typed texts emphasize by signs, `_word_`, in the blocks that were read from them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from audiomill.inputs.model.book import Block
from audiomill.inputs.readers.text_paragraphs import EMPHASIS, join_lines, split_paragraphs
from audiomill.outputs.readalong.own_blocks import Emphases
from audiomill.outputs.readalong.source_text import letters_with_places


@dataclass(frozen=True, slots=True)
class _TypedText:
    """A text without the signs, and the characters [start, end) that they were around."""

    text: str
    ranges: list[tuple[int, int]]


def emphases_in(text: str, blocks: Iterable[Block]) -> Emphases:
    """The emphasized characters [start, end) of blocks of a typed text, in order."""
    typed = _without_signs(text)
    if not typed.ranges:
        return {}
    letters, places = letters_with_places(typed.text)
    edges = [
        (bisect_left(places, first), bisect_left(places, last)) for first, last in typed.ranges
    ]
    found: dict[Block, list[tuple[int, int]]] = {}
    at = 0
    for block in blocks:
        own, own_places = letters_with_places(block.text)
        start = letters.find(own, at)
        at = start + len(own) if start >= 0 else at
        start = start if start >= 0 else letters.find(own)
        end = start + len(own)
        if start < 0 or not own:
            continue
        for number in range(bisect_left(edges, (start, 0)), len(edges)):
            first, last = edges[number]
            if last > end:
                break
            if first < last:
                signs = typed.text[places[last - 1] + 1 : typed.ranges[number][1]]
                until = own_places[last - 1 - start] + 1
                until += len(signs) if block.text.startswith(signs, until) else 0
                signs = typed.text[typed.ranges[number][0] : places[first]]
                begin = own_places[first - start]
                begin -= len(signs) if block.text.endswith(signs, 0, begin) else 0
                found.setdefault(block, []).append((begin, until))
    return found


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
    return _TypedText("".join((*parts, whole[at:])), ranges)
