"""Divides the blocks of a book into titled chapters; each title is spoken once.

    documents ─▶ one sequence of blocks ─▶ where chapters begin ─▶ chapters with titles

Chapters begin where the table of contents says so, or else at headings, or else at files.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from audiomill.inputs.book import Block, BlockKind, Chapter
from audiomill.inputs.epub.documents import Document
from audiomill.inputs.epub.toc import TocEntry
from audiomill.inputs.markup.blocks import AnchoredBlock
from audiomill.inputs.markup.text import comparison_key

N_TITLE_WORDS = 7  # of the text, as the title of a chapter without any other
N_TITLE_BLOCKS = 3  # a title set as paragraphs ("Chapter One", "The Sea") has at most so many
LONGEST_LABEL = 12  # characters: "Chapter 10", "Part IV", "XXIII" need the next heading beside them


@dataclass(frozen=True, slots=True)
class ChapterStart:
    """A chapter begins at block `at`. `title` is from the table of contents, or ""."""

    at: int
    title: str
    level: int


@dataclass(frozen=True, slots=True)
class BlockSequence:
    """All blocks of a book in one sequence, with the index of each document and anchor."""

    blocks: tuple[AnchoredBlock, ...]
    starts: tuple[int, ...]  # the index of the first block of each document
    documents: tuple[Document, ...]
    anchors: dict[tuple[str, str], int]  # (path, id) ─▶ index


def make_chapters(
    documents: list[Document], entries: tuple[TocEntry, ...], book_title: str, warnings: list[str]
) -> tuple[Chapter, ...]:
    """Return all blocks of the documents as chapters, in order; every block is in one chapter."""
    sequence = _join_documents(documents)
    cuts = [
        cut
        for cut in _find_chapter_starts(sequence, entries, warnings)
        if cut.at < len(sequence.blocks)
    ]
    ends = [*(cut.at for cut in cuts[1:]), len(sequence.blocks)]
    spans = _with_words(sequence, list(zip(cuts, ends, strict=True)))
    repeated = Counter(comparison_key(document.title) for document in documents)
    chapters: list[Chapter] = []
    for number, (cut, end) in enumerate(spans, start=1):
        blocks = tuple(anchored.block for anchored in sequence.blocks[cut.at : end])
        file_title = _file_title(sequence, cut.at, book_title, repeated)
        title = (
            cut.title or _heading_title(sequence, cut.at, end) or file_title or _first_words(blocks)
        )
        if cut.title or (file_title and title == file_title):
            blocks = _with_title_heading(blocks, title, cut)
        chapters.append(Chapter(title or f"Part {number}", blocks, cut.level))
    return tuple(chapters)


def _join_documents(documents: list[Document]) -> BlockSequence:
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


def _find_chapter_starts(
    sequence: BlockSequence, entries: tuple[TocEntry, ...], warnings: list[str]
) -> list[ChapterStart]:
    """Where chapters begin, in order; the first begins at block 0.

    The table of contents decides if it covers the book, or else headings, or else files.
    """
    listed = _merge(_by_toc(sequence, entries, warnings))
    if _covers_little(sequence, listed):
        return _from_first_block(_merge([*listed, *_by_headings(sequence)]))
    return _from_first_block(_merge([*listed, *_unlisted(sequence, listed)]))


def _opening_headings(sequence: BlockSequence, at: int) -> list[str]:
    """The texts of the headings at the beginning of a chapter, in order."""
    texts: list[str] = []
    for anchored in sequence.blocks[at : at + 8]:
        if anchored.block.kind is BlockKind.HEADING:
            texts.append(anchored.block.text)
        elif anchored.block.kind is not BlockKind.SCENE_BREAK:
            break
    return texts


def _by_toc(
    sequence: BlockSequence, entries: tuple[TocEntry, ...], warnings: list[str]
) -> list[ChapterStart]:
    """The starts that the table of contents gives; a wrong anchor becomes a warning."""
    by_path = {document.path: index for index, document in enumerate(sequence.documents)}
    cuts: list[ChapterStart] = []
    for entry in entries:
        index = by_path.get(entry.path)
        if index is None:
            continue  # a page that is not read, for example the cover
        start = sequence.starts[index]
        end = start + len(sequence.documents[index].blocks)
        at = sequence.anchors.get((entry.path, entry.fragment)) if entry.fragment else start
        if at is None:
            at = _find_heading(sequence, start, end, entry.title)
            if at == start:
                warnings.append(
                    f"the table of contents has {entry.title!r} at #{entry.fragment} of "
                    f"{entry.path}, which is not there; taken to be its start"
                )
        at = _move_to_heading(sequence, start, at, entry.title)
        cuts.append(ChapterStart(at, entry.title, entry.level))
    return sorted(cuts, key=lambda cut: cut.at)


def _find_heading(sequence: BlockSequence, start: int, end: int, title: str) -> int:
    """The index of the first heading in [start, end) with this title; `start` if none has it."""
    wanted = comparison_key(title)
    for at in range(start, end):
        block = sequence.blocks[at].block
        if block.kind is BlockKind.HEADING and comparison_key(block.text) == wanted:
            return at
    return start


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
        title = ": ".join(titles) if len(titles) <= 2 else titles[0]
        merged.append(replace(group[0], title=title, level=min(cut.level for cut in group)))
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
                current = ChapterStart(start, "", current.level if current else 1)
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
    headings = [
        at
        for at, anchored in enumerate(sequence.blocks)
        if anchored.block.kind is BlockKind.HEADING
    ]
    counted = Counter(sequence.blocks[at].block.level for at in headings)
    lowest = min((level for level, n in counted.items() if n > 1), default=max(counted, default=0))
    used = sorted(level for level in counted if level <= lowest)
    starts = set(sequence.starts)
    cuts = [
        ChapterStart(at, "", used.index(sequence.blocks[at].block.level) + 1)
        for at in headings
        if sequence.blocks[at].block.level <= lowest and (at in starts or at - 1 not in headings)
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


def _with_words(
    sequence: BlockSequence, spans: list[tuple[ChapterStart, int]]
) -> list[tuple[ChapterStart, int]]:
    """The spans that have words; one without joins the chapter before it, or else after it."""
    kept: list[tuple[ChapterStart, int]] = []
    pending: int | None = None  # the start of blocks without words before the first chapter
    for cut, end in spans:
        has_words = any(c.isalnum() for a in sequence.blocks[cut.at : end] for c in a.block.text)
        if has_words:
            kept.append((cut if pending is None else replace(cut, at=pending), end))
            pending = None
        elif kept:
            kept[-1] = (kept[-1][0], end)
        elif pending is None:
            pending = cut.at
    return kept


def _heading_title(sequence: BlockSequence, at: int, end: int) -> str:
    """The heading of the chapter; a label ("Chapter 3") is joined with the heading below it."""
    texts = _opening_headings(sequence, at)[: end - at]
    if len(texts) > 1 and len(texts[0]) <= LONGEST_LABEL:
        return f"{texts[0].rstrip('.:')}: {texts[1]}"
    return texts[0] if texts else ""


def _file_title(sequence: BlockSequence, at: int, book_title: str, repeated: Counter[str]) -> str:
    """The `<title>` of the file, if the chapter begins with the file and the title is unique."""
    if at not in sequence.starts:
        return ""
    title = sequence.documents[sequence.starts.index(at)].title
    words = comparison_key(title)
    is_unique = words and repeated[words] == 1 and words != comparison_key(book_title)
    return title if is_unique and not _is_file_name(title) else ""


def _is_file_name(title: str) -> bool:
    """True for titles that software generates: "ch03.xhtml", "index_split_004", "untitled"."""
    return " " not in title.strip() and (
        "." in title or "_" in title or any(c.isdigit() for c in title) or title == title.lower()
    )


def _first_words(blocks: tuple[Block, ...]) -> str:
    text = next((b.text for b in blocks if any(c.isalnum() for c in b.text)), "")
    words = text.split()
    cut = " ".join(words[:N_TITLE_WORDS])
    return f"{cut.rstrip(',;:.')}…" if len(words) > N_TITLE_WORDS else cut


def _with_title_heading(
    blocks: tuple[Block, ...], title: str, cut: ChapterStart
) -> tuple[Block, ...]:
    """The blocks with the title as a heading: the one in the text, or else one that is added."""
    wanted = comparison_key(title)
    first = next((i for i, b in enumerate(blocks) if b.kind is not BlockKind.SCENE_BREAK), 0)
    if not wanted or blocks[first].kind is BlockKind.HEADING or _has_title_soon(blocks, wanted):
        return blocks
    for n_blocks in range(1, N_TITLE_BLOCKS + 1):
        text = "".join(comparison_key(b.text) for b in blocks[first : first + n_blocks])
        if text == wanted:  # the title is in the text, set as paragraphs
            return tuple(
                replace(b, kind=BlockKind.HEADING, level=min(cut.level, 6), text=_one_line(b.text))
                if first <= i < first + n_blocks
                else b
                for i, b in enumerate(blocks)
            )
    heading = Block(BlockKind.HEADING, title, level=min(cut.level, 6), where=blocks[first].where)
    return (heading, *blocks)


def _has_title_soon(blocks: tuple[Block, ...], wanted: str) -> bool:
    """True if the title is a heading a little further on, below a caption or a motto."""
    return any(b.kind is BlockKind.HEADING and comparison_key(b.text) in wanted for b in blocks[:5])


def _one_line(text: str) -> str:
    return " ".join(text.split())
