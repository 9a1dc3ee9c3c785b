"""Divides the blocks of a web page into those of its article and those around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from audiomill.inputs.articles.alignment import matching, same_letters
from audiomill.inputs.articles.boilerplate import are_around
from audiomill.inputs.articles.extraction import Extraction
from audiomill.inputs.articles.preparing import prepare
from audiomill.inputs.articles.siblings import lost_between, lost_parts, lost_repeats
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import Block, BlockKind, Skipped, SkipReason

# An extraction leaves them out; within an article they belong to it.
_BETWEEN = frozenset((BlockKind.IMAGE, BlockKind.CAPTION, BlockKind.SCENE_BREAK))


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
