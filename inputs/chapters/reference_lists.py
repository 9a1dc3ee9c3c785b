"""Leaves lists out of a book that nobody listens to: contents, indexes, a publisher's other books.

The readers leave out those that a page marks. The others are known by their titles and entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice

from audiomill.inputs.chapters.advertisements import advertisement_start
from audiomill.inputs.chapters.headings import empty_titles
from audiomill.inputs.chapters.listings import list_spans, title_counts
from audiomill.inputs.chapters.reading_rules import ReadingRules
from audiomill.inputs.chapters.untitled_contents import untitled_spans
from audiomill.inputs.gutenberg.liber_liber import edition_spans
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter, Skipped, SkipReason


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
