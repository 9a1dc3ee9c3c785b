"""Chapters made of a book's blocks: titled, with the title spoken once; finds no cut itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from inputs.book import Block, BlockKind, Chapter
from inputs.epub_cuts import Cut, Stream, find_cuts, opening, stream
from inputs.epub_documents import Document
from inputs.epub_toc import Entry
from inputs.markup_text import same_words

N_TITLE_WORDS = 7
N_TITLE_BLOCKS = 3  # a title set in paragraphs ("Chapter One", "The Sea") takes no more
LONGEST_LABEL = 12  # "Chapter 10", "Part IV", "XXIII": a heading that wants its name beside it


def make_chapters(
    documents: list[Document], entries: tuple[Entry, ...], book_title: str, warnings: list[str]
) -> tuple[Chapter, ...]:
    """All blocks of the documents as chapters, in order, none lost and none twice."""
    row = stream(documents)
    cuts = [cut for cut in find_cuts(row, entries, warnings) if cut.at < len(row.blocks)]
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


def _with_words(row: Stream, spans: list[tuple[Cut, int]]) -> list[tuple[Cut, int]]:
    """Spans that say something; one that does not goes to the chapter before, or after."""
    kept: list[tuple[Cut, int]] = []
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


def _announced(blocks: tuple[Block, ...], title: str, cut: Cut) -> tuple[Block, ...]:
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
