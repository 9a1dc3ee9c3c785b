"""Finds what a publisher prints behind a book: lists of other books, with prices and praise.

    THE END
    *MINUTE BOY SERIES*  Each one volume, cloth decorative, 12mo, per volume $1.50

Below "The End" a few words of the trade tell it; without that, whole chapters of prices, or of a
price and such words close together. Short pages below them (“Our Review”) belong to them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from audiomill.inputs.chapters.headings import is_end
from audiomill.inputs.model.book import Block, BlockKind

LAST_SHARE = 0.3  # of a book's text, in which its end is looked for
MOST_AFTER_END = 40_000  # characters; more is another book in the same file
MIN_SIGNS = 2  # of the trade, in what is below the end
CHARS_PER_SIGN = 2_000
MIN_PRICES = 4  # in a chapter without an end above it
CHARS_PER_PRICE = 250
MIN_OF_LIST = 3  # signs and prices in a chapter with fewer prices
CHARS_OF_LIST = 500  # per sign or price
LONGEST_PAGE = 1_500  # characters of a page without signs, between or below lists

_PRICE = re.compile(
    r"\$ ?\d+\.\d\d|\b\d{1,2}s\. ?(?:\d{1,2}d\.)?(?: net)?(?=\W|$)|\b\d{1,2}/\d{0,2}(?:-| net)"
)
# What nothing else says, and what stories say, too.
_PLAIN_SIGN = re.compile(
    r"\b(?:8vo|12mo|16mo|18mo|postpaid|(?:complete )?free list|per volume|press notices"
    r"|uniform (?:with|edition|binding)|popular (?:novels|fiction)|copyrighted fiction"
    r"|by the same author|price stitch['’]?d)\b",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"\b(?:cloth|publishers?|price|illustrated|(?:in )?\d+ vols?\b|books? by)\b", re.IGNORECASE
)
_BACK_MATTER = re.compile(
    r"\W*(?:appendi(?:x|ces)|notes?|foot ?notes|glossary|index|epilogue|postscript|afterword"
    r"|chapter|part|book|act|vocabulary|bibliography|errata)\b",
    re.IGNORECASE,
)


def advertisement_start(blocks: Sequence[Block], chapter_starts: Sequence[int]) -> int:
    """The index of the first block of what a publisher prints behind a book.

    It is the number of blocks where nothing of the kind is there. `chapter_starts` are the indices
    of the first blocks of the chapters.
    """
    end = _end_of_story(blocks)
    if end is not None and _is_of_the_trade(blocks[end:]):
        return end
    return _first_list(blocks, chapter_starts[1:])


def _first_list(blocks: Sequence[Block], chapter_starts: Sequence[int]) -> int:
    """The index of the first of the lists that end a book; a short page may be among them."""
    start = end = len(blocks)
    for at in reversed(chapter_starts):
        chapter, end = blocks[at:end], at
        if _is_price_list(chapter):
            start = at
        elif _n_chars(chapter) > LONGEST_PAGE or _is_back_matter(chapter):
            break
    return start


def _end_of_story(blocks: Sequence[Block]) -> int | None:
    """The index below the last "The End" that is near the end of the book."""
    n_all = sum(len(block.text) for block in blocks)
    n_below = 0
    for at in range(len(blocks) - 1, -1, -1):
        if is_end(blocks[at]):
            return at + 1
        n_below += len(blocks[at].text)
        if n_below > min(MOST_AFTER_END, LAST_SHARE * n_all):
            break
    return None


def _is_of_the_trade(blocks: Sequence[Block]) -> bool:
    n_chars = _n_chars(blocks)
    n_plain = _count(_PLAIN_SIGN, blocks) + _count(_PRICE, blocks)
    n_signs = n_plain + _count(_SIGN, blocks)
    is_dense = n_plain > 0 and n_signs >= max(MIN_SIGNS, n_chars / CHARS_PER_SIGN)
    return is_dense and not _is_back_matter(blocks)


def _is_price_list(blocks: Sequence[Block]) -> bool:
    n_chars, n_prices = _n_chars(blocks), _count(_PRICE, blocks)
    n_plain = _count(_PLAIN_SIGN, blocks)
    n_signs = n_plain + _count(_SIGN, blocks)
    if n_signs < MIN_SIGNS:
        return False
    if n_prices >= max(MIN_PRICES, n_chars / CHARS_PER_PRICE):
        return True
    n_all = n_prices + n_signs
    is_dense = n_all >= max(MIN_OF_LIST, n_chars / CHARS_OF_LIST)
    return n_prices + n_plain > 0 and is_dense and not _is_back_matter(blocks)


def _is_back_matter(blocks: Sequence[Block]) -> bool:
    headings = (block.text for block in blocks if block.kind is BlockKind.HEADING)
    return any(map(_BACK_MATTER.match, headings))


def _n_chars(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _count(pattern: re.Pattern[str], blocks: Sequence[Block]) -> int:
    return sum(len(pattern.findall(block.text)) for block in blocks)
