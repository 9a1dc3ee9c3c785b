"""Writes a book as an EPUB with media overlays: its own documents, and the sound of their text.

    source    mimetype  package  p1.xhtml  p2.xhtml  style.css  picture.jpg
    written   mimetype  package' p1.xhtml' p2.xhtml' style.css' picture.jpg
                                 + readalong/00000.smil + readalong/00000.m4a + …

One overlay and one audio file for each document that is spoken. Documents without speech have no
overlay: players go on to the next one that has. All other entries stay as they are, packed as they
are.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.epub.package import MIMETYPE
from audiomill.outputs.files import unwritable_errors
from audiomill.outputs.readalong.archive_entries import MIMETYPE_NAME, Content, add_entry
from audiomill.outputs.readalong.document_audio import SUFFIX, DocumentAudio
from audiomill.outputs.readalong.documents.addresses import linked_path
from audiomill.outputs.readalong.narration import NarratedDocument
from audiomill.outputs.readalong.overlays import (
    STYLE,
    Overlay,
    audio_of,
    own_overlays,
    smil_bytes,
    with_overlays,
)
from audiomill.outputs.readalong.source_books import EpubEntries, SourceBook

FOLDER = "readalong"
SIGNATURES = "META-INF/signatures.xml"  # of documents that have changed


@dataclass(frozen=True, slots=True)
class NarratedBook:
    """Documents with spans, their sound, and who reads."""

    documents: tuple[NarratedDocument, ...]
    audio: DocumentAudio
    narrators: tuple[str, ...]


def write_epub(path: Path, source: SourceBook, narration: NarratedBook) -> None:
    """Write a book with its narration to `path`.

    The same book and narration give the same bytes. Raises SourceError, OutputUnwritable.
    """
    book, package = source.entries, source.package
    removed = frozenset(_files_of_own_overlays(book, package, narration.documents))
    styled = _styled(book, narration.documents)
    changed = styled | _changed_entries(book, package, narration, removed, is_styled=bool(styled))
    with unwritable_errors(path), zipfile.ZipFile(path, "w") as archive:
        add_entry(archive, MIMETYPE_NAME, MIMETYPE)
        for name in book.names:
            if name not in {MIMETYPE_NAME, SIGNATURES, *removed}:
                content = changed.pop(name) if name in changed else book.content(name)
                add_entry(archive, name, content)
        for name, content in changed.items():
            add_entry(archive, name, content)


def _changed_entries(
    book: EpubEntries,
    package: str,
    narration: NarratedBook,
    removed: Collection[str],
    *,
    is_styled: bool,
) -> dict[str, Content]:
    """The entries that are new, or have other content than in the book, but style sheets."""
    folder, sound = _free_folder(book.names, package), narration.audio
    audio = [f"{folder}/{number:05}{SUFFIX}" for number in range(len(sound.pieces))]
    changed: dict[str, Content] = {}
    overlays: list[Overlay] = []
    for document, clips in zip(narration.documents, sound.clips, strict=True):
        if clips:
            smil = f"{folder}/{len(overlays):05}.smil"
            changed[document.path] = document.content
            changed[smil] = smil_bytes(smil, document.path, clips, audio)
            duration_ms = sum(one.end_ms - one.start_ms for one in clips)
            overlays.append(Overlay(smil, document.path, duration_ms))
    changed[package] = with_overlays(
        book.read(package),
        package,
        overlays,
        audio,
        narration.narrators,
        book.find,
        removed,
        is_styled=is_styled,
    )
    return changed | {name: piece.path for name, piece in zip(audio, sound.pieces, strict=True)}


def _free_folder(names: Sequence[str], package: str) -> str:
    """A folder beside the package document in which nothing is."""
    folder = posixpath.join(posixpath.dirname(package), FOLDER)
    while any(name.lower().startswith(f"{folder.lower()}/") for name in names):
        folder += "-"
    return folder


def _styled(book: EpubEntries, documents: Iterable[NarratedDocument]) -> dict[str, Content]:
    """The style sheets of the documents, with a rule for what sounds.

    None if one of the documents has no sheet: an element more in it would not be the book's, and a
    class that a document has no rule for is against the rules (epubcheck's CSS-030).
    """
    sheets = set[str]()
    for document in documents:
        links = (linked_path(document.path, one) for one in document.style_sheets)
        linked = {book.find(link) for link in links} - {""}
        if document.clips and not linked:
            return {}
        sheets |= linked
    return {name: book.read(name).rstrip() + b"\n" + STYLE.encode() for name in sorted(sheets)}


def _files_of_own_overlays(
    book: EpubEntries, package: str, documents: Iterable[NarratedDocument]
) -> Iterator[str]:
    """The files of the book's own overlays, and the sound that no document plays itself."""
    played = set[str]()
    for path in own_overlays(book.read(package), package, book.find):
        yield path
        played |= {book.find(one) for one in audio_of(book.read(path), path)} - {""}
    suffixes = {posixpath.splitext(name)[1].encode() for name in played}
    # Few documents play sound themselves: with thousands of overlays only those are searched.
    texts = [one.content for one in documents if any(map(one.content.__contains__, suffixes))]
    for name in played:
        if not any(posixpath.basename(name).encode() in text for text in texts):
            yield name
