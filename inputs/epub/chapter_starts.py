"""Finds where the chapters of a book begin.

The table of contents decides if it covers the book, or else headings, or else files.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, partial

from audiomill.inputs.epub.documents import Document
from audiomill.inputs.epub.toc import TocEntry
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.model.comparison import comparison_key


@dataclass(frozen=True, slots=True)
class ChapterStart:
    """A chapter begins at block `at`. `title` is from the table of contents, or ""."""

    at: int
    title: str
    level: int
    parts: tuple[str, ...] = ()  # the titles above it in the table of contents


@dataclass(frozen=True, slots=True)
class BlockSequence:
    """All blocks of a book in one sequence, with the index of each document and anchor."""

    blocks: tuple[AnchoredBlock, ...]
    starts: tuple[int, ...]  # the index of the first block of each document
    documents: tuple[Document, ...]
    anchors: dict[tuple[str, str], int]  # (path, id) ─▶ index


def join_documents(documents: list[Document]) -> BlockSequence:
    """Return the blocks of all documents as one sequence."""
    blocks: list[AnchoredBlock] = []
    starts: list[int] = []
    anchors: dict[tuple[str, str], int] = {}
    for document in documents:
        starts.append(len(blocks))
        for at, anchored in enumerate(document.blocks, start=len(blocks)):
            for name in anchored.ids:
                anchors.setdefault((document.path, name), at)
        blocks += document.blocks
        for name in document.end_ids:
            anchors.setdefault((document.path, name), len(blocks))
    return BlockSequence(tuple(blocks), tuple(starts), tuple(documents), anchors)


def find_chapter_starts(
    sequence: BlockSequence, entries: tuple[TocEntry, ...], warnings: list[str]
) -> list[ChapterStart]:
    """Where chapters begin, in order; the first begins at block 0.

    The table of contents decides if it covers the book, or else headings, or else files.
    """
    listed = _merge(_by_toc(sequence, entries, warnings))
    if _covers_little(sequence, listed):
        return _from_first_block(_merge([*listed, *_by_headings(sequence)]))
    return _from_first_block(_merge([*listed, *_unlisted(sequence, listed)]))


def _by_toc(
    sequence: BlockSequence, entries: tuple[TocEntry, ...], warnings: list[str]
) -> list[ChapterStart]:
    """The starts that the table of contents gives; a wrong anchor becomes a warning."""
    by_path = {document.path: index for index, document in enumerate(sequence.documents)}
    headings_of = cache(partial(_headings_by_title, sequence))
    cuts: list[ChapterStart] = []
    for entry in entries:
        index = by_path.get(entry.path)
        if index is None:
            continue  # a page that is not read, for example the cover
        start = sequence.starts[index]
        at = sequence.anchors.get((entry.path, entry.fragment)) if entry.fragment else start
        if at is None:
            at = headings_of(index).get(comparison_key(entry.title), start)
            if at == start:
                warnings.append(
                    f"the table of contents has {entry.title!r} at #{entry.fragment} of "
                    f"{entry.path}, which is not there; taken to be its start"
                )
        at = _move_to_heading(sequence, start, at, entry.title)
        cuts.append(ChapterStart(at, entry.title, entry.level, entry.parts))
    return sorted(cuts, key=lambda cut: cut.at)


def _headings_by_title(sequence: BlockSequence, index: int) -> dict[str, int]:
    """The place of the first heading of each title in a document, by `comparison_key`."""
    places: dict[str, int] = {}
    for at, anchored in enumerate(sequence.documents[index].blocks, sequence.starts[index]):
        if anchored.block.kind is BlockKind.HEADING:
            text = anchored.block.text
            for name in (text, text.partition(": ")[2]):  # without its number, too
                places.setdefault(comparison_key(name), at)
    return places


def _move_to_heading(sequence: BlockSequence, start: int, at: int, title: str) -> int:
    """`at`, or the index before it if the heading of the chapter is there."""
    wanted = comparison_key(title)
    if at > start and at < len(sequence.blocks):
        before, here = sequence.blocks[at - 1].block, sequence.blocks[at].block
        text = comparison_key(before.text)
        with_next = text + comparison_key(here.text) if here.kind is BlockKind.HEADING else text
        if before.kind is BlockKind.HEADING and wanted in {text, with_next}:
            return at - 1
    return at


def _merge(cuts: list[ChapterStart]) -> list[ChapterStart]:
    """One start per block, in order: "Part One" and "Chapter 1" at the same block are joined."""
    by_block: dict[int, list[ChapterStart]] = {}
    for cut in sorted(cuts, key=lambda cut: cut.at):
        by_block.setdefault(cut.at, []).append(cut)
    merged: list[ChapterStart] = []
    for group in by_block.values():
        titles = list({comparison_key(cut.title): cut.title for cut in group if cut.title}.values())
        # Three or more titles at one block are entries with broken links, not parts of a title.
        if len(titles) <= 2:
            merged.append(replace(max(group, key=lambda cut: cut.level), title=": ".join(titles)))
        else:
            merged.append(replace(min(group, key=lambda cut: cut.level), title=titles[0]))
    return merged


def _covers_little(sequence: BlockSequence, cuts: list[ChapterStart]) -> bool:
    """True if the table of contents has too few entries for the number of files or headings."""
    n_documents = len(sequence.documents)
    n_headings = sum(anchored.block.kind is BlockKind.HEADING for anchored in sequence.blocks)
    return (
        not cuts
        or (len(cuts) == 1 and (n_documents >= 3 or n_headings >= 3))
        or (len(cuts) == 2 and n_documents >= 8)
    )


def _unlisted(sequence: BlockSequence, listed: list[ChapterStart]) -> list[ChapterStart]:
    """Starts at documents that the table of contents lacks.

    Such a document begins a chapter if it opens with a heading of the level of the chapter before
    it, or a higher one. Otherwise it continues that chapter.
    """
    by_block = {cut.at: cut for cut in listed}
    added: list[ChapterStart] = []
    current: ChapterStart | None = None
    for start, document in zip(sequence.starts, sequence.documents, strict=True):
        level = _heading_level(sequence, start)
        if start not in by_block and level:
            ceiling = 6 if current is None else _heading_level(sequence, current.at)
            if level <= ceiling:
                current = (
                    replace(current, at=start, title="") if current else ChapterStart(start, "", 1)
                )
                added.append(current)
        inside = [
            by_block[at] for at in range(start, start + len(document.blocks)) if at in by_block
        ]
        current = inside[-1] if inside else current
    return added


def _heading_level(sequence: BlockSequence, at: int) -> int:
    """The level of the heading at `at`, after any scene breaks; 0 if there is no heading."""
    for anchored in sequence.blocks[at : at + 3]:
        if anchored.block.kind is BlockKind.HEADING:
            return anchored.block.level
        if anchored.block.kind is not BlockKind.SCENE_BREAK:
            return 0
    return 0


def _by_headings(sequence: BlockSequence) -> list[ChapterStart]:
    """Starts at headings, down to the highest level that has several of them.

    If fewer than half of the files open with a heading, the files without one are starts too.
    """
    headings = {  # by place, in order
        at: anchored.block.level
        for at, anchored in enumerate(sequence.blocks)
        if anchored.block.kind is BlockKind.HEADING
    }
    counted = Counter(headings.values())
    lowest = min((level for level, n in counted.items() if n > 1), default=max(counted, default=0))
    used = sorted(level for level in counted if level <= lowest)
    starts = set(sequence.starts)
    cuts = [
        ChapterStart(at, "", used.index(level) + 1)
        for at, level in headings.items()
        if level <= lowest and (at in starts or at - 1 not in headings)
    ]
    n_opened = sum(1 for start in sequence.starts if _heading_level(sequence, start))
    if 2 * n_opened < len(sequence.starts):
        level = max((cut.level for cut in cuts), default=1)
        cuts += [
            ChapterStart(start, "", level) for start in sequence.starts if start not in headings
        ]
    return cuts


def _from_first_block(cuts: list[ChapterStart]) -> list[ChapterStart]:
    """The starts, with one at block 0 added if there is none."""
    return cuts if cuts and cuts[0].at == 0 else [ChapterStart(0, "", 1), *cuts]
