"""Divides the blocks of a web page into those of its article and those around it.

First what pages mark in a wrong way is mended:

<h2>The Mill <a href="#mill">#</a></h2>      the sign is a link to the heading itself: hidden
<pre>A whole sentence, and another.</pre>     prose that keeps its lines: a paragraph

Then parts that the extraction has lost are found by where they stand: what follows a note in a
paragraph, paragraphs with formulas, the second part of an article that is cut in two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from audiomill.inputs.articles.alignment import matching, same_letters
from audiomill.inputs.articles.boilerplate import are_around
from audiomill.inputs.articles.extraction import Extraction
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.preformatted import is_prose, make_paragraph
from audiomill.inputs.markup.semantics import HEADINGS, text_within
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import Block, BlockKind, Skipped, SkipReason
from audiomill.inputs.reading.rules import ReadingRules

# An extraction leaves them out; within an article they belong to it.
_PICTURES = frozenset((BlockKind.IMAGE, BlockKind.CAPTION))
_BETWEEN = _PICTURES | {BlockKind.SCENE_BREAK}
_ANCHOR_SIGN = re.compile(r"\s*[#¶§🔗⚓∞]\ufe0f?\s*")
_PROSE = frozenset((BlockKind.LIST_ITEM, BlockKind.PARAGRAPH, BlockKind.QUOTE))
_MIN_WORDS = 8  # of prose; lines such as “Read more” are shorter
_LINKED = 0.4  # of the letters
_MIN_PART_WORDS = 100  # of a part that stands elsewhere
_MIN_PART_BLOCKS = 2


def split_article(
    body: Element, name: str, language: str, rules: ReadingRules, found: Extraction
) -> tuple[DocumentBlocks, list[Skipped]]:
    """(the blocks of the article, the text around it) of the body of a page.

    `name` is how places in the page are called, `language` is that of the page (BCP 47).
    """
    prepare(body)
    links = {normalise_spaces(text_within(link)) for link in body.iter("{*}a")} - {""}
    page = to_blocks(body, where=name, language=language, rules=rules)
    blocks = [anchored.block for anchored in page.blocks]
    chosen = matching([block.text for block in blocks], found.text)
    _choose_title(blocks, chosen, found.title)
    for at in (
        *lost_between(page.blocks, chosen, links),
        *lost_parts(page.blocks, chosen),
        *lost_repeats(page.blocks, chosen),
    ):
        chosen[at] = True
    _choose_between(blocks, chosen, frozenset(map(normalise_spaces, page.written_out)))
    _leave_out_lines(blocks, chosen, found)
    for at in _last_pictures(page.blocks, chosen):
        chosen[at] = True
    kept = tuple(one for one, is_article in zip(page.blocks, chosen, strict=True) if is_article)
    around = [
        Skipped(SkipReason.NAVIGATION, block.text, block.where)
        for block, is_article in zip(blocks, chosen, strict=True)
        if block.text and not is_article
    ]
    return replace(page, blocks=kept), around


def _choose_title(blocks: Sequence[Block], chosen: list[bool], title: str) -> None:
    """The heading with the title belongs to the article that follows it."""
    first = next((at for at, is_article in enumerate(chosen) if is_article), 0)
    for at in range(first - 1, -1, -1):
        if blocks[at].kind is BlockKind.HEADING and same_letters(blocks[at].text, title):
            chosen[at] = True
            return


def _leave_out_lines(blocks: Sequence[Block], chosen: list[bool], found: Extraction) -> None:
    places = [at for at, is_article in enumerate(chosen) if is_article]
    lines = are_around([blocks[at] for at in places], found.title, found.authors)
    for at, is_around in zip(places, lines, strict=True):
        chosen[at] = not is_around


def _choose_between(
    blocks: Sequence[Block], chosen: list[bool], written_out: frozenset[str]
) -> None:
    """Pictures, formulas and the like belong to the article if the text around them does."""
    is_between = [block.kind in _BETWEEN or block.text in written_out for block in blocks]
    texts = [at for at, block in enumerate(blocks) if block.text and not is_between[at]]
    for before, after in pairwise(texts):
        if chosen[before] and chosen[after]:
            for at in range(before + 1, after):
                chosen[at] = is_between[at] or chosen[at]


def _last_pictures(blocks: Sequence[AnchoredBlock], chosen: Sequence[bool]) -> list[int]:
    """The pictures and captions right after the article, in an element that has its prose."""
    own = [one for one, is_article in zip(blocks, chosen, strict=True) if is_article]
    around = {one.place.parent for one in own if _is_prose(one)}
    last = max((at for at, is_article in enumerate(chosen) if is_article), default=len(blocks))

    def belongs(at: int) -> bool:
        place = blocks[at].place
        is_within = not around.isdisjoint((place.parent, place.grandparent))
        return blocks[at].block.kind in _PICTURES and is_within

    return [*takewhile(belongs, range(last + 1, len(blocks)))]


def prepare(body: Element) -> None:
    """Mark the signs by which headings link to themselves as hidden, and prose as paragraphs."""
    for node in [*body.iter()]:
        name = local_name(node)
        if name in HEADINGS:
            _hide_sign(node)
        elif name == "pre" and is_prose(node):
            make_paragraph(node)


def _hide_sign(heading: Element) -> None:
    for link in heading.iter("{*}a"):
        is_own = (link.get("href") or "").startswith("#")
        if is_own and _ANCHOR_SIGN.fullmatch(text_within(link)):
            link.set("hidden", "")


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
