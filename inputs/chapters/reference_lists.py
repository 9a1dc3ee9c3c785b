"""Leaves lists out of a book that nobody listens to: contents, indexes, a publisher's other books.

The readers leave out those that a page marks. The others are known by their titles and entries.
Two kinds have neither:

    THE END                                what a publisher prints behind a book
    *MINUTE BOY SERIES*  Each one volume, cloth decorative, 12mo, per volume $1.50

Below "The End" a few words of the trade tell it; without that, whole chapters of prices, or of a
price and such words close together. Short pages below them (“Our Review”) belong to them.

    The Sea          contents: each line comes once more, in the same order, as a title above text
    The Hill
    The End

No prose is lost with these: whatever is found stands once more in the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise

from audiomill.inputs.chapters.headings import empty_titles, is_end
from audiomill.inputs.chapters.listings import LONGEST_SUMMARY, line_keys, list_spans, title_counts
from audiomill.inputs.gutenberg.liber_liber import edition_spans
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter, Skipped, SkipReason
from audiomill.inputs.reading.rules import ReadingRules

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
MIN_ENTRIES = 4
FIRST = 60  # texts of a book, among which a table begins
LEAST_SHARE = 0.8  # of the lines, that are entries
LEAST_CHARS = 300  # below a title
MOST_SHORT = 0.4  # of the titles, that have less text below them: parts, very short chapters
MOST_TITLE_LINES = 6
SHORTEST_KEY = 3  # letters; numerals alone are no titles


def leave_out_lists(book: Book, rules: ReadingRules) -> Book:
    """The book without the lists that `rules` do not have read; they are in `skipped`.

    So is a title of a list or of notes, where these are left out. A chapter of nothing else is left
    out.
    """
    blocks = [block for chapter in book.chapters for block in chapter.blocks]
    kept: list[Block | None] = [*blocks]
    skipped: list[Skipped] = []
    for start, end, reason in _spans(book, blocks):
        if None in kept[start:end]:
            continue
        whole = "\n".join(block.text for block in blocks[start:end])
        if not rules.reads(reason, whole, blocks[start].where):
            skipped += (Skipped(reason, one.text, one.where) for one in blocks[start:end])
            kept[start:end] = [None] * (end - start)
    left = [block or Block(BlockKind.SCENE_BREAK, "") for block in kept]
    for at, reason in empty_titles(left):
        if not rules.reads(reason, left[at].text, left[at].where):
            skipped.append(Skipped(reason, left[at].text, left[at].where))
            kept[at] = None
    if not skipped:
        return book
    chapters = _with_blocks(book.chapters, kept)
    return replace(book, chapters=chapters, skipped=(*book.skipped, *skipped))


def _spans(book: Book, blocks: Sequence[Block]) -> Iterator[tuple[int, int, SkipReason]]:
    """(start, end, reason) of the blocks of each list; two may have the same blocks."""
    texts = [block.text for block in blocks]
    is_heading = [block.kind is BlockKind.HEADING for block in blocks]
    for span in edition_spans(texts):
        yield (*span, SkipReason.EDITION)
    titles = title_counts([*texts, *(chapter.title for chapter in book.chapters)])
    yield from list_spans(texts, is_heading, titles)
    for span in untitled_spans(texts):
        yield (*span, SkipReason.TABLE_OF_CONTENTS)
    starts = accumulate((len(chapter.blocks) for chapter in book.chapters), initial=0)
    start = advertisement_start(blocks, [*starts][:-1])
    if start < len(blocks):
        yield start, len(blocks), SkipReason.ADVERTISEMENT


def _with_blocks(chapters: tuple[Chapter, ...], blocks: list[Block | None]) -> tuple[Chapter, ...]:
    """The chapters with the blocks that are kept; `blocks` has one for each of theirs."""
    rest = iter(blocks)
    changed = (
        replace(chapter, blocks=tuple(filter(None, islice(rest, len(chapter.blocks)))))
        for chapter in chapters
    )
    return tuple(one for one in changed if any(block.text for block in one.blocks))


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


@dataclass(frozen=True, slots=True)
class _Book:
    texts: Sequence[str]
    places: Mapping[str, Sequence[int]]  # of the short texts, by their keys
    n_chars: Sequence[int]  # above each text


def untitled_spans(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(start, end) of each table of contents without a title, at the beginning of a book."""
    book = _Book(texts, _places(texts), [0, *accumulate(map(len, texts))])
    at = 0
    while at < min(FIRST, len(texts)):
        end = _table_end(book, at)
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _places(texts: Sequence[str]) -> dict[str, list[int]]:
    """Where each short text stands that can be a title."""
    places: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        lines = text.split("\n")
        if len(lines) > MOST_TITLE_LINES or len(text) > LONGEST_SUMMARY:
            continue
        for key in {key for one in (*lines, " ".join(lines)) for key in _keys(one)}:
            places.setdefault(key, []).append(at)
    return places


def _keys(line: str) -> list[str]:
    return [key for key in line_keys(line) if sum(map(str.isalpha, key)) >= SHORTEST_KEY]


def _table_end(book: _Book, start: int) -> int:
    """The index after the last entry of a table that begins at `start`; `start` if none does."""
    titles, n_lines = list[int](), 0
    end, last = start, start
    for at in range(start, len(book.texts)):
        if titles and at >= titles[0]:
            break
        lines = [line for line in book.texts[at].split("\n") if line.strip()]
        found = _titles_of(book, [" ".join(lines)], at, last)
        lines, found = (lines[:1], found) if found else (lines, _titles_of(book, lines, at, last))
        if len(found) < LEAST_SHARE * len(lines) or not lines:
            break
        titles, n_lines = [*titles, *found], n_lines + len(lines)
        end, last = at + 1, titles[-1]
    return end if len(titles) >= MIN_ENTRIES and _have_text(book, titles) else start


def _titles_of(book: _Book, lines: Sequence[str], at: int, above: int) -> list[int]:
    """The places of the titles that the lines of one text name, in order, below the one `above`."""
    found = list[int]()
    for line in lines:
        below = {place for key in _keys(line) for place in book.places.get(key, ()) if place > at}
        if len(below) == 1 and (place := below.pop()) > above:
            found.append(place)
            above = place
    return found


def _have_text(book: _Book, titles: Sequence[int]) -> bool:
    """True if most titles stand above text, and the last one, too."""
    bounds = [*titles, len(book.texts)]
    n_short = sum(
        book.n_chars[end] - book.n_chars[start + 1] < LEAST_CHARS for start, end in pairwise(bounds)
    )
    return n_short <= MOST_SHORT * len(titles)
