"""Takes out of pages what typed books set in brackets: `<p>[Illustration: The mill.]</p>`.

EPUB, HTML and Markdown use it. An aside may go on over several paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audiomill.inputs.chapters.reading_rules import ReadingRules
from audiomill.inputs.gutenberg.asides import Aside, aside_end, find_asides
from audiomill.inputs.gutenberg.typed_notes import separate_asides, with_marked_notes
from audiomill.inputs.markup.blocks import DocumentBlocks
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.model.places import joined, without_ranges

_KINDS = frozenset(
    (
        *(BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.LIST_ITEM),
        *(BlockKind.VERSE, BlockKind.HEADING, BlockKind.CAPTION),
    )
)


def without_typed_asides(
    page: DocumentBlocks, rules: ReadingRules, *, is_edition: bool
) -> DocumentBlocks:
    """The page with its asides as captions and notes, or listed as skipped.

    `is_edition` if the book is known to be typed from paper.
    """
    parts = [*_parts(page.blocks, is_edition=is_edition)]
    noted = with_marked_notes(parts) if is_edition else parts
    if not any(isinstance(part, Aside) for part in noted):
        return page
    separated = separate_asides(noted, rules)
    return replace(
        page,
        blocks=tuple(separated.blocks),
        skipped=(*page.skipped, *separated.skipped),
        end_ids=(*separated.end_ids, *page.end_ids),
        note_links=(*page.note_links, *separated.note_links),
    )


def _parts(blocks: Sequence[AnchoredBlock], *, is_edition: bool) -> Iterator[AnchoredBlock | Aside]:
    texts = [one.block.text if one.block.kind in _KINDS else "" for one in blocks]
    at = 0
    while at < len(blocks):
        end = aside_end(texts, at)
        yield from _split(blocks[at:end], is_edition=is_edition)
        at = end


def _split(blocks: Sequence[AnchoredBlock], *, is_edition: bool) -> Iterator[AnchoredBlock | Aside]:
    """The text of a paragraph and its asides; of several blocks if these are one aside."""
    first, block = blocks[0], blocks[0].block
    texts = [one.block.text for one in blocks]
    ids = tuple(name for one in blocks for name in one.ids)
    if len(blocks) > 1:
        block = joined([one.block for one in blocks], " ".join(texts))
    found = find_asides(block.text, is_edition=is_edition) if block.kind in _KINDS else []
    if not found:
        yield from blocks
        return
    rest = without_ranges(block, [(start, end) for start, end, _ in found])
    if rest.text:
        yield replace(first, block=rest, ids=ids)
    for number, (_, _, aside) in enumerate(found):
        own_ids = ids if not rest.text and not number else ()
        yield replace(aside, where=block.where, language=block.language, ids=own_ids)
