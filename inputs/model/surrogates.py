"""Repairs broken surrogates in the text of a book: escapes that name half a character.

Knows nothing of what the text means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from audiomill.inputs.model.book import Block, Book, Chapter, Skipped
from audiomill.inputs.model.places import with_other_text

_SURROGATE = re.compile("[\ud800-\udfff]")


def repair_surrogates(text: str) -> str:
    """Return `text` with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def repair_book(book: Book) -> Book:
    """Return `book` with `repair_surrogates` applied to all its text."""
    return replace(
        book,
        title=repair_surrogates(book.title),
        authors=_repair_all(book.authors),
        subtitle=repair_surrogates(book.subtitle),
        translators=_repair_all(book.translators),
        language=repair_surrogates(book.language),
        chapters=tuple(_repair_chapter(chapter) for chapter in book.chapters),
        date=repair_surrogates(book.date),
        publisher=repair_surrogates(book.publisher),
        description=repair_surrogates(book.description),
        identifier=repair_surrogates(book.identifier),
        series=repair_surrogates(book.series),
        series_index=repair_surrogates(book.series_index),
        skipped=tuple(_repair_skipped(skipped) for skipped in book.skipped),
        warnings=_repair_all(book.warnings),
    )


def _repair_all(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(repair_surrogates(text) for text in texts)


def _repair_chapter(chapter: Chapter) -> Chapter:
    blocks = tuple(_repair_block(block) for block in chapter.blocks)
    title, parts = repair_surrogates(chapter.title), _repair_all(chapter.parts)
    return replace(chapter, title=title, blocks=blocks, parts=parts)


def _repair_block(block: Block) -> Block:
    language = block.language and repair_surrogates(block.language)
    text, where = repair_surrogates(block.text), repair_surrogates(block.where)
    if (text, where, language) == (block.text, block.where, block.language):
        return block
    # Where two halves became one character, places in the text are not known.
    repaired = block if len(text) == len(block.text) else with_other_text(block, text)
    return replace(repaired, text=text, language=language, where=where)


def _repair_skipped(skipped: Skipped) -> Skipped:
    text, where = repair_surrogates(skipped.text), repair_surrogates(skipped.where)
    is_whole = (text, where) == (skipped.text, skipped.where)
    return skipped if is_whole else replace(skipped, text=text, where=where)
