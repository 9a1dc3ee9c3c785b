"""A text file's bytes to its characters. Knows encodings and limits, not what the text means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from audiomill.inputs.book import (
    Block,
    Book,
    Chapter,
    Limits,
    Skipped,
    SourceCorrupt,
    SourceTooLarge,
)
from audiomill.inputs.markup.parser import BOMS

_LINE_END = re.compile(r"\r\n?|[\u2028\x0b\x0c]")


def decode_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """(text with Unix line ends, warnings), by byte order mark, as UTF-8, or as windows-1252.

    Raises SourceCorrupt if `data` holds NUL bytes, as no text does.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _LINE_END.sub("\n", data[len(mark) :].decode(encoding, "replace")), ()
    if b"\0" in data:
        raise SourceCorrupt(f"“{name}” holds binary data, not text. Check what kind of file it is.")
    try:
        return _LINE_END.sub("\n", data.decode("utf-8")), ()
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    warning = f"“{name}” is not UTF-8; it was read as windows-1252. Check its accents."
    return _LINE_END.sub("\n", text), (warning,)


def refuse_too_long(n_chars: int, name: str, limits: Limits) -> None:
    """Raise SourceTooLarge if a text of `n_chars` is over the limit."""
    if n_chars > limits.max_text_chars:
        raise SourceTooLarge(
            f"“{name}” has {n_chars:,} characters of text; the limit is"
            f" {limits.max_text_chars:,}. Split it, or raise max_text_chars."
        )


def title_from(path: Path) -> str:
    """What to call a text that does not say: its file's name, as words."""
    return re.sub(r"[-_\s]+", " ", path.stem).strip() or path.name


# Halves of characters made whole:

_SURROGATE = re.compile("[\ud800-\udfff]")


def repair_surrogates(text: str) -> str:
    """`text` with surrogate pairs joined and each lone surrogate as U+FFFD."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def repair_book(book: Book) -> Book:
    """`book` with all its text whole."""
    return replace(
        book,
        title=repair_surrogates(book.title),
        authors=_each(book.authors),
        language=repair_surrogates(book.language),
        chapters=tuple(_chapter(chapter) for chapter in book.chapters),
        date=repair_surrogates(book.date),
        publisher=repair_surrogates(book.publisher),
        description=repair_surrogates(book.description),
        identifier=repair_surrogates(book.identifier),
        series=repair_surrogates(book.series),
        series_index=repair_surrogates(book.series_index),
        skipped=tuple(_skipped(skipped) for skipped in book.skipped),
        warnings=_each(book.warnings),
    )


def _each(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(repair_surrogates(text) for text in texts)


def _chapter(chapter: Chapter) -> Chapter:
    blocks = tuple(_block(block) for block in chapter.blocks)
    return replace(chapter, title=repair_surrogates(chapter.title), blocks=blocks)


def _block(block: Block) -> Block:
    language = block.language and repair_surrogates(block.language)
    text, where = repair_surrogates(block.text), repair_surrogates(block.where)
    return replace(block, text=text, language=language, where=where)


def _skipped(skipped: Skipped) -> Skipped:
    return replace(
        skipped, text=repair_surrogates(skipped.text), where=repair_surrogates(skipped.where)
    )
