"""Finds footnotes and endnotes among the blocks of a book, and their marks in the text.

    with mark ¹      <p>text<a href="#n1">1</a></p>
    a note           <p id="n1"><a href="#r1">1</a> The note.</p>, or marked as one

Notes are taken out of the text. They are listed, or go with the block that has their first mark,
to be read after it or at the end of its chapter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from audiomill.inputs.markup.blocks import DocumentBlocks
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.model.book import Block, BlockKind, Chapter, Skipped, SkipReason
from audiomill.inputs.model.places import joined
from audiomill.inputs.reading.choices import Notes
from audiomill.inputs.reading.rules import ReadingRules

NOTE_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE))
Target = tuple[str, str]  # (path of a document, id in it)
Resolve = Callable[[str, str], Target | None]  # (path of a document, href in it) ─▶ target


@dataclass(frozen=True, slots=True)
class NotePage:
    """The blocks of one document."""

    path: str
    blocks: tuple[AnchoredBlock, ...]
    note_links: tuple[str, ...]  # the hrefs of note references that were left out
    end_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Note:
    targets: frozenset[Target]
    blocks: tuple[Block, ...]


def separate_notes(
    pages: Sequence[NotePage], resolve: Resolve, rules: ReadingRules
) -> tuple[list[NotePage], list[Skipped]]:
    """Return (the pages without their notes, the notes that are not read).

    A block is a note if the markup says so, or if a note reference leads to it and it begins with
    a link of the same kind. The ids of a note pass to the next block. Notes that are read are in
    `AnchoredBlock.notes` of the block with their first mark.
    """
    targets = {
        target for page in pages for href in page.note_links if (target := resolve(page.path, href))
    }
    split = [_split(page, targets, rules) for page in pages]
    found = [note for _, of_page in split for note in of_page]
    remaining = [page for page, _ in split]
    if rules.reading.notes == "skip":
        return remaining, [one for note in found for one in _listed(note)]
    by_target = {target: note for note in found for target in note.targets}
    marked: set[frozenset[Target]] = set()
    with_marks = [_with_marked_notes(page, resolve, by_target, marked) for page in remaining]
    lost = [note for note in found if note.targets not in marked]
    return with_marks, [one for note in lost for one in _listed(note)]


def separate_notes_of_page(
    page: DocumentBlocks, path: str, rules: ReadingRules
) -> tuple[Sequence[AnchoredBlock], Sequence[Skipped]]:
    """Return (the blocks of a page that is a whole source, the notes that are not read).

    Nothing changes if notes are not read: a page shows its notes below the text.
    """
    if rules.reading.notes == "skip":
        return page.blocks, ()

    def target(path: str, href: str) -> Target | None:
        return (path, href[1:]) if href.startswith("#") else None

    whole = NotePage(path, page.blocks, page.note_links, page.end_ids)
    (separated,), skipped = separate_notes([whole], target, rules)
    return separated.blocks, skipped


def with_notes(blocks: Iterable[AnchoredBlock], notes: Notes) -> tuple[Block, ...]:
    """Return the blocks of a chapter, with its notes where they are read."""
    texts: list[Block] = []
    at_end: list[Block] = []
    for anchored in blocks:
        texts.append(anchored.block)
        (texts if notes == "mark" else at_end).extend(anchored.notes)
    return (*texts, *at_end)


def with_notes_of_all(
    chapters: Iterable[Chapter], blocks: Sequence[AnchoredBlock], notes: Notes
) -> Iterator[Chapter]:
    """Return the chapters with their notes; together they have `blocks`, in order."""
    at = 0
    for chapter in chapters:
        end = at + len(chapter.blocks)
        yield replace(chapter, blocks=with_notes(blocks[at:end], notes))
        at = end


def _split(
    page: NotePage, targets: set[Target], rules: ReadingRules
) -> tuple[NotePage, list[_Note]]:
    """(the page without its notes, these)."""
    blocks: list[AnchoredBlock] = []
    found: list[_Note] = []
    pending_ids: tuple[str, ...] = ()
    in_note = False
    for anchored in page.blocks:
        leads_here = frozenset((page.path, name) for name in anchored.ids) & targets
        # Another paragraph of the note; one with an id may be a note without a mark.
        goes_on = in_note and not anchored.ids and anchored.block.kind is BlockKind.NOTE
        in_note = _is_separate(anchored, rules, is_target=bool(leads_here))
        if not in_note:
            blocks.append(replace(anchored, ids=pending_ids + anchored.ids))
            pending_ids = ()
            continue
        pending_ids += anchored.ids
        if goes_on:
            found[-1] = _continued(found[-1], anchored.block)
        else:
            found.append(_Note(leads_here, (replace(anchored.block, kind=BlockKind.NOTE),)))
    end_ids = pending_ids + page.end_ids
    return replace(page, blocks=tuple(blocks), end_ids=end_ids), found


def _is_separate(anchored: AnchoredBlock, rules: ReadingRules, *, is_target: bool) -> bool:
    """True for a note that is not read where it stands."""
    block = anchored.block
    if block.kind is BlockKind.NOTE:  # else the file of the book has it read where it stands
        return rules.reading.notes != "skip"
    is_note = is_target and bool(anchored.opening_link) and block.kind in NOTE_KINDS
    if not is_note or rules.reading.notes != "skip":
        return is_note
    return not rules.reads(SkipReason.NOTE, block.text, block.where)


def _continued(note: _Note, block: Block) -> _Note:
    """The note with another paragraph: in the same block, unless the language changes."""
    *before, last = note.blocks
    if last.language != block.language:
        return replace(note, blocks=(*note.blocks, block))
    return replace(note, blocks=(*before, joined([last, block], f"{last.text} {block.text}")))


def _with_marked_notes(
    page: NotePage,
    resolve: Resolve,
    by_target: Mapping[Target, _Note],
    marked: set[frozenset[Target]],
) -> NotePage:
    """The page, with each note at the block that has its first mark; adds them to `marked`."""
    blocks: list[AnchoredBlock] = []
    for anchored in page.blocks:
        mine: list[Block] = []
        for href in anchored.note_links:
            note = by_target.get(resolve(page.path, href) or ("", ""))
            if note and note.targets not in marked:
                marked.add(note.targets)
                mine += note.blocks
        blocks.append(replace(anchored, notes=tuple(mine)) if mine else anchored)
    return replace(page, blocks=tuple(blocks))


def _listed(note: _Note) -> Iterator[Skipped]:
    return (Skipped(SkipReason.NOTE, block.text, block.where) for block in note.blocks)
