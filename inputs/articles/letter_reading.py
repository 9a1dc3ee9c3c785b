"""Reads a saved letter into a `Book`: HTML or plain text, as `listings/mail.py` saved it.

Letters are laid out by tables, and have no article that could be told from a page around it: all of
their text is the letter, but for the footer and the like, which are listed as navigation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from audiomill.inputs.articles.boilerplate import are_around as are_lines_around
from audiomill.inputs.articles.letter_footers import are_around
from audiomill.inputs.articles.listings.wording import words_of_html
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.html import PageBytes, book_of_page
from audiomill.inputs.languages.detection import language_of_text
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.model.book import (
    Block,
    Book,
    Chapter,
    LanguageSource,
    Limits,
    Skipped,
    SkipReason,
)
from audiomill.inputs.plaintext.reader import book_of_text

SCHEME = "mid:"  # RFC 2392
_NAME = "letter"  # how its places are called
_TITLE = "A letter"  # without a subject
_TABLE_PARTS = frozenset(("center", "table", "tbody", "td", "tfoot", "th", "thead", "tr"))
_DATA_PARTS = frozenset(("caption", "th"))
# The line that a list of letters shows after the subject. Letters hide it in many ways.
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:max-height|opacity)\s*:\s*0(?:px|em|%)?\s*(?:!|;|$)")
_PIXEL = frozenset(("0", "1", "0px", "1px"))


def book_of_letter(page: Fetched, limits: Limits, rules: ReadingRules) -> Book:
    """The book in a letter. Raises SourceError."""
    data = page.content or b""
    text = data.decode("utf-8", "replace")  # as `listings/mail.py` saved it
    if page.media_type == "text/plain":
        book = _without_footer(book_of_text(data, _NAME, _TITLE, limits, rules))
        shown = language_of_text(text)
        if not shown:
            return book
        return replace(book, language=shown, language_source=LanguageSource.DETECTED)
    shown = language_of_text(words_of_html(text))
    return book_of_page(
        PageBytes(data, _NAME, _TITLE, page.charset, shown), limits, rules, split_letter
    )


def split_letter(
    body: Element, name: str, language: str, rules: ReadingRules
) -> tuple[DocumentBlocks, list[Skipped]]:
    """(the blocks of the letter, the text around it) of the body of a page."""
    _mark_hidden(body)
    _remove_layout(body)
    page = to_blocks(body, where=name, language=language, rules=rules)
    blocks = [anchored.block for anchored in page.blocks]
    footer = are_around([block.text for block in blocks])
    around = [one or other for one, other in zip(footer, are_lines_around(blocks), strict=True)]
    kept = tuple(one for one, is_around in zip(page.blocks, around, strict=True) if not is_around)
    listed = [
        _listed(one.block) for one, is_around in zip(page.blocks, around, strict=True) if is_around
    ]
    return replace(page, blocks=kept), [one for one in listed if one.text]


def _without_footer(book: Book) -> Book:
    around = iter(are_around([one.text for chapter in book.chapters for one in chapter.blocks]))
    listed = list[Skipped]()

    def without(chapter: Chapter) -> Chapter:
        pairs = [(block, next(around)) for block in chapter.blocks]
        listed.extend(_listed(block) for block, is_around in pairs if is_around)
        kept = tuple(block for block, is_around in pairs if not is_around)
        return replace(chapter, blocks=kept)

    chapters = tuple(map(without, book.chapters))
    return replace(book, chapters=chapters, skipped=(*book.skipped, *listed))


def _listed(block: Block) -> Skipped:
    return Skipped(SkipReason.NAVIGATION, block.text, block.where)


def _mark_hidden(body: Element) -> None:
    """Mark what a letter hides, and pictures of one pixel, by which senders count readers."""
    for node in body.iter():
        name = local_name(node)
        style = (node.get("style") or "").lower() if name else ""
        is_pixel = name == "img" and {node.get("width"), node.get("height")} <= _PIXEL
        if is_pixel or (style and _HIDING_STYLE.search(style)):
            node.set("hidden", "")


def _remove_layout(body: Element) -> None:
    """Make plain blocks of tables that are no tables of data: these name their columns."""
    tables = [node for node in body.iter() if local_name(node) == "table"]
    for table in tables:
        if not any(local_name(node) in _DATA_PARTS for node in _own_parts(table)):
            for node in [table, *_own_parts(table)]:
                if local_name(node) in _TABLE_PARTS:
                    node.tag = "div"


def _own_parts(table: Element) -> Iterator[Element]:
    """The elements of a table that are not within another table in it."""
    waiting = [*table]
    while waiting:
        node = waiting.pop()
        if local_name(node) != "table":
            yield node
            waiting.extend(node)
