"""EPUB 2 and 3 to a `Book`; knows the order of the steps, and leaves each to its own file.

check and open ─▶ DRM? ─▶ package ─▶ contents ─▶ documents ─▶ chapters ─▶ Book
epub_archive   protection epub_package epub_toc  epub_documents epub_chapters
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

from audiomill.inputs.book import Book, Limits, SkipReason, SourceEmpty
from audiomill.inputs.epub.archive import Archive, check_protection, licence, protected
from audiomill.inputs.epub.chapters import make_chapters
from audiomill.inputs.epub.documents import (
    ReadDocuments,
    read_documents,
    spoken_language,
    without_notes,
)
from audiomill.inputs.epub.metadata import find_cover, read_metadata
from audiomill.inputs.epub.package import Package, load_package
from audiomill.inputs.epub.toc import Contents, read_contents
from audiomill.inputs.languages import language_tag

MOST_WARNINGS = 50


def read(path: Path, limits: Limits) -> Book:
    """The book in an EPUB file; nothing is unpacked to disk, nothing is fetched.

    Sources: EPUB 3.3 (W3C), OPF 2.0.1 and OPS 2.0.1 (IDPF) for version 2.
    Raises SourceError (SourceCorrupt, SourceProtected for DRM, SourceTooLarge whose message names
    the limit, SourceEmpty), and OSError if the file cannot be read.
    """
    with Archive(path, limits) as archive:
        check_protection(archive)
        package = load_package(archive)
        said = read_metadata(package)
        language = said.language or language_tag(spoken_language(archive, package)) or "en"
        contents = read_contents(archive, package)
        reading = _read(archive, package, contents, language)
        documents, notes = without_notes(reading.documents, archive.find)
        title = said.title or path.stem
        chapters = make_chapters(documents, contents.entries, title, archive.warnings)
        cover = find_cover(archive, package)
    return Book(
        title=title,
        authors=said.authors,
        language=language,
        chapters=chapters,
        source_id=_sha256(path),
        cover=cover,
        date=said.date,
        publisher=said.publisher,
        description=said.description,
        identifier=said.identifier,
        series=said.series,
        series_index=said.series_index,
        skipped=(*reading.skipped, *notes),
        warnings=_bounded(archive.warnings),
    )


def _read(archive: Archive, package: Package, contents: Contents, language: str) -> ReadDocuments:
    """The documents; if what the contents call front matter was all there is, with it."""
    reading = read_documents(archive, package, contents, language)
    if not _has_words(reading):
        reading = read_documents(archive, package, Contents(), language)
    if _has_words(reading):
        return reading
    reasons = Counter(skipped.reason for skipped in reading.skipped)
    if licence(archive) and set(reasons) == {SkipReason.UNREADABLE}:
        raise protected(archive)
    why = ", ".join(f"{n} × {reason}" for reason, n in reasons.most_common(3)) or "it is empty"
    raise SourceEmpty(
        f"“{archive.name}” has no text to read aloud ({why}).\n"
        "If its pages are pictures, they need text recognition first."
    )


def _has_words(reading: ReadDocuments) -> bool:
    return any(
        character.isalnum()
        for document in reading.documents
        for anchored in document.blocks
        for character in anchored.block.text
    )


def _bounded(warnings: list[str]) -> tuple[str, ...]:
    """Each warning once, and no endless list of them."""
    once = list(dict.fromkeys(warnings))
    n_more = len(once) - MOST_WARNINGS
    return (*once[:MOST_WARNINGS], f"and {n_more} more like these") if n_more > 0 else tuple(once)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
