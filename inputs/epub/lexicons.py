"""The pronunciation lexicons that an EPUB brings (EPUB 3.3, D.4): PLS files of its manifest.

Each counts for the whole book, in its own language. What is wrong with one becomes a warning.
"""

from __future__ import annotations

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import Package
from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError
from audiomill.inputs.lexicon.files import MEDIA_TYPE, read_pls
from audiomill.inputs.model.book import SourceCorrupt


def read_book_lexicons(archive: Archive, package: Package) -> tuple[LexiconEntry, ...]:
    """The entries of all lexicons, in the order of the manifest."""
    entries: list[LexiconEntry] = []
    for item in package.items:
        if item.media_type == MEDIA_TYPE and item.path:
            entries += _read(archive, item.path)
    return tuple(entries)


def _read(archive: Archive, path: str) -> tuple[LexiconEntry, ...]:
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
