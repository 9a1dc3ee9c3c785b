"""Reads any source into a `Book`, by choosing the reader for its file format.

The suffix chooses the reader, and the bytes must agree with it; an EPUB is recognised by its bytes
alone. A file that no reader takes is refused with advice. The formats themselves are parsed in
`epub/`, `markdown/`, `text/` and `articles/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from math import ceil
from pathlib import Path

from audiomill.inputs.articles.page import ARTICLE_SUFFIX
from audiomill.inputs.epub.archive import KINDLE_MAGIC, KINDLE_TYPES, KNOWN_STARTS
from audiomill.inputs.markup.encodings import is_binary
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.metadata.source_metadata import bounded_metadata
from audiomill.inputs.model.book import (
    MIB,
    Book,
    Limits,
    SourceCorrupt,
    SourceEmpty,
    SourceMissing,
    SourceTooLarge,
    SourceUnsupported,
)
from audiomill.inputs.model.ledger import check_book
from audiomill.inputs.model.surrogates import repair_book
from audiomill.inputs.reading.rules import ReadingRules, apply_rules

_HEAD_BYTES = 4096
_TAIL_BYTES = 1 << 20  # the directory of a zip archive is at its end
_EPUB_READER = "epub.reader"
MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".mdx", ".mkd")
PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
TEXT_SUFFIXES = (".txt", ".text")
_READERS = {
    ".epub": _EPUB_READER,
    **dict.fromkeys(MARKDOWN_SUFFIXES, "markdown.reader"),
    **dict.fromkeys(PAGE_SUFFIXES, "articles.html"),
    **dict.fromkeys(TEXT_SUFFIXES, "text.reader"),
    ARTICLE_SUFFIX: "articles.reader",
}
SUFFIXES = frozenset(_READERS) - {ARTICLE_SUFFIX}  # of what people have, in lower case
_SUPPORTED = "EPUB (.epub), Markdown (.md), web pages (.html) and plain text (.txt)"
_EPUB, _TEXT = "an EPUB", "text"

# Formats that people mistake for a book, by the first bytes of the file.
_STARTS = (
    *KNOWN_STARTS,
    (b"GIF8", "a GIF picture"),
    (b"AT&TFORM", "a DjVu book"),
    (b"ITSF", "a Windows help book"),
    (b"ID3", "an MP3 file"),
    (b"OggS", "an Ogg file"),
    (b"fLaC", "a FLAC file"),
    (b"RIFF", "a sound, picture or film file"),
    (b"SQLite format 3", "a database"),
    (b"\x7fELF", "a program"),
)
_NON_TEXT_STARTS = (b"%PDF", b"{\\rtf")  # not text, although the bytes can look like text
_ZIP_MEMBERS = (  # a file in a zip archive ─▶ the format of the archive
    (b"META-INF/container.xml", _EPUB),
    (b"word/document.xml", "a Word document"),
    (b"xl/workbook.xml", "an Excel workbook"),
    (b"ppt/presentation.xml", "a PowerPoint file"),
    (b"META-INF/manifest.xml", "an OpenDocument file"),
)
_SAVE_AS = "Save it as EPUB, web page or plain text"
_ADVICE = {
    _TEXT: "If it is plain text, end its name in .txt",
    "a PDF": "Find the book as EPUB, or save its text as .txt",
    "a Kindle book": "Find the book as EPUB",
    "a zip archive": "Unpack it and give a file of it",
    **dict.fromkeys(("a Word document", "an old Word document", "an OpenDocument file"), _SAVE_AS),
    "a rich text document": _SAVE_AS,
}


def read_book(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the book in the file at `path`, with the text that `rules` have read.

    Raises a SourceError whose message names the file and says what to do: SourceMissing,
    SourceEmpty, SourceTooLarge, SourceUnsupported, SourceCorrupt or SourceProtected.
    """
    # Imported here, as readers are: who only asks what a file is needs none of it.
    from audiomill.inputs.chapters.arrangement import arrange_chapters
    from audiomill.inputs.chapters.reference_lists import leave_out_lists

    rules = rules or ReadingRules()
    try:
        check_file(path, limits)
        read = _reader_for(path)
        book = bounded_metadata(read(path, limits, rules))
    except OSError as error:
        raise _unreadable(path, error) from error
    n_chars = sum(len(block.text) for chapter in book.chapters for block in chapter.blocks)
    limits.check_text_length(n_chars, path.name)
    if not n_chars and not book.skipped:
        raise SourceEmpty(f"“{path.name}” has no text in it. Check that it is the right file.")
    book = arrange_chapters(leave_out_lists(repair_book(book), rules))
    chosen = apply_rules(book, rules)
    check_book(book, chosen, path.name)
    return chosen


def check_format(path: Path, limits: Limits) -> None:
    """Raise SourceError unless `path` is a file of an allowed size that some reader takes."""
    try:
        check_file(path, limits)
        _reader_for(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def is_epub(path: Path) -> bool:
    """Whether a file is read as an EPUB, by its bytes. Raises OSError."""
    return _detect_format(path) == _EPUB


def check_file(path: Path, limits: Limits) -> None:
    """Raise SourceError unless `path` is a regular file of an allowed size."""
    try:
        _check_kind_and_size(path, limits)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError | ValueError) -> SourceMissing:
    reason = error.strerror if isinstance(error, OSError) else None
    return SourceMissing(f"“{path}” cannot be read: {reason or error}.")


def _check_kind_and_size(path: Path, limits: Limits) -> None:
    if path.is_dir():
        raise SourceMissing(
            f"“{path}” is a directory, not a book. Name files in it: each becomes a book."
        )
    if not path.exists():
        raise SourceMissing(_missing_message(path))
    if not path.is_file():
        raise SourceMissing(f"“{path}” is a device or a pipe, not a file. Save it to a file first.")
    n_bytes = path.stat().st_size
    if n_bytes == 0:
        raise SourceEmpty(f"“{path.name}” is empty (0 bytes). Get the file again.")
    if n_bytes > limits.max_file_bytes:
        raise SourceTooLarge(
            f"“{path.name}” is {ceil(n_bytes / MIB)} MiB; the limit is "
            f"{limits.max_file_bytes / MIB:.0f}. Raise max_file_bytes to read it."
        )


def _missing_message(path: Path) -> str:
    if path.is_symlink():
        return f"“{path}” is a link that leads to no file. Name the file itself."
    parent_file = next((parent for parent in path.parents if parent.is_file()), None)
    if parent_file:
        return (
            f"There is no file “{path}”: “{parent_file}” is a file, not a folder. Check the name."
        )
    return f"There is no file “{path}”.{_near_name(path) or ' Check the name.'}"


def _near_name(path: Path) -> str:
    """A hint at a file of the same folder with a similar name; "" if there is none."""
    try:
        names = [one.name for one in path.parent.iterdir() if one.is_file()]
    except OSError:
        return ""
    # An ending of three or four letters alone makes two short names alike.
    return did_you_mean(path.name, names, n=1, likeness=0.75)


def _reader_for(path: Path) -> Callable[[Path, Limits, ReadingRules], Book]:
    """Return the `read` function for the file.

    Its module is imported only here, because each reader imports libraries of its own.
    """
    suffix = path.suffix.lower()
    name, kind = _READERS.get(suffix), _detect_format(path)
    if kind == _EPUB:
        name = _EPUB_READER
    if name is None:
        shown = kind if kind != _TEXT else f"a “{suffix}” file" if suffix else "without an ending"
        advice = _ADVICE.get(kind, "Give the book in one of these")
        raise SourceUnsupported(
            f"“{path.name}” is {shown}; audiomill reads {_SUPPORTED}. {advice}."
        )
    # The encoding of an article stands in its first line, so its reader tells whether it is text.
    if name != _EPUB_READER and kind != _TEXT and suffix != ARTICLE_SUFFIX:
        advice = _ADVICE.get(kind, "Find the right file")
        raise SourceCorrupt(f"“{path.name}” is {kind}, not what its ending says. {advice}.")
    return import_module(f"audiomill.inputs.{name}").read


def _detect_format(path: Path) -> str:
    """Return the format that the bytes show: `_EPUB`, `_TEXT`, or a phrase for error messages."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - _TAIL_BYTES))
        tail = file.read()
    if head.startswith(b"PK"):
        if b"mimetypeapplication/epub+zip" in head:
            return _EPUB
        return next((kind for name, kind in _ZIP_MEMBERS if name in tail), "a zip archive")
    if head[KINDLE_MAGIC] in KINDLE_TYPES:
        return "a Kindle book"
    if _is_text(head):
        return _TEXT
    return next((kind for start, kind in _STARTS if head.startswith(start)), "binary data")


def _is_text(head: bytes) -> bool:
    if head.startswith(_NON_TEXT_STARTS):
        return False
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")):  # UTF-16 or UTF-32
        return True
    return not is_binary(head) and not head.startswith((b"\x89PNG", b"\xff\xd8\xff"))
