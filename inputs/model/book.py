"""The data model of a book that has been read: frozen dataclasses, errors and limits.

    Book ─▶ Chapter ─▶ Block          a paragraph, heading or list item, in reading order
                         └─▶ Segment  the text of one synthesis request, cut from one block

No text is lost: every character of a source is in a block or in a `Skipped`, and every character
of a block is in a segment or in a `Skipped`. This module knows nothing of audio.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audiomill.inputs.model.lexicon_entry import LexiconEntry


class BlockKind(StrEnum):
    """The role of a block on the page. It decides the pauses and whether the block is spoken."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    QUOTE = "quote"
    LIST_ITEM = "list item"
    VERSE = "verse"  # lines are separated by "\n"; each stanza is a block
    TABLE = "table"  # one line per row, cells separated by "; "
    CAPTION = "caption"
    IMAGE = "image"  # the words that stand for a picture
    CODE = "code"
    NOTE = "note"
    SCENE_BREAK = "scene break"  # the text is the printed ornament ("* * *"), or ""


class SkipReason(StrEnum):
    """The reason why some text of the source is not spoken."""

    PAGE_NUMBER = "page number"
    LINE_NUMBER = "line or verse number"
    NOTE_REFERENCE = "note reference"
    NOTE = "footnote or endnote"
    HIDDEN = "hidden on the page"
    SCRIPT = "script"
    NAVIGATION = "navigation"
    TABLE_OF_CONTENTS = "the book's own table of contents"
    IMAGE_ONLY = "a page with only images"
    ALTERNATIVE_TEXT = "alternative text of a picture"
    FRAME = "another page or a film, shown in a frame"
    FRONT_MATTER = "cover, title, copyright or imprint page"
    EDITION = "licence, credits or notes of a digital edition"
    ADVERTISEMENT = "a publisher's list of other books"
    INDEX = "index"
    GLOSSARY = "glossary"
    REFERENCES = "bibliography or list of works"
    NOT_IN_READING_ORDER = "outside the reading order"
    CODE = "code"
    TABLE = "table"
    CAPTION = "caption"
    BADGE = "badge of a project"
    CHANGE_REFERENCE = "commit or issue of a project"
    TEMPLATE = "a command of a page generator"
    RUBY = "a guide to pronunciation, set beside the text"
    FORMULA = "the notation of a formula"
    UNREADABLE = "a part of the book that could not be read"
    NOT_SPEAKABLE = "nothing in it that can be spoken"
    NOT_CHOSEN = "chapter not chosen"
    SAID_IN_CREDITS = "said in the opening credits"
    LEFT_OUT = "left out by the file beside the book"


class LanguageSource(StrEnum):
    """How the language of a book is known."""

    DECLARED = "declared"  # the source names it
    DETECTED = "detected"  # its text shows it
    DEFAULT = "default"  # neither: it is read as English
    SET = "set"  # the user has corrected it


@dataclass(frozen=True, slots=True)
class Skipped:
    """Text that will not be spoken, with the reason and its place in the source."""

    reason: SkipReason
    text: str
    where: str  # for people to read: "OEBPS/ch2.xhtml#n1", "notes.md:14"


@dataclass(frozen=True, slots=True)
class ForeignPassage:
    """Characters [start, end) of a block's text, which are in another language than the block."""

    start: int
    end: int
    language: str  # BCP 47


@dataclass(frozen=True, slots=True)
class Pronunciation:
    """Characters [start, end) of a text are said by these phonemes: IPA, or as Kokoro writes them.

    In a `Request` the phonemes are as its engine writes them.
    """

    start: int
    end: int
    phonemes: str


@dataclass(frozen=True, slots=True)
class Rewording:
    """Characters [start, end) of a spoken text are said for [first, last) of the printed one.

    Nothing is said for them where `start` is `end`.
    """

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a table, row by row. Empty ones are ""; cells that span others stand once."""

    rows: tuple[tuple[str, ...], ...]
    has_header: bool  # the first row names the columns
    has_spans: bool  # some cells span others, so that a column is not known by its position


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of a chapter, or another part that is set like one, for example a heading.

    `text` has single spaces and no line breaks. Verse, tables and code are the exception: they
    keep the lines of the page.
    """

    kind: BlockKind
    text: str
    language: str | None = None  # BCP 47; None: the language of the book
    level: int = 0  # of a heading (1 to 6) or of a list item (its nesting depth, from 1)
    where: str = ""  # the place in the source, as in `Skipped.where`
    passages: tuple[ForeignPassage, ...] = ()  # in order, without overlap
    pronunciations: tuple[Pronunciation, ...] = ()  # that the source gives, in `text`
    # Ranges that are known to be Roman numerals: the source marks them, or headings count on.
    numerals: tuple[tuple[int, int], ...] = ()
    table: Table | None = None  # of a block of that kind, if the source marks its cells


@dataclass(frozen=True, slots=True)
class Chapter:
    """A title and its blocks. `level` is the depth in the table of contents, from 1."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 1
    parts: tuple[str, ...] = ()  # the titles above it, outermost first, as far as they are known
    is_credits: bool = False  # it is not of the source: it says the title, the author and so on


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover picture as it is embedded; `media_type` is image/jpeg or image/png."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Series:
    """A series of books, and a book's place in it as the source writes it: "2", "1.5", ""."""

    name: str
    index: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A whole source. `source_id` is the SHA-256 of its bytes, in hexadecimal."""

    title: str
    authors: tuple[str, ...]
    language: str  # BCP 47
    chapters: tuple[Chapter, ...]
    source_id: str
    language_source: LanguageSource = LanguageSource.DECLARED
    cover: Cover | None = None
    subtitle: str = ""
    translators: tuple[str, ...] = ()
    narrators: tuple[str, ...] = ()  # that the source names; mostly it names none
    is_publication: bool = False  # an EPUB; other sources are mostly articles
    date: str = ""  # as the source writes it: "1897", "2026-11-21"
    publisher: str = ""
    description: str = ""
    identifier: str = ""  # for example an ISBN or a UUID
    isbn: str = ""  # 10 or 13 characters, without hyphens
    asin: str = ""
    original_year: str = ""  # of the first publication, if the source tells it from `date`
    rights: str = ""
    subjects: tuple[str, ...] = ()
    title_sort: str = ""  # "Mill, The"
    author_sort: str = ""  # "Ode, Ann & Li, Bo"
    series: str = ""
    series_index: str = ""
    more_series: tuple[Series, ...] = ()  # besides `series`
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    printed: Mapping[str, int] = field(default_factory=dict[str, int])  # letters: `ledger.py`
    lexicon: tuple[LexiconEntry, ...] = ()  # that the source brings, in order


@dataclass(frozen=True, slots=True)
class Span:
    """The range [start, end) of characters in `Book.chapters[chapter].blocks[block].text`."""

    chapter: int
    block: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """The unit of synthesis and of caching. It lies within one block.

    `sentences` and `printed` have the same length. Entry i of each is the range [start, end) of
    sentence i, or of the part of it that lies in this segment: in `spoken` and in `text`.
    """

    id: str  # "0003-00042": chapter, then number within the chapter, both from 0
    kind: BlockKind
    text: str  # the text of the block at `span`, as printed
    spoken: str  # the text that the voice speaks
    voice: str
    language: str
    pause_after_s: float  # 0.0 where a word goes on in the next segment
    span: Span
    sentences: tuple[tuple[int, int], ...] = ()  # ranges in `spoken`
    printed: tuple[tuple[int, int], ...] = ()  # ranges in `text`, to highlight while it sounds
    sentence_pauses_s: tuple[float, ...] = ()  # after each of its sentences but the last
    n_reworded: int = 0  # letters and digits of `text` that something else is said for
    pronunciations: tuple[Pronunciation, ...] = ()  # in `spoken`, in order, without overlap
    speaker: str = ""  # the character of the cast who says it
    rewordings: tuple[Rewording, ...] = ()  # of `text` in `spoken`, in order, without overlap

    @property
    def chapter(self) -> int:
        """The index of the chapter in the book."""
        return self.span.chapter


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A book cut into segments, and all text that will not be spoken."""

    book: Book
    segments: tuple[Segment, ...]
    skipped: tuple[Skipped, ...]  # by the reader of the source and by the segmentation


class SourceError(Exception):
    """Base of the errors of a source. The message says what is wrong and what to do.

    SourceError
    ├── TextLost           some of its text would be lost, by a fault of ours
    ├── SourceMissing      no such file, or a directory
    ├── SourceUnsupported  a file format that audiomill does not read
    ├── SourceCorrupt      damaged, or of another format than the file name says
    ├── SourceProtected    encrypted (DRM)
    ├── SourceTooLarge     over one of `Limits`; the message names the setting
    └── SourceEmpty        no text to read aloud
    """


class TextLost(SourceError):
    """Some text of the source would be neither spoken nor listed as skipped."""


class SourceMissing(SourceError):
    """There is no such file, or it is a directory."""


class SourceUnsupported(SourceError):
    """The file has a format that audiomill does not read."""


class SourceCorrupt(SourceError):
    """The file is damaged, or of another format than its name says."""


class SourceProtected(SourceError):
    """The file is encrypted (DRM)."""


class SourceTooLarge(SourceError):
    """The file is over one of `Limits`; the message names the setting that raises the limit."""


class SourceEmpty(SourceError):
    """The file has no text to read aloud."""


MIB = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that keep a hostile or broken file from filling memory.

    Each field is also a setting of the same name, by which users can raise it.
    """

    max_file_bytes: int = 1024 * MIB  # the source file on disk
    max_text_chars: int = 20_000_000  # of the whole book; War and Peace has 3.2 million
    max_archive_entries: int = 20_000
    max_archive_bytes: int = 4096 * MIB  # all entries of an EPUB together, unpacked
    max_entry_bytes: int = 64 * MIB  # one entry that is read (text, cover, OPF), unpacked
    max_entry_ratio: int = 200  # unpacked size / packed size, for entries over 1 MiB

    def check_text_length(self, n_chars: int, name: str) -> None:
        """Raise SourceTooLarge if the text of a source has too many characters."""
        if n_chars > self.max_text_chars:
            raise SourceTooLarge(
                f"“{name}” has {n_chars:,} characters of text; the limit is"
                f" {self.max_text_chars:,}. Split it, or raise max_text_chars."
            )
