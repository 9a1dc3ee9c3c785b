"""Where chapters begin: by the table of contents, by headings, by files; makes no chapter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from inputs.book import BlockKind
from inputs.epub_documents import Document
from inputs.epub_toc import Entry
from inputs.markup import AnchoredBlock
from inputs.markup_text import same_words


@dataclass(frozen=True, slots=True)
class Cut:
    """A chapter begins at block `at`. `title` is the table of contents', or ""."""

    at: int
    title: str
    level: int


@dataclass(frozen=True, slots=True)
class Stream:
    """All blocks of a book in one row, and where its documents and anchors lie in it."""

    blocks: tuple[AnchoredBlock, ...]
    starts: tuple[int, ...]  # of each document
    documents: tuple[Document, ...]
    anchors: dict[tuple[str, str], int]  # (path, id)


def stream(documents: list[Document]) -> Stream:
    """The documents' blocks as one row."""
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
    return Stream(tuple(blocks), tuple(starts), tuple(documents), anchors)


def find_cuts(row: Stream, entries: tuple[Entry, ...], warnings: list[str]) -> list[Cut]:
    """Where chapters begin, in order, the first at 0.

    By the table of contents where it covers the book; else by headings; else by files.
    """
    listed = _merged(_by_contents(row, entries, warnings))
    if _covers_little(row, listed):
        return _opened(_merged([*listed, *_by_headings(row)]))
    return _opened(_merged([*listed, *_unlisted(row, listed)]))


def opening(row: Stream, at: int) -> list[str]:
    """The texts of the headings that a chapter opens with, one after another."""
    texts: list[str] = []
    for anchored in row.blocks[at : at + 8]:
        if anchored.block.kind is BlockKind.HEADING:
            texts.append(anchored.block.text)
        elif anchored.block.kind is not BlockKind.SCENE_BREAK:
            break
    return texts


def _by_contents(row: Stream, entries: tuple[Entry, ...], warnings: list[str]) -> list[Cut]:
    by_path = {document.path: index for index, document in enumerate(row.documents)}
    cuts: list[Cut] = []
    for entry in entries:
        index = by_path.get(entry.path)
        if index is None:
            continue  # a page that is left out, such as the cover
        start = row.starts[index]
        end = start + len(row.documents[index].blocks)
        at = row.anchors.get((entry.path, entry.fragment)) if entry.fragment else start
        if at is None:
            at = _heading_of(row, start, end, entry.title)
            if at == start:
                warnings.append(
                    f"the table of contents has {entry.title!r} at #{entry.fragment} of "
                    f"{entry.path}, which is not there; taken to be its start"
                )
        cuts.append(Cut(_backed_up(row, start, at, entry.title), entry.title, entry.level))
    return sorted(cuts, key=lambda cut: cut.at)


def _heading_of(row: Stream, start: int, end: int, title: str) -> int:
    """The heading that says what a line of the contents says; `start` if none does."""
    wanted = same_words(title)
    for at in range(start, end):
        block = row.blocks[at].block
        if block.kind is BlockKind.HEADING and same_words(block.text) == wanted:
            return at
    return start


def _backed_up(row: Stream, start: int, at: int, title: str) -> int:
    """`at`, or the chapter's own heading where the anchor stands just behind it."""
    wanted = same_words(title)
    if at > start and at < len(row.blocks):
        before, here = row.blocks[at - 1].block, row.blocks[at].block
        said = same_words(before.text)
        with_next = said + same_words(here.text) if here.kind is BlockKind.HEADING else said
        if before.kind is BlockKind.HEADING and wanted in {said, with_next}:
            return at - 1
    return at


def _merged(cuts: list[Cut]) -> list[Cut]:
    """One cut a place, in order: "Part One" and "Chapter 1" on one spot are one chapter."""
    by_place: dict[int, list[Cut]] = {}
    for cut in sorted(cuts, key=lambda cut: cut.at):
        by_place.setdefault(cut.at, []).append(cut)
    merged: list[Cut] = []
    for here in by_place.values():
        titles = list({same_words(cut.title): cut.title for cut in here if cut.title}.values())
        # Three and more on one spot are lines whose targets are broken, not parts of a title.
        title = ": ".join(titles) if len(titles) <= 2 else titles[0]
        merged.append(replace(here[0], title=title, level=min(cut.level for cut in here)))
    return merged


def _covers_little(row: Stream, cuts: list[Cut]) -> bool:
    n_documents = len(row.documents)
    n_headings = sum(anchored.block.kind is BlockKind.HEADING for anchored in row.blocks)
    return (
        not cuts
        or (len(cuts) == 1 and (n_documents >= 3 or n_headings >= 3))
        or (len(cuts) == 2 and n_documents >= 8)
    )


def _unlisted(row: Stream, listed: list[Cut]) -> list[Cut]:
    """Documents that the table of contents forgot and that open with a heading as high.

    A document without one goes on with the chapter before it.
    """
    by_place = {cut.at: cut for cut in listed}
    added: list[Cut] = []
    current: Cut | None = None
    for start, document in zip(row.starts, row.documents, strict=True):
        level = _heading_level(row, start)
        if start not in by_place and level:
            ceiling = 6 if current is None else _heading_level(row, current.at)
            if level <= ceiling:
                current = Cut(start, "", current.level if current else 1)
                added.append(current)
        inside = [
            by_place[at] for at in range(start, start + len(document.blocks)) if at in by_place
        ]
        current = inside[-1] if inside else current
    return added


def _heading_level(row: Stream, at: int) -> int:
    """The level of the heading at `at`, past scene breaks; 0 if something else is there."""
    for anchored in row.blocks[at : at + 3]:
        if anchored.block.kind is BlockKind.HEADING:
            return anchored.block.level
        if anchored.block.kind is not BlockKind.SCENE_BREAK:
            return 0
    return 0


def _by_headings(row: Stream) -> list[Cut]:
    """Cuts at the highest level that has several headings; at files where few have one."""
    headings = [
        at for at, anchored in enumerate(row.blocks) if anchored.block.kind is BlockKind.HEADING
    ]
    counted = Counter(row.blocks[at].block.level for at in headings)
    lowest = min((level for level, n in counted.items() if n > 1), default=max(counted, default=0))
    used = sorted(level for level in counted if level <= lowest)
    starts = set(row.starts)
    cuts = [
        Cut(at, "", used.index(row.blocks[at].block.level) + 1)
        for at in headings
        if row.blocks[at].block.level <= lowest and (at in starts or at - 1 not in headings)
    ]
    n_opened = sum(1 for start in row.starts if _heading_level(row, start))
    if 2 * n_opened < len(row.starts):
        level = max((cut.level for cut in cuts), default=1)
        cuts += [Cut(start, "", level) for start in row.starts if start not in headings]
    return cuts


def _opened(cuts: list[Cut]) -> list[Cut]:
    """Cuts that begin at the very first block."""
    return cuts if cuts and cuts[0].at == 0 else [Cut(0, "", 1), *cuts]
