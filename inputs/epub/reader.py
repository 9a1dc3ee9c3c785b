"""Reads EPUB 2 and 3 into a `Book`. Each step is in a module of its own.

    open, limits, DRM ─▶ package ─▶ table of contents ─▶ documents ─▶ chapters ─▶ Book
    archive              package    toc                  documents    chapters

The title, the authors and the like come from `metadata`. The pronunciation lexicons that a book
brings (EPUB 3.3, D.4) count for all of it, each in its own language; what is wrong with one becomes
a warning.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.chapters import make_chapters, take_notes
from audiomill.inputs.epub.documents import (
    ReadDocuments,
    first_language,
    outside_spine,
    read_documents,
)
from audiomill.inputs.epub.metadata import Metadata, find_cover, read_metadata
from audiomill.inputs.epub.package import Package, load_package
from audiomill.inputs.epub.protection import check_protection, drm_scheme, protection_error
from audiomill.inputs.epub.toc import TableOfContents, read_toc
from audiomill.inputs.files import file_sha256
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.languages.detection import DEFAULT, SourceLanguage, language_of_source
from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.lexicons.files import MEDIA_TYPE, read_pls
from audiomill.inputs.model.book import (
    Book,
    Chapter,
    Limits,
    Series,
    Skipped,
    SkipReason,
    SourceCorrupt,
    SourceEmpty,
    SourceProtected,
)
from audiomill.inputs.model.ledger import letters_in, n_letters_of
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from audiomill.inputs.reading.rules import ReadingRules

MAX_WARNINGS = 50
FEWEST_PICTURE_LETTERS = 200  # for pictures to be the book, where it has text too


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the book in an EPUB file. Nothing is unpacked to disk or fetched from the network.

    `rules` decide what is read; those about kinds of blocks are left to `apply_rules`.

    Follows EPUB 3.3 (W3C), and OPF 2.0.1 and OPS 2.0.1 (IDPF) for version 2.
    Raises SourceCorrupt, SourceProtected (DRM), SourceTooLarge (the message names the limit),
    SourceEmpty, and OSError if the file cannot be read.
    """
    rules = rules or ReadingRules()
    with Archive(path, limits) as archive:
        check_protection(archive)
        package = load_package(archive)
        metadata = read_metadata(package)
        declared = metadata.language or language_tag(first_language(archive, package))
        toc = read_toc(archive, package)
        result, language = _read_in_its_language(archive, package, toc, declared, rules)
        described = _described(metadata, path.stem)
        chapters, notes = _chapters_and_notes(archive, toc, result, described.title, rules)
        cover = find_cover(archive, package)
        lexicon = _book_lexicons(archive, package)
    return replace(
        described,
        language=language.tag,
        language_source=language.source,
        chapters=chapters,
        source_id=file_sha256(path),
        cover=cover,
        skipped=(*result.skipped, *notes),
        warnings=_shortened([*language.warnings, *archive.warnings]),
        lexicon=lexicon,
        printed=dict(letters_in(result.printed)),
    )


def _chapters_and_notes(
    archive: Archive, toc: TableOfContents, result: ReadDocuments, title: str, rules: ReadingRules
) -> tuple[tuple[Chapter, ...], list[Skipped]]:
    """The chapters of the book `title`, and the notes that are not read."""
    documents, notes = take_notes(result.documents, archive.find, rules)
    entries = tuple(
        one for one in toc.entries if (one.path, one.fragment) not in result.edition_ids
    )
    chapters = make_chapters(documents, entries, title, archive.warnings, rules.reading.notes)
    return chapters, notes


def _described(metadata: Metadata, fallback: str) -> Book:
    """A book without a text, as its package describes it. `fallback` is its title without one."""
    main, *more = metadata.series or (Series(""),)
    return Book(
        title=metadata.title or fallback,
        authors=metadata.authors,
        language="",
        chapters=(),
        source_id="",
        subtitle=metadata.subtitle,
        translators=metadata.translators,
        narrators=metadata.narrators,
        is_publication=True,
        date=metadata.date,
        publisher=metadata.publisher,
        description=metadata.description,
        identifier=metadata.identifier,
        isbn=metadata.isbn,
        asin=metadata.asin,
        original_year=metadata.original_year,
        rights=metadata.rights,
        subjects=metadata.subjects,
        title_sort=metadata.title_sort,
        author_sort=metadata.author_sort,
        series=main.name,
        series_index=main.index,
        more_series=tuple(more),
    )


def _read_in_its_language(
    archive: Archive, package: Package, toc: TableOfContents, declared: str, rules: ReadingRules
) -> tuple[ReadDocuments, SourceLanguage]:
    """The documents, read in the language that the book declares, or else in the one it shows.

    Raises as `_read_documents`.
    """
    result = _read_documents(archive, package, toc, declared or DEFAULT, rules)
    language = language_of_source(declared, _text_of(result))
    if language.tag != (declared or DEFAULT):
        result = _read_documents(archive, package, toc, language.tag, rules)
    return result, language


def _read_documents(
    archive: Archive, package: Package, toc: TableOfContents, language: str, rules: ReadingRules
) -> ReadDocuments:
    """Read the documents; of a picture book with the words for its pictures.

    Raises SourceEmpty, or SourceProtected, if no document has any words.
    """
    result = _read_spine(archive, package, toc, language, rules)
    if rules.reading.images != "skip" and _are_most(_n_picture_letters(result), result):
        speaking = replace(rules, reading=replace(rules.reading, images="speak"))
        found = read_documents(archive, package, toc, language, speaking)
        if _n_letters(found) > _n_letters(result):
            archive.warnings.append("most pages are pictures; the words for them are read")
            result = found
    if not _has_letters(result):
        raise _nothing_to_read(archive, result, rules)
    return result


def _read_spine(
    archive: Archive, package: Package, toc: TableOfContents, language: str, rules: ReadingRules
) -> ReadDocuments:
    """The documents without front matter; with it, and then with all files, if there is no text."""
    result = read_documents(archive, package, toc, language, rules)
    if _has_letters(result):
        return result
    result = read_documents(archive, package, TableOfContents(), language, rules)
    outside = outside_spine(package)
    if _has_letters(result) or not outside:
        return result
    whole = replace(package, spine=(*package.spine, *outside))
    found = read_documents(archive, whole, TableOfContents(), language, rules)
    if not _has_letters(found):
        return result
    archive.warnings.append("the reading order has no text; the files outside it are read")
    return found


def _nothing_to_read(
    archive: Archive, result: ReadDocuments, rules: ReadingRules
) -> SourceProtected | SourceEmpty:
    """The error for a book without any words, with what there is instead."""
    reasons = Counter(skipped.reason for skipped in result.skipped)
    if drm_scheme(archive) and set(reasons) == {SkipReason.UNREADABLE}:
        return protection_error(archive)
    summary = ", ".join(f"{n} × {reason}" for reason, n in reasons.most_common(3)) or "it is empty"
    advice = "If its pages are pictures, they need text recognition first."
    if rules.reading.images == "skip" and any(map(_has_words, result.skipped)):
        advice = 'Its pictures have words: set images = "speak" under [reading].'
    return SourceEmpty(f"“{archive.name}” has no text to read aloud ({summary}).\n{advice}")


def _n_picture_letters(result: ReadDocuments) -> int:
    """How many letters the words for pictures have that are skipped."""
    return sum(
        n_letters_of(one.text) for one in result.skipped if one.reason is SkipReason.IMAGE_ONLY
    )


def _has_words(skipped: Skipped) -> bool:
    return skipped.reason is SkipReason.IMAGE_ONLY and bool(skipped.text)


def _are_most(n_pictures: int, result: ReadDocuments) -> bool:
    """Whether the words for pictures, of so many letters, are more than the text."""
    if not n_pictures or not _has_letters(result):
        return n_pictures > 0
    return n_pictures > max(_n_letters(result), FEWEST_PICTURE_LETTERS)


def _has_letters(result: ReadDocuments) -> bool:
    """As `_n_letters(result) > 0`, which need not count all of a book."""
    blocks = (one.block for document in result.documents for one in document.blocks)
    return any(n_letters_of(block.text) for block in blocks)


def _n_letters(result: ReadDocuments) -> int:
    """How many letters and digits the documents have to be read."""
    return n_letters_of(_text_of(result))


def _text_of(result: ReadDocuments) -> str:
    return "\n".join(one.block.text for document in result.documents for one in document.blocks)


def _shortened(warnings: list[str]) -> tuple[str, ...]:
    """Each warning once, and at most `MAX_WARNINGS` of them."""
    unique = list(dict.fromkeys(warnings))
    n_more = len(unique) - MAX_WARNINGS
    if n_more <= 0:
        return tuple(unique)
    return (*unique[:MAX_WARNINGS], f"and {n_more} more like these")


def _book_lexicons(archive: Archive, package: Package) -> tuple[LexiconEntry, ...]:
    """The entries of all lexicons, in the order of the manifest."""
    entries: list[LexiconEntry] = []
    for item in package.items:
        if item.media_type == MEDIA_TYPE and item.path:
            entries += _entries_of(archive, item.path)
    return tuple(entries)


def _entries_of(archive: Archive, path: str) -> tuple[LexiconEntry, ...]:
    try:
        lexicon = read_pls(archive.read(path), path)
    except (SourceCorrupt, LexiconError) as error:
        archive.warnings.append(f"the book's lexicon {path!r} cannot be read: {error}")
        return ()
    if lexicon.faults:
        n = len(lexicon.faults)
        archive.warnings.append(
            f"{n} entries of the book's lexicon are not used; the first: {lexicon.faults[0]}"
        )
    return lexicon.entries
