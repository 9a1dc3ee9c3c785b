"""The book that a read-along is made of, as an EPUB 3: the source itself, or one of our own.

EPUB 3                       its own entries
EPUB 2, or broken documents  the same, with what upgrade/ makes of them
Markdown, web page, text     what own/ makes of the book that was read, and of its markup
digest of articles           the same, article by article
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.articles.digest import DIGEST_SUFFIX
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.opf_repair import READABLE_TYPES
from audiomill.inputs.epub.package import Package, load_package
from audiomill.inputs.epub.packed_entries import PackedEntry
from audiomill.inputs.epub.styles import StyleSheets
from audiomill.inputs.epub.toc import read_toc
from audiomill.inputs.model.book import Book, Limits
from audiomill.outputs.readalong.own.book import PACKAGE_PATH, own_book
from audiomill.outputs.readalong.own.digest import digest_text
from audiomill.outputs.readalong.own.text import own_text
from audiomill.outputs.readalong.upgrade.book import upgraded


@dataclass(frozen=True, slots=True)
class EpubEntries:
    """The entries of an EPUB: their names, in order, and what reads one; it raises SourceError.

    `content` reads one for another archive: packed, where it can be copied so. `find` gives the
    name of the entry that a path means, however it is spelled; "" for none.
    """

    names: tuple[str, ...]
    read: Callable[[str], bytes]
    content: Callable[[str], bytes | PackedEntry]
    find: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class SourceBook:
    """An EPUB 3 of a book, and the path of the document of each of its chapters' blocks.

    A block that is in no document, such as one of opening credits, has the path "".
    """

    entries: EpubEntries
    package: str  # the path of the package document
    paths: tuple[tuple[str, ...], ...]  # by chapter and block
    documents: tuple[str, ...]  # the paths of those in the reading order, without the contents
    styles: StyleSheets | None  # those of its documents; None for a book of our own


@contextmanager
def open_source_book(book: Book, source: Path, limits: Limits) -> Generator[SourceBook]:
    """The EPUB 3 of a book that was read from a file, which stays open. Raises SourceError."""
    if not book.is_publication:
        read = digest_text if source.suffix == DIGEST_SUFFIX else own_text
        own = own_book(book, read(book, source, limits))
        yield SourceBook(_entries(own.entries), PACKAGE_PATH, own.paths, own.documents, None)
        return
    with Archive(source, limits) as archive:
        package = load_package(archive)
        changed = upgraded(archive, package.path, read_toc(archive, package))
        yield SourceBook(
            _entries(changed, archive),
            package.path,
            tuple(
                tuple(
                    "" if chapter.is_credits else block.where.partition("#")[0]
                    for block in chapter.blocks
                )
                for chapter in book.chapters
            ),
            tuple(_documents(package)),
            StyleSheets(archive),
        )


def _documents(package: Package) -> Iterator[str]:
    for item in dict.fromkeys((*package.spine, *package.non_linear)):
        is_shown = item.media_type in READABLE_TYPES and item != package.nav
        if is_shown and item.path is not None:
            yield item.path


def _entries(made: Mapping[str, bytes], archive: Archive | None = None) -> EpubEntries:
    """What was made, and all else of an archive."""

    def read(name: str) -> bytes:
        return archive.read(name) if archive and name not in made else made[name]

    def content(name: str) -> bytes | PackedEntry:
        packed = archive.read_packed(name) if archive and name not in made else None
        return packed or read(name)

    def find(path: str) -> str:
        return path if path in made else (archive.find(path) or "") if archive and path else ""

    names = (*(archive.names if archive else ()), *made)
    return EpubEntries(tuple(dict.fromkeys(names)), read, content, find)
