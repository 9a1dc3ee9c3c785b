"""Finds parts of an article that its extraction has lost, by where they stand on the page.

Extractions lose what follows a note within a paragraph, paragraphs with formulas, and the second
part of an article that is cut in two by an advertisement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.model.book import BlockKind

_PROSE = frozenset((BlockKind.LIST_ITEM, BlockKind.PARAGRAPH, BlockKind.QUOTE))
_MIN_WORDS = 8  # of prose; lines such as “Read more” are shorter
_LINKED = 0.4  # of the letters
_MIN_PART_WORDS = 100  # of a part that stands elsewhere
_MIN_PART_BLOCKS = 2


def lost_between(
    blocks: Sequence[AnchoredBlock], chosen: Sequence[bool], links: Collection[str]
) -> list[int]:
    """The prose that stands in the same element as chosen blocks before and after it, and once.

    `links` are the texts of the page's links: what is mostly a link leads to another article.
    """
    texts = [at for at, is_chosen in enumerate(chosen) if is_chosen]
    n_times = Counter(one.block.text for one in blocks)
    found = list[int]()
    for before, after in pairwise(texts):
        between = range(before + 1, after)
        ends = _elements(blocks[before]), _elements(blocks[after])
        found += [
            at
            for at in between
            if _is_prose(blocks[at])
            and n_times[blocks[at].block.text] == 1
            and all(_elements(blocks[at]) & end for end in ends)
            and not _is_linked(blocks[at].block.text, links)
        ]
    return found


def lost_repeats(blocks: Sequence[AnchoredBlock], chosen: Sequence[bool]) -> list[int]:
    """The prose that repeats what was chosen, in elements of the same shape.

    Extractions take such a paragraph for a copy. A teaser has another shape.
    """
    said = {
        (one.block.text, one.place.shape)
        for one, is_chosen in zip(blocks, chosen, strict=True)
        if is_chosen
    }
    return [
        at
        for at, one in enumerate(blocks)
        if not chosen[at] and _is_prose(one) and (one.block.text, one.place.shape) in said
    ]


def lost_parts(blocks: Sequence[AnchoredBlock], chosen: Sequence[bool]) -> list[int]:
    """The prose after the chosen one, in elements of the shape that most of that has.

    It counts only if it is less than what was chosen: an extraction that has left out more has
    a reason, as among the answers in a forum.
    """
    words = Counter[int]()
    for one, is_chosen in zip(blocks, chosen, strict=True):
        if is_chosen and _is_prose(one):
            words[one.place.shape] += _n_words(one)
    if not words:
        return []
    shape, n_chosen = words.most_common(1)[0]
    last = max(at for at, is_chosen in enumerate(chosen) if is_chosen)
    found = [*_of_shape(blocks, shape, last + 1)]
    n_found = sum(_n_words(blocks[at]) for at in found)
    is_part = len(found) >= _MIN_PART_BLOCKS and _MIN_PART_WORDS <= n_found < n_chosen
    return found if is_part else []


def _of_shape(blocks: Sequence[AnchoredBlock], shape: int, start: int) -> Iterator[int]:
    for at in range(start, len(blocks)):
        if blocks[at].place.shape == shape and _is_prose(blocks[at]):
            yield at


def _elements(one: AnchoredBlock) -> set[int]:
    return {one.place.element, one.place.parent}


def _is_prose(one: AnchoredBlock) -> bool:
    return one.block.kind in _PROSE and _n_words(one) >= _MIN_WORDS


def _is_linked(text: str, links: Collection[str]) -> bool:
    n_linked = max((len(link) for link in links if link in text), default=0)
    return n_linked > _LINKED * len(text)


def _n_words(one: AnchoredBlock) -> int:
    return len(one.block.text.split())
