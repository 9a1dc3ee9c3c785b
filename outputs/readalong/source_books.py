"""The book that a read-along is made of, as an EPUB 3: the source itself, or one of our own.

EPUB 3                       its own entries
EPUB 2, or broken documents  the same, with what upgrade.py makes of them
Markdown, web page, text     what own_book.py makes of the book that was read
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import load_package
from audiomill.inputs.epub.toc import read_toc
from audiomill.inputs.model.book import Book, Limits
from audiomill.outputs.readalong.own_book import PACKAGE_PATH, own_book
from audiomill.outputs.readalong.upgrade import upgraded


class EpubEntries(Protocol):
    """The entries of an EPUB."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all entries, in order."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of an entry. Raises SourceError."""
        ...


@dataclass(frozen=True, slots=True)
class SourceBook:
    """An EPUB 3 of a book, and the path of the document of each of its chapters' blocks.

    A block that is in no document, such as one of opening credits, has the path "".
    """

    entries: EpubEntries
    package: str  # the path of the package document
    paths: tuple[tuple[str, ...], ...]  # by chapter and block


@dataclass(frozen=True, slots=True)
class _ChangedEntries:
    """An archive of which some entries are other ones, or new."""

    archive: Archive
    changed: Mapping[str, bytes]

    @property
    def names(self) -> Sequence[str]:
        """The names of all entries."""
        return list(dict.fromkeys((*self.archive.names, *self.changed)))

    def read(self, name: str) -> bytes:
        """The bytes of an entry."""
        changed = self.changed.get(name)
        return self.archive.read(name) if changed is None else changed


@dataclass(frozen=True, slots=True)
class _OwnEntries:
    """The entries of an EPUB of our own."""

    entries: Mapping[str, bytes]

    @property
    def names(self) -> Sequence[str]:
        """The names of all entries."""
        return list(self.entries)

    def read(self, name: str) -> bytes:
        """The bytes of an entry."""
        return self.entries[name]


@contextmanager
def open_source_book(book: Book, source: Path, limits: Limits) -> Generator[SourceBook]:
    """The EPUB 3 of a book that was read from a file, which stays open. Raises SourceError."""
    if not book.is_publication:
        own = own_book(book)
        pairs = zip(book.chapters, own.documents, strict=True)
        paths = tuple((path,) * len(chapter.blocks) for chapter, path in pairs)
        yield SourceBook(_OwnEntries(own.entries), PACKAGE_PATH, paths)
        return
    with Archive(source, limits) as archive:
        package = load_package(archive)
        changed = upgraded(archive, package.path, read_toc(archive, package))
        yield SourceBook(
            _ChangedEntries(archive, changed),
            package.path,
            tuple(
                tuple(
                    "" if chapter.is_credits else block.where.partition("#")[0]
                    for block in chapter.blocks
                )
                for chapter in book.chapters
            ),
        )
