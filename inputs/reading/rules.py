"""Decides what of a book is read, reworded or listed as skipped, and applies that to its blocks.

The settings decide by kind. The file beside a book (`reading_file.py`) decides about single texts,
and wins. A table is read as it is, with the headers of its columns before the cells, or as a
summary. The readers of sources apply the same rules to text that they would leave out. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from audiomill.inputs.languages.declaration import Announcements
from audiomill.inputs.languages.registry import announcements
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter, Skipped, SkipReason, Table
from audiomill.inputs.model.comparison import comparison_key
from audiomill.inputs.model.places import with_other_text, with_words_before
from audiomill.inputs.reading.choices import Reading

REASONS = {  # why blocks of a kind are listed
    BlockKind.CODE: SkipReason.CODE,
    BlockKind.TABLE: SkipReason.TABLE,
    BlockKind.CAPTION: SkipReason.CAPTION,
    BlockKind.IMAGE: SkipReason.ALTERNATIVE_TEXT,
    BlockKind.NOTE: SkipReason.NOTE,
}


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A piece of text and where it stands, as a decision looks at it."""

    text: str
    where: str  # as in `Skipped.where`: "OEBPS/ch2.xhtml#n1"
    kinds: frozenset[str]  # values of `BlockKind` and `SkipReason`
    chapter: str = ""  # its title; "" while the chapters are not known


@dataclass(frozen=True)
class Decision:
    """An entry of the file beside a book. A place must match every field that is not ""."""

    read: bool
    chapter: str = ""  # the title
    where: str = ""  # "OEBPS/ch2.xhtml", "OEBPS/ch2.xhtml#n1"
    starts: str = ""  # the first words of the text
    kind: str = ""  # a value of `BlockKind` or `SkipReason`

    def matches(self, place: PlacedText) -> bool:
        """Whether it decides about the text at `place`."""
        if self.kind and self.kind not in place.kinds:
            return False
        if self.where and not _is_at(place.where, self.where):
            return False
        if self._chapter and comparison_key(place.chapter) != self._chapter:
            return False
        beginning = place.text[: 2 * len(self.starts) + 100]  # spaces and marks do not count
        return not self._starts or comparison_key(beginning).startswith(self._starts)

    # Compared without case and punctuation, so that a corrected comma breaks no decision.
    @cached_property
    def _chapter(self) -> str:
        return comparison_key(self.chapter)

    @cached_property
    def _starts(self) -> str:
        return comparison_key(self.starts)


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """All that decides what of one book is read. Of several matching decisions the last wins."""

    reading: Reading = field(default_factory=Reading)
    decisions: tuple[Decision, ...] = ()

    def reads(self, reason: SkipReason, text: str, where: str) -> bool:
        """Whether text is read that a reader would leave out for `reason`."""
        if self.decisions:
            decided = self.decided(PlacedText(text, where, frozenset((reason,))))
            if decided is not None:
                return decided
        return self.reading.reads(reason)

    def decided(self, place: PlacedText) -> bool | None:
        """Whether the file beside the book has the text read; None if it does not decide."""
        matching = [one.read for one in self.decisions if one.matches(place)]
        return matching[-1] if matching else None


def _is_at(where: str, wanted: str) -> bool:
    """True for the same place, or for any place in a document if no id is wanted."""
    return where == wanted or ("#" not in wanted and where.partition("#")[0] == wanted)


def apply_rules(book: Book, rules: ReadingRules) -> Book:
    """Return `book` with the blocks that are read, worded as they are said.

    Text that is not read is added to `skipped`.
    """
    decided = [list(_decide_chapter(chapter, book.language, rules)) for chapter in book.chapters]
    chapters = (
        replace(chapter, blocks=tuple(one for one in parts if isinstance(one, Block)))
        for chapter, parts in zip(book.chapters, decided, strict=True)
    )
    skipped = (one for parts in decided for one in parts if isinstance(one, Skipped))
    return replace(book, chapters=tuple(chapters), skipped=(*book.skipped, *skipped))


def _decide_chapter(
    chapter: Chapter, language: str, rules: ReadingRules
) -> Iterator[Block | Skipped]:
    for at, block in enumerate(chapter.blocks):
        if block.kind not in REASONS and not rules.decisions:
            yield block
            continue
        decided = _decided(block, chapter.title, rules)
        if decided is False and block.text:
            yield Skipped(SkipReason.LEFT_OUT, block.text, block.where)
        elif block.kind is BlockKind.IMAGE and _has_caption(chapter.blocks, at):
            yield _listed(block)
        else:
            yield from _worded(block, block.language or language, rules, is_wanted=bool(decided))


def _decided(block: Block, chapter: str, rules: ReadingRules) -> bool | None:
    """What the file beside the book says of a block."""
    if not rules.decisions:
        return None
    reason = REASONS.get(block.kind)
    kinds = frozenset(map(str, (block.kind, reason) if reason else (block.kind,)))
    return rules.decided(PlacedText(block.text, block.where, kinds, chapter))


def _worded(
    block: Block, language: str, rules: ReadingRules, *, is_wanted: bool
) -> Iterator[Block | Skipped]:
    """The block as it is said, and what is listed of it; `is_wanted` by the file of the book."""
    words, reading = announcements(language), rules.reading
    if block.kind is BlockKind.CODE and not (is_wanted or reading.code == "speak"):
        if reading.code == "announce" and words:
            yield replace(with_other_text(block, f"{words.code}."), kind=BlockKind.PARAGRAPH)
        yield _listed(block)
    elif block.kind is BlockKind.TABLE:
        yield from _table(block, language, rules, is_wanted=is_wanted)
    elif block.kind is BlockKind.CAPTION and not is_wanted and reading.captions == "skip":
        yield _listed(block)
    elif before := words_before(block.kind, language):
        yield with_words_before(block, before)
    else:
        yield block


def words_before(kind: BlockKind, language: str) -> str:
    """What is said before the text of a block that is read, in its language; "" for nothing."""
    words = announcements(language)
    if words and kind is BlockKind.NOTE:
        return f"{words.note}: "
    return f"{words.image}: " if words and kind is BlockKind.IMAGE else ""


def _table(
    block: Block, language: str, rules: ReadingRules, *, is_wanted: bool
) -> Iterator[Block | Skipped]:
    words, form = announcements(language), rules.reading.tables
    if form == "skip" and not is_wanted:
        yield _listed(block)
    elif form == "headers" and block.table and words:
        text = _with_headers(block.table, words)
        yield with_other_text(block, text) if text else block
    elif form == "summary" and block.table and words and not is_wanted:
        said = with_other_text(block, _summary(block.table, words))
        yield replace(said, kind=BlockKind.PARAGRAPH)
        yield _listed(block)
    else:
        yield block


def _listed(block: Block) -> Skipped:
    return Skipped(REASONS[block.kind], block.text, block.where)


def _has_caption(blocks: Sequence[Block], at: int) -> bool:
    """True if the caption beside a picture says the same as its alternative text."""
    beside = (*blocks[max(at - 1, 0) : at], *blocks[at + 1 : at + 2])
    words = comparison_key(blocks[at].text)
    captions = (block for block in beside if block.kind is BlockKind.CAPTION)
    return any(words in comparison_key(caption.text) for caption in captions)


def _with_headers(table: Table, words: Announcements) -> str:
    """Each row as a line, each cell after the header of its column: "Part: Sail; Price: empty".

    Without a header row, or if cells span others, the cells stand alone; "" for no such table.
    """
    rows = [list(row) for row in table.rows]
    if table.has_spans:
        return ""
    headers = rows.pop(0) if table.has_header and len(rows) > 1 else []
    return "\n".join("; ".join(_cells(row, headers, words)) for row in rows)


def _cells(row: list[str], headers: list[str], words: Announcements) -> list[str]:
    names = [f"{name}: " if name else "" for name in headers]
    names += [""] * (len(row) - len(names))
    return [f"{name}{cell or words.empty}" for name, cell in zip(names, row, strict=False)]


def _summary(table: Table, words: Announcements) -> str:
    """The size of a table, and the headers of its columns."""
    n_rows = len(table.rows) - table.has_header
    n_columns = max(map(len, table.rows), default=0)
    size = words.table.format(rows=n_rows, columns=n_columns)
    headers = [cell for cell in table.rows[0] if cell] if table.has_header else []
    return f"{size}: {'; '.join(headers)}." if headers else f"{size}."
