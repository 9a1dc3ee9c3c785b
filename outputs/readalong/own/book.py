"""Makes an EPUB 3 of a book whose source is none: its entries, so far without audio. Pure.

    mimetype, META-INF/container.xml
    EPUB/package.opf     description, files, reading order      package
    EPUB/nav.xhtml       contents and landmarks                 documents
    EPUB/title.xhtml     cover, title, authors                  documents
    EPUB/chapter-1.xhtml ...                                    documents, text, blocks
    EPUB/book.css, EPUB/cover.jpg, EPUB/pictures/0001.png ...

The same book gives the same bytes. Source: EPUB 3.3 (w3.org/TR/epub-33).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.epub.opf_repair import XHTML_TYPE
from audiomill.inputs.epub.package import CONTAINER, MIMETYPE
from audiomill.inputs.model.book import Book, Cover
from audiomill.outputs.pages.html_tree import text_beside
from audiomill.outputs.readalong.documents.xml import STYLE_NAME, container, known_tag, xml_bytes
from audiomill.outputs.readalong.own.documents import (
    chapter_document,
    navigation_document,
    title_document,
)
from audiomill.outputs.readalong.own.package import PackageFile, package_document
from audiomill.outputs.readalong.own.source_page import PICTURE_TYPES, PICTURES
from audiomill.outputs.readalong.own.text import OwnText, lead_links
from audiomill.outputs.text import line

FOLDER = "EPUB"
PACKAGE_PATH = f"{FOLDER}/package.opf"
_NAV_NAME, _TITLE_NAME = "nav.xhtml", "title.xhtml"
_NO_WORDS = b' alt=""'
_FOREIGN = {"mathml": b"<math ", "svg": b"<svg "}  # each declares its namespace
_COVER_NAMES = {"image/jpeg": "cover.jpg", "image/png": "cover.png"}


@dataclass(frozen=True, slots=True)
class OwnBook:
    """The entries of an EPUB by their paths, in the order in which they are to be written.

    `documents` are the paths of the chapters' pages, by the index of the chapter. On a page that is
    made of blocks, all text in the body is theirs, in order, but for what is in `<header>`.
    `paths` are those of the pages of the blocks, by chapter and block.
    """

    entries: dict[str, bytes]
    documents: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]


def own_book(book: Book, text: OwnText | None = None) -> OwnBook:
    """The EPUB of a book that has chapters, with the markup of its source as far as it has any."""
    names = _chapter_names(book)
    pages = _chapter_pages(len(names))
    text = text or OwnText.without_markup(book)
    contents = _contents(book, names, pages, text)
    files = _files(book.cover, pages, contents)
    entries = {
        "mimetype": MIMETYPE,
        CONTAINER: xml_bytes(container(PACKAGE_PATH)),
        PACKAGE_PATH: package_document(
            book,
            known_tag(book.language),
            files,
            has_words=not any(_NO_WORDS in contents[page] for page in pages),
        ),
        **{f"{FOLDER}/{file.name}": contents[file.name] for file in files},
    }
    documents = tuple(f"{FOLDER}/{name}" for name in pages)
    paths = tuple(tuple(documents[at] for at in chapter) for chapter in text.pages)
    return OwnBook(entries, documents, paths)


def _chapter_names(book: Book) -> list[str]:
    """The titles as the contents show them: none is empty."""
    return [line(one.title) or str(number) for number, one in enumerate(book.chapters, 1)]


def _chapter_pages(n_chapters: int) -> list[str]:
    width = len(str(n_chapters))
    return [f"chapter-{number:0{width}d}.xhtml" for number in range(1, n_chapters + 1)]


def _contents(book: Book, names: list[str], pages: list[str], text: OwnText) -> Mapping[str, bytes]:
    """The content of each file beside the package document, by its name."""
    language = known_tag(book.language)
    cover = _cover_name(book.cover)
    lead_links({pages[at]: elements for at, elements in text.chapters.items()})
    chapters = {
        page: chapter_document(chapter, language, name, text.chapters.get(at))
        for at, (page, chapter, name) in enumerate(zip(pages, book.chapters, names, strict=True))
    }
    return {
        _NAV_NAME: navigation_document(book, language, names, pages, _TITLE_NAME),
        _TITLE_NAME: title_document(book, language, cover),
        **chapters,
        STYLE_NAME: _style(),
        **({cover: book.cover.data} if book.cover else {}),
        **text.pictures,
    }


def _files(
    cover: Cover | None, pages: list[str], contents: Mapping[str, bytes]
) -> list[PackageFile]:
    """The files for the manifest; `contents` also has the pictures."""
    return [
        PackageFile("nav", _NAV_NAME, XHTML_TYPE, "nav"),
        PackageFile("title-page", _TITLE_NAME, XHTML_TYPE, is_page=True),
        *(_page_file(name, contents[name]) for name in pages),
        PackageFile("style", STYLE_NAME, "text/css"),
        *_cover_file(cover),
        *(_picture_file(name) for name in contents if name.startswith(f"{PICTURES}/")),
    ]


def _page_file(name: str, content: bytes) -> PackageFile:
    properties = " ".join(kind for kind in ("mathml", "svg") if _FOREIGN[kind] in content)
    return PackageFile(Path(name).stem, name, XHTML_TYPE, properties, is_page=True)


def _picture_file(name: str) -> PackageFile:
    path = Path(name)
    return PackageFile(f"picture-{path.stem}", name, PICTURE_TYPES[path.suffix])


def _cover_file(cover: Cover | None) -> Iterator[PackageFile]:
    if cover:
        yield PackageFile("cover", _cover_name(cover), cover.media_type, "cover-image")


def _cover_name(cover: Cover | None) -> str:
    return _COVER_NAMES[cover.media_type] if cover else ""


def _style() -> bytes:
    return text_beside(__file__, "book.css").encode()
