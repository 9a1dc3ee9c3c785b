"""Takes the notes out of a book's documents, and divides its blocks into titled chapters.

A title that is in the text is spoken there, as a heading. One that is only in the table of contents
is not spoken: it stands in the chapter marks.

    documents ─▶ without notes ─▶ one sequence of blocks ─▶ where chapters begin ─▶ chapters
                                  chapter_starts            chapter_starts
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from audiomill.inputs.epub.chapter_starts import (
    BlockSequence,
    ChapterStart,
    find_chapter_starts,
    join_documents,
)
from audiomill.inputs.epub.documents import Document
from audiomill.inputs.epub.package import resolve
from audiomill.inputs.epub.toc import TocEntry
from audiomill.inputs.markup.joining import is_label, with_label
from audiomill.inputs.markup.notes import NotePage, separate_notes, with_notes
from audiomill.inputs.model.book import Block, BlockKind, Chapter, Skipped
from audiomill.inputs.model.comparison import comparison_key
from audiomill.inputs.reading.choices import Notes
from audiomill.inputs.reading.rules import ReadingRules

N_TITLE_WORDS = 7  # of the text, as the title of a chapter without any other
N_TITLE_BLOCKS = 3  # a title set as paragraphs ("Chapter One", "The Sea") has at most so many
LONGEST_LABEL = 12  # characters: "Chapter 10", "Part IV", "XXIII" need the next heading beside them


def make_chapters(
    documents: list[Document],
    entries: tuple[TocEntry, ...],
    book_title: str,
    warnings: list[str],
    notes: Notes = "skip",
) -> tuple[Chapter, ...]:
    """Return all blocks of the documents as chapters, in order; every block is in one chapter.

    `notes` says where the notes of a chapter are read.
    """
    sequence = join_documents(documents)
    cuts = [
        cut
        for cut in find_chapter_starts(sequence, entries, warnings)
        if cut.at < len(sequence.blocks)
    ]
    ends = [*(cut.at for cut in cuts[1:]), len(sequence.blocks)]
    spans = _with_words(sequence, list(zip(cuts, ends, strict=True)))
    repeated = Counter(comparison_key(document.title) for document in documents)
    chapters: list[Chapter] = []
    for number, (cut, end) in enumerate(spans, start=1):
        blocks = with_notes(sequence.blocks[cut.at : end], notes)
        file_title = _file_title(sequence, cut.at, book_title, repeated)
        title = (
            cut.title or _heading_title(sequence, cut.at, end) or file_title or _first_words(blocks)
        )
        if cut.title or (file_title and title == file_title):
            blocks = _with_title_heading(blocks, title, cut)
        chapters.append(Chapter(title or f"Part {number}", blocks, cut.level, cut.parts))
    return tuple(chapters)


def _opening_headings(sequence: BlockSequence, at: int) -> list[str]:
    """The texts of the headings at the beginning of a chapter, in order."""
    texts: list[str] = []
    for anchored in sequence.blocks[at : at + 8]:
        if anchored.block.kind is BlockKind.HEADING:
            texts.append(anchored.block.text)
        elif anchored.block.kind is not BlockKind.SCENE_BREAK:
            break
    return texts


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
    """The blocks; if the title is set as paragraphs at their beginning, as one heading."""
    wanted = comparison_key(title)
    first = next((i for i, b in enumerate(blocks) if b.kind is not BlockKind.SCENE_BREAK), 0)
    if not wanted or blocks[first].kind is BlockKind.HEADING:
        return blocks
    for n_blocks in range(1, N_TITLE_BLOCKS + 1):
        parts = blocks[first : first + n_blocks]
        if "".join(comparison_key(part.text) for part in parts) == wanted:
            texts = (_one_line(part.text) for part in parts)
            level = min(cut.level, 6)
            heading = replace(
                parts[0], kind=BlockKind.HEADING, level=level, text=_joined_title(texts, title)
            )
            return (*blocks[:first], heading, *blocks[first + n_blocks :])
    return blocks


def _joined_title(texts: Iterable[str], title: str) -> str:
    """The parts of a title as one heading, with a colon where the table of contents has one."""
    whole, *rest = texts
    for text in rest:
        whole = with_label(whole, text) if is_label(whole) or ":" in title else f"{whole} {text}"
    return whole


def _one_line(text: str) -> str:
    return " ".join(text.split())


def take_notes(
    documents: Sequence[Document], find: Callable[[str], str | None], rules: ReadingRules
) -> tuple[list[Document], list[Skipped]]:
    """Return (the documents without their notes, the notes that are not read).

    `find` is `Archive.find`. A document of only notes is left out.
    """

    def target(path: str, href: str) -> tuple[str, str] | None:
        """(path, fragment) of a link in the file `path`; None if it does not lead to an id."""
        linked_path, fragment = resolve(posixpath.dirname(path), href)
        target_path = find(linked_path) if linked_path else path
        return (target_path, fragment) if target_path and fragment else None

    pages = [NotePage(one.path, one.blocks, one.note_links, one.end_ids) for one in documents]
    remaining, skipped = separate_notes(pages, target, rules)
    kept = [
        replace(document, blocks=page.blocks, end_ids=page.end_ids)
        for document, page in zip(documents, remaining, strict=True)
        if page.blocks
    ]
    return kept, skipped
