"""What a book is once it has been read: plain, frozen data that knows nothing of audio.

    Book ─▶ Chapter ─▶ Block          what a reader of the page sees, in reading order
                         └─▶ Segment  what a voice says in one breath, cut from one block

Nothing is lost: every character of a source is in a block or in a `Skipped`, and every character
of a block is in a segment or in a `Skipped`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block is on the page; it decides pauses, and whether it is spoken at all."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    QUOTE = "quote"
    LIST_ITEM = "list item"
    VERSE = "verse"  # lines are separated by "\n", stanzas are blocks of their own
    TABLE = "table"  # a row a line, cells separated by "; "
    CAPTION = "caption"
    CODE = "code"
    NOTE = "note"
    SCENE_BREAK = "scene break"  # the text is what was printed ("* * *"), or ""


class SkipReason(StrEnum):
    """Why some text of the source is not spoken."""

    PAGE_NUMBER = "page number"
    LINE_NUMBER = "line or verse number"
    NOTE_REFERENCE = "note reference"
    NOTE = "footnote or endnote"
    HIDDEN = "hidden on the page"
    SCRIPT = "script or style"
    NAVIGATION = "navigation"
    TABLE_OF_CONTENTS = "the book's own table of contents"
    IMAGE_ONLY = "a page with only images"
    FRONT_MATTER = "cover, title or copyright page"
    NOT_IN_READING_ORDER = "outside the reading order"
    CODE = "code"
    RUBY = "a guide to pronunciation, set beside the text"
    FORMULA = "the notation of a formula"
    UNREADABLE = "a part of the book that could not be read"
    NOT_SPEAKABLE = "nothing in it that can be spoken"
    NOT_CHOSEN = "chapter not chosen"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Text that will not be spoken, where it stood, and why."""

    reason: SkipReason
    text: str
    where: str  # "OEBPS/ch2.xhtml#n1", "notes.md:14"; for people to read


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph-like piece of a chapter.

    `text` has single spaces and no line breaks, except in verse, tables and code, where each
    line is one of the page's.
    """

    kind: BlockKind
    text: str
    language: str | None = None  # BCP 47, where it differs from the book's
    level: int = 0  # of a heading (1 to 6) or a nested list item
    where: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A titled run of blocks. `level` is its depth in the table of contents, from 1."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 1


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover picture as it lay in the source. `media_type` is image/jpeg or image/png."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Book:
    """A whole source, read. `source_id` is the SHA-256 of its bytes, in hexadecimal."""

    title: str
    authors: tuple[str, ...]
    language: str  # BCP 47; "en" where the source does not say
    chapters: tuple[Chapter, ...]
    source_id: str
    cover: Cover | None = None
    date: str = ""  # as the source gives it: "1897", "2026-11-21"
    publisher: str = ""
    description: str = ""
    identifier: str = ""  # ISBN, UUID, …
    series: str = ""
    series_index: str = ""
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """The characters [start, end) of `Book.chapters[chapter].blocks[block].text`."""

    chapter: int
    block: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """The unit of synthesis and of caching: never crosses a block."""

    id: str  # "0003-00042": chapter and place in it, both from 0
    kind: BlockKind
    text: str  # what a reader sees: the block's text at `span`
    spoken: str  # what the voice says
    voice: str
    language: str
    pause_after_s: float  # 0.0 where a sentence was cut and the voice should run on
    span: Span
    # Where in `spoken` its sentences are, or the parts of them that it holds: [start, end) each.
    sentences: tuple[tuple[int, int], ...] = ()
    # And where in `text`, one for one: what a reader follows while it sounds.
    printed: tuple[tuple[int, int], ...] = ()

    @property
    def chapter(self) -> int:
        """The chapter's index in the book."""
        return self.span.chapter


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A book cut into segments, with everything that will not be spoken."""

    book: Book
    segments: tuple[Segment, ...]
    skipped: tuple[Skipped, ...]  # the reader's and the segmenter's


class SourceError(Exception):
    """A source cannot be read. The message says what is wrong and what to do.

    SourceError
    ├── SourceMissing      no such file, or a directory
    ├── SourceUnsupported  not a kind of file we read
    ├── SourceCorrupt      damaged, or not what its name says
    ├── SourceProtected    encrypted (DRM)
    ├── SourceTooLarge     over a limit that guards memory; the message names the setting
    └── SourceEmpty        nothing in it to read aloud
    """


class SourceMissing(SourceError):
    """No such file, or a directory."""


class SourceUnsupported(SourceError):
    """Not a kind of file we read."""


class SourceCorrupt(SourceError):
    """Damaged, or not what its name says."""


class SourceProtected(SourceError):
    """Encrypted (DRM)."""


class SourceTooLarge(SourceError):
    """Over one of `Limits`; the message names the setting that raises it."""


class SourceEmpty(SourceError):
    """Nothing in it to read aloud."""


# How much a source may ask of the machine.

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps that keep a hostile or broken file from filling memory.

    Each can be raised in the settings under the name given here (`max_text_chars`, …).
    """

    max_file_bytes: int = 1024 * MIB  # the source as it lies on disk
    max_text_chars: int = 20_000_000  # all the text; War and Peace has 3.2 million
    max_archive_entries: int = 20_000
    max_archive_bytes: int = 4096 * MIB  # all entries of an EPUB, unpacked
    max_entry_bytes: int = 64 * MIB  # one entry that we read (text, cover, OPF), unpacked
    max_entry_ratio: int = 200  # unpacked to packed, for entries over 1 MiB
