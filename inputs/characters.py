"""Halves of characters made whole: no text of a book holds a lone surrogate, which no file can.

They come from names of files that are not UTF-8 (PEP 383) and from pairs of escapes in YAML.
Knows characters and the shape of a `Book`; the one place that mends them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from inputs.book import Block, Book, Chapter, Skipped

_SURROGATE = re.compile("[\ud800-\udfff]")


def whole(text: str) -> str:
    """`text` with surrogate pairs joined and each lone surrogate as U+FFFD."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def whole_book(book: Book) -> Book:
    """`book` with all its text whole."""
    return replace(
        book,
        title=whole(book.title),
        authors=_each(book.authors),
        language=whole(book.language),
        chapters=tuple(_chapter(chapter) for chapter in book.chapters),
        date=whole(book.date),
        publisher=whole(book.publisher),
        description=whole(book.description),
        identifier=whole(book.identifier),
        series=whole(book.series),
        series_index=whole(book.series_index),
        skipped=tuple(_skipped(skipped) for skipped in book.skipped),
        warnings=_each(book.warnings),
    )


def _each(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(whole(text) for text in texts)


def _chapter(chapter: Chapter) -> Chapter:
    blocks = tuple(_block(block) for block in chapter.blocks)
    return replace(chapter, title=whole(chapter.title), blocks=blocks)


def _block(block: Block) -> Block:
    language = block.language and whole(block.language)
    text, where = whole(block.text), whole(block.where)
    return replace(block, text=text, language=language, where=where)


def _skipped(skipped: Skipped) -> Skipped:
    return replace(skipped, text=whole(skipped.text), where=whole(skipped.where))
