"""Decodes text files: byte order marks, encodings, the limit on length, broken surrogates.

Knows nothing of what the text means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from audiomill.inputs.markup.encodings import BOMS, is_binary
from audiomill.inputs.model.book import (
    Block,
    Book,
    Chapter,
    Limits,
    Skipped,
    SourceCorrupt,
    SourceTooLarge,
)
from audiomill.inputs.model.places import with_other_text

_LINE_END = re.compile(r"\r\n?|[\u2028\x0b\x0c]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return (text with Unix line ends, warnings).

    The byte order mark decides; without one the text is UTF-8, or else windows-1252. A NUL, which
    no text has, becomes a space. Raises SourceCorrupt if `data` is not text.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _tidy(data[len(mark) :].decode(encoding, "replace")), ()
    if is_binary(data):
        raise SourceCorrupt(f"“{name}” holds binary data, not text. Check what kind of file it is.")
    try:
        return _tidy(data.decode("utf-8")), ()
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    warning = f"“{name}” is not UTF-8; it was read as windows-1252. Check its accents."
    return _tidy(text), (warning,)


def _tidy(text: str) -> str:
    return _LINE_END.sub("\n", text).replace("\0", " ")


def check_text_length(n_chars: int, name: str, limits: Limits) -> None:
    """Raise SourceTooLarge if a text of `n_chars` characters is over the limit."""
    if n_chars > limits.max_text_chars:
        raise SourceTooLarge(
            f"“{name}” has {n_chars:,} characters of text; the limit is"
            f" {limits.max_text_chars:,}. Split it, or raise max_text_chars."
        )


def title_from(path: Path) -> str:
    """Return the file name as words: the title of a text that names none."""
    return re.sub(r"[-_\s]+", " ", path.stem).strip() or path.name


def repair_surrogates(text: str) -> str:
    """Return `text` with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def repair_book(book: Book) -> Book:
    """Return `book` with `repair_surrogates` applied to all its text."""
    return replace(
        book,
        title=repair_surrogates(book.title),
        authors=_repair_all(book.authors),
        subtitle=repair_surrogates(book.subtitle),
        translators=_repair_all(book.translators),
        language=repair_surrogates(book.language),
        chapters=tuple(_repair_chapter(chapter) for chapter in book.chapters),
        date=repair_surrogates(book.date),
        publisher=repair_surrogates(book.publisher),
        description=repair_surrogates(book.description),
        identifier=repair_surrogates(book.identifier),
        series=repair_surrogates(book.series),
        series_index=repair_surrogates(book.series_index),
        skipped=tuple(_repair_skipped(skipped) for skipped in book.skipped),
        warnings=_repair_all(book.warnings),
    )


def _repair_all(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(repair_surrogates(text) for text in texts)


def _repair_chapter(chapter: Chapter) -> Chapter:
    blocks = tuple(_repair_block(block) for block in chapter.blocks)
    title, parts = repair_surrogates(chapter.title), _repair_all(chapter.parts)
    return replace(chapter, title=title, blocks=blocks, parts=parts)


def _repair_block(block: Block) -> Block:
    language = block.language and repair_surrogates(block.language)
    text, where = repair_surrogates(block.text), repair_surrogates(block.where)
    if (text, where, language) == (block.text, block.where, block.language):
        return block
    # Where two halves became one character, places in the text are not known.
    repaired = block if len(text) == len(block.text) else with_other_text(block, text)
    return replace(repaired, text=text, language=language, where=where)


def _repair_skipped(skipped: Skipped) -> Skipped:
    text, where = repair_surrogates(skipped.text), repair_surrogates(skipped.where)
    is_whole = (text, where) == (skipped.text, skipped.where)
    return skipped if is_whole else replace(skipped, text=text, where=where)
