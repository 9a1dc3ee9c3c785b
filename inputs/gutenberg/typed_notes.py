"""Makes blocks of the asides of a typed book: each is read, or listed as skipped.

A note is found by its mark, which the text has in brackets: "a mill[3]". Pages of EPUB, HTML and
Markdown have asides, too: `<p>[Illustration: The mill.]</p>`, which may go on over paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from audiomill.inputs.gutenberg.asides import Aside, AsideKind, aside_end, find_asides
from audiomill.inputs.gutenberg.wording import is_makers_note
from audiomill.inputs.markup.blocks import DocumentBlocks
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.model.book import Block, BlockKind, Skipped, SkipReason
from audiomill.inputs.model.places import joined, without_ranges
from audiomill.inputs.reading.rules import ReadingRules

Parts = Sequence[AnchoredBlock | Aside]

_MARK = re.compile(r"[ ]?\[(\d{1,4}(?::\d{1,2})?|[A-Za-z]{1,2}|[ivxlc]{1,6}|[*†‡§]{1,3})\]")
_NOTE = re.compile(r"\[(\d{1,4}(?::\d{1,2})?|[A-Z]{1,2}|[ivxlc]{1,6}|[*†‡§]{1,3})\]\s+(?=\S)")
_TITLES = frozenset(("footnotes", "endnotes", "fußnoten", "notes de bas de page", "voetnoten"))
# How those who typed a book describe notes of music: "Treble clef, B-flat major."
_NOTATION = re.compile(
    r"\b(?:clefs?|staves|staffs?|slur(?:red)?|stacc\w+|(?:de)?crescendo|key of|\d/\d time"
    r"|(?:whole|half|quarter|eighth|sixteenth) notes?)\b",
    re.IGNORECASE,
)
_REASONS = {
    AsideKind.PAGE: SkipReason.PAGE_NUMBER,
    AsideKind.MAKERS: SkipReason.EDITION,
}
_KINDS = frozenset(
    (
        *(BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.LIST_ITEM),
        *(BlockKind.VERSE, BlockKind.HEADING, BlockKind.CAPTION),
    )
)


@dataclass(slots=True)
class Separated:
    """The blocks of a text, with those of its notes, and what is listed."""

    blocks: list[AnchoredBlock] = field(default_factory=list[AnchoredBlock])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    note_links: list[str] = field(default_factory=list[str])  # for marks that were left out
    end_ids: tuple[str, ...] = ()  # of asides after the last block


def separate_asides(parts: Parts, rules: ReadingRules) -> Separated:
    """The blocks among `parts`, and the asides as blocks or as listed.

    Marks of notes become links to the blocks of these, as in a page that has such links.
    """
    result = Separated()
    targets = _targets(parts)
    for at, part in enumerate(parts):
        if isinstance(part, Aside):
            _add_aside(result, part, f"typed-note-{at}", rules)
        else:
            _add_text(result, part, targets.get(at, {}))
    return result


def with_marked_notes(parts: Parts) -> list[AnchoredBlock | Aside]:
    """The parts, with paragraphs such as "[3] See the map." as asides.

    So is a title "Footnotes" right above one.
    """
    noted = [*_marked_notes(parts)]
    for at, below in enumerate(noted[1:]):
        part = noted[at]
        is_above_note = isinstance(below, Aside) and below.kind is AsideKind.NOTE
        if is_above_note and isinstance(part, AnchoredBlock) and _is_title(part.block.text):
            noted[at] = _as_note(part, "", part.block.text)
    return noted


def _is_title(text: str) -> bool:
    return text.strip(" .:_").lower() in _TITLES


def _marked_notes(parts: Parts) -> Iterator[AnchoredBlock | Aside]:
    """The parts, with paragraphs that begin with a mark as asides, if the text above has the mark.

    Others with a number in brackets are text: a verse, a step, an article.
    """
    referred = set[str]()
    for part in parts:
        if isinstance(part, Aside):
            referred.update(_MARK.findall(part.text))
            yield part
            continue
        is_paragraph = part.block.kind is BlockKind.PARAGRAPH
        match = _NOTE.match(part.block.text) if is_paragraph else None
        text = part.block.text[match.end() if match else 0 :]
        if match and match[1] in referred:
            referred.remove(match[1])
            yield _as_note(part, match[1], text)
        else:
            yield part
        referred.update(_MARK.findall(text))


def _as_note(part: AnchoredBlock, label: str, text: str) -> Aside:
    block = part.block
    return Aside(AsideKind.NOTE, label, text, block.where, block.language, part.ids)


def _targets(parts: Parts) -> dict[int, dict[str, str]]:
    """For each block with marks of notes: the id of the note, by mark.

    The same mark may come again, on another page: it belongs to the next note that has it.
    """
    pending: dict[str, list[int]] = {}
    targets: dict[int, dict[str, str]] = {}
    for at, part in enumerate(parts):
        if isinstance(part, AnchoredBlock):
            for mark in _MARK.findall(part.block.text):
                pending.setdefault(mark, []).append(at)
        elif part.kind is AsideKind.NOTE:
            for block in pending.pop(part.mark, ()):
                targets.setdefault(block, {})[part.mark] = f"typed-note-{at}"
    return targets


def _add_text(result: Separated, part: AnchoredBlock, known: dict[str, str]) -> None:
    """Add a block without the marks of these notes, which have the ids `known`."""
    found = [match for match in _MARK.finditer(part.block.text) if match[1] in known]
    block = without_ranges(part.block, [match.span() for match in found])
    links = tuple(f"#{known[match[1]]}" for match in found)
    ids, result.end_ids = (*result.end_ids, *part.ids), ()
    result.blocks.append(replace(part, block=block, ids=ids, note_links=(*part.note_links, *links)))
    result.note_links += links
    where = block.where
    result.skipped += (Skipped(SkipReason.NOTE_REFERENCE, match[1], where) for match in found)


def _add_aside(result: Separated, aside: Aside, name: str, rules: ReadingRules) -> None:
    result.end_ids += aside.ids
    makers = _makers_reason(aside)
    if makers and not rules.reads(makers, aside.text, aside.where):
        result.skipped.append(Skipped(makers, f"{aside.label} {aside.text}", aside.where))
        return
    if aside.kind is AsideKind.PICTURE:
        if aside.text:
            _add_block(result, aside, BlockKind.CAPTION)
        result.skipped.append(Skipped(SkipReason.ALTERNATIVE_TEXT, aside.label, aside.where))
        return
    reason = _REASONS.get(aside.kind, SkipReason.NOTE)
    if not aside.text or not rules.reads(reason, aside.text, aside.where):
        whole = f"{aside.label} {aside.text}".strip()
        result.skipped.append(Skipped(reason, whole, aside.where))
        return
    result.end_ids = (name, *result.end_ids)
    if aside.kind is AsideKind.MARGIN and result.blocks:  # it has no mark: the text above has one
        last = result.blocks[-1]
        result.blocks[-1] = replace(last, note_links=(*last.note_links, f"#{name}"))
        result.note_links.append(f"#{name}")
    _add_block(result, aside, BlockKind.NOTE if reason is SkipReason.NOTE else BlockKind.PARAGRAPH)
    if aside.label:
        result.skipped.append(Skipped(SkipReason.NOTE_REFERENCE, aside.label, aside.where))


def _makers_reason(aside: Aside) -> SkipReason | None:
    """Why a caption is left out that those wrote who typed the book; None for one of the book."""
    if aside.kind is not AsideKind.PICTURE or not aside.text:
        return None
    if is_makers_note(aside.text):
        return SkipReason.EDITION
    is_notation = aside.label.lower() == "music" and _NOTATION.search(aside.text)
    return SkipReason.ALTERNATIVE_TEXT if is_notation else None


def _add_block(result: Separated, aside: Aside, kind: BlockKind) -> None:
    block = Block(kind, aside.text, aside.language, where=aside.where)
    ids, result.end_ids = result.end_ids, ()
    result.blocks.append(AnchoredBlock(block, ids=ids))


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
