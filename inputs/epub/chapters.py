"""Chapters made of a book's blocks: titled, with the title spoken once; finds no cut itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from audiomill.inputs.book import Block, BlockKind, Chapter
from audiomill.inputs.epub.documents import Document
from audiomill.inputs.epub.toc import Entry
from audiomill.inputs.markup.blocks import AnchoredBlock
from audiomill.inputs.markup.text import same_words

# Where chapters begin:


@dataclass(frozen=True, slots=True)
class ChapterStart:
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


def find_chapter_starts(
    row: Stream, entries: tuple[Entry, ...], warnings: list[str]
) -> list[ChapterStart]:
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


def _by_contents(
    row: Stream, entries: tuple[Entry, ...], warnings: list[str]
) -> list[ChapterStart]:
    by_path = {document.path: index for index, document in enumerate(row.documents)}
    cuts: list[ChapterStart] = []
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
        cuts.append(ChapterStart(_backed_up(row, start, at, entry.title), entry.title, entry.level))
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


def _merged(cuts: list[ChapterStart]) -> list[ChapterStart]:
    """One cut a place, in order: "Part One" and "Chapter 1" on one spot are one chapter."""
    by_place: dict[int, list[ChapterStart]] = {}
    for cut in sorted(cuts, key=lambda cut: cut.at):
        by_place.setdefault(cut.at, []).append(cut)
    merged: list[ChapterStart] = []
    for here in by_place.values():
        titles = list({same_words(cut.title): cut.title for cut in here if cut.title}.values())
        # Three and more on one spot are lines whose targets are broken, not parts of a title.
        title = ": ".join(titles) if len(titles) <= 2 else titles[0]
        merged.append(replace(here[0], title=title, level=min(cut.level for cut in here)))
    return merged


def _covers_little(row: Stream, cuts: list[ChapterStart]) -> bool:
    n_documents = len(row.documents)
    n_headings = sum(anchored.block.kind is BlockKind.HEADING for anchored in row.blocks)
    return (
        not cuts
        or (len(cuts) == 1 and (n_documents >= 3 or n_headings >= 3))
        or (len(cuts) == 2 and n_documents >= 8)
    )


def _unlisted(row: Stream, listed: list[ChapterStart]) -> list[ChapterStart]:
    """Documents that the table of contents forgot and that open with a heading as high.

    A document without one goes on with the chapter before it.
    """
    by_place = {cut.at: cut for cut in listed}
    added: list[ChapterStart] = []
    current: ChapterStart | None = None
    for start, document in zip(row.starts, row.documents, strict=True):
        level = _heading_level(row, start)
        if start not in by_place and level:
            ceiling = 6 if current is None else _heading_level(row, current.at)
            if level <= ceiling:
                current = ChapterStart(start, "", current.level if current else 1)
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


def _by_headings(row: Stream) -> list[ChapterStart]:
    """Cuts at the highest level that has several headings; at files where few have one."""
    headings = [
        at for at, anchored in enumerate(row.blocks) if anchored.block.kind is BlockKind.HEADING
    ]
    counted = Counter(row.blocks[at].block.level for at in headings)
    lowest = min((level for level, n in counted.items() if n > 1), default=max(counted, default=0))
    used = sorted(level for level in counted if level <= lowest)
    starts = set(row.starts)
    cuts = [
        ChapterStart(at, "", used.index(row.blocks[at].block.level) + 1)
        for at in headings
        if row.blocks[at].block.level <= lowest and (at in starts or at - 1 not in headings)
    ]
    n_opened = sum(1 for start in row.starts if _heading_level(row, start))
    if 2 * n_opened < len(row.starts):
        level = max((cut.level for cut in cuts), default=1)
        cuts += [ChapterStart(start, "", level) for start in row.starts if start not in headings]
    return cuts


def _opened(cuts: list[ChapterStart]) -> list[ChapterStart]:
    """Cuts that begin at the very first block."""
    return cuts if cuts and cuts[0].at == 0 else [ChapterStart(0, "", 1), *cuts]


N_TITLE_WORDS = 7
N_TITLE_BLOCKS = 3  # a title set in paragraphs ("Chapter One", "The Sea") takes no more
LONGEST_LABEL = 12  # "Chapter 10", "Part IV", "XXIII": a heading that wants its name beside it


def make_chapters(
    documents: list[Document], entries: tuple[Entry, ...], book_title: str, warnings: list[str]
) -> tuple[Chapter, ...]:
    """All blocks of the documents as chapters, in order, none lost and none twice."""
    row = stream(documents)
    cuts = [cut for cut in find_chapter_starts(row, entries, warnings) if cut.at < len(row.blocks)]
    ends = [*(cut.at for cut in cuts[1:]), len(row.blocks)]
    spans = _with_words(row, list(zip(cuts, ends, strict=True)))
    repeated = Counter(same_words(document.title) for document in documents)
    chapters: list[Chapter] = []
    for number, (cut, end) in enumerate(spans, start=1):
        blocks = tuple(anchored.block for anchored in row.blocks[cut.at : end])
        named = _file_title(row, cut.at, book_title, repeated)
        title = cut.title or _heading_title(row, cut.at, end) or named or _first_words(blocks)
        if cut.title or (named and title == named):
            blocks = _announced(blocks, title, cut)
        chapters.append(Chapter(title or f"Part {number}", blocks, cut.level))
    return tuple(chapters)


def _with_words(
    row: Stream, spans: list[tuple[ChapterStart, int]]
) -> list[tuple[ChapterStart, int]]:
    """Spans that say something; one that does not goes to the chapter before, or after."""
    kept: list[tuple[ChapterStart, int]] = []
    waiting: int | None = None  # where wordless blocks before the first chapter began
    for cut, end in spans:
        words = any(c.isalnum() for a in row.blocks[cut.at : end] for c in a.block.text)
        if words:
            kept.append((cut if waiting is None else replace(cut, at=waiting), end))
            waiting = None
        elif kept:
            kept[-1] = (kept[-1][0], end)
        elif waiting is None:
            waiting = cut.at
    return kept


def _heading_title(row: Stream, at: int, end: int) -> str:
    """The chapter's own heading; a label ("Chapter 3") with the heading below it."""
    texts = opening(row, at)[: end - at]
    if len(texts) > 1 and len(texts[0]) <= LONGEST_LABEL:
        return f"{texts[0].rstrip('.:')}: {texts[1]}"
    return texts[0] if texts else ""


def _file_title(row: Stream, at: int, book_title: str, repeated: Counter[str]) -> str:
    """The file's `<title>`, if a chapter begins with the file and no other is called so."""
    if at not in row.starts:
        return ""
    title = row.documents[row.starts.index(at)].title
    words = same_words(title)
    is_own = words and repeated[words] == 1 and words != same_words(book_title)
    return title if is_own and not _is_file_name(title) else ""


def _is_file_name(title: str) -> bool:
    """True for what software writes there: "ch03.xhtml", "index_split_004", "untitled"."""
    return " " not in title.strip() and (
        "." in title or "_" in title or any(c.isdigit() for c in title) or title == title.lower()
    )


def _first_words(blocks: tuple[Block, ...]) -> str:
    text = next((b.text for b in blocks if any(c.isalnum() for c in b.text)), "")
    words = text.split()
    cut = " ".join(words[:N_TITLE_WORDS])
    return f"{cut.rstrip(',;:.')}…" if len(words) > N_TITLE_WORDS else cut


def _announced(blocks: tuple[Block, ...], title: str, cut: ChapterStart) -> tuple[Block, ...]:
    """Blocks that begin by saying the title: as the text has it, else as a heading we add."""
    wanted = same_words(title)
    first = next((i for i, b in enumerate(blocks) if b.kind is not BlockKind.SCENE_BREAK), 0)
    if not wanted or blocks[first].kind is BlockKind.HEADING or _said_soon(blocks, wanted):
        return blocks
    for n_blocks in range(1, N_TITLE_BLOCKS + 1):
        said = "".join(same_words(b.text) for b in blocks[first : first + n_blocks])
        if said == wanted:  # the title is there, set as paragraphs
            return tuple(
                replace(b, kind=BlockKind.HEADING, level=min(cut.level, 6), text=_one_line(b.text))
                if first <= i < first + n_blocks
                else b
                for i, b in enumerate(blocks)
            )
    heading = Block(BlockKind.HEADING, title, level=min(cut.level, 6), where=blocks[first].where)
    return (heading, *blocks)


def _said_soon(blocks: tuple[Block, ...], wanted: str) -> bool:
    """True if the title is a heading a little further on, below a picture's caption or motto."""
    return any(b.kind is BlockKind.HEADING and same_words(b.text) in wanted for b in blocks[:5])


def _one_line(text: str) -> str:
    return " ".join(text.split())
