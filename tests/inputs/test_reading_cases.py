"""What comes of sources that are read: files of cases, a folder for each reader."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from audiomill.inputs.articles import html
from audiomill.inputs.articles.entries import Entry
from audiomill.inputs.articles.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.epub import reader as epub
from audiomill.inputs.markdown import reader as markdown
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.metadata.credits import Credits, with_credits
from audiomill.inputs.model.book import Book, Limits, SourceError
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import Reading
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.inputs.text import reader as plaintext
from support.book_lines import block_lines, book_lines, shown, skipped_lines
from support.case_files import assert_cases
from support.epub_data import three_chapters, told_epub

CASES = Path(__file__).with_name("cases")
FILES = sorted(file.relative_to(CASES).as_posix() for file in CASES.glob("*/*.txt"))
PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    ' xmlns:ssml="http://www.w3.org/2001/10/synthesis"><body>{}</body></html>'
)
READERS = {
    "books": (read_book, "a-book.txt"),
    "epub": (epub.read, "the-mill.epub"),
    "html": (html.read, "a-page.html"),
    "markdown": (markdown.read, "a-book.md"),
    "plaintext": (plaintext.read, "a-book.txt"),
}


def blocks_of(body: str, language: str | None = None) -> list[str]:
    """The blocks of a page with such a body, or of a whole page."""
    page = body if body.startswith("<html") else PAGE.format(body)
    root = parse_xhtml(page.encode())
    return document_lines(to_blocks(body_of(root), where="x", language=language))


def book_of(
    kind: str,
    folder: Path,
    text: str,
    file: str = "",
    reading: Mapping[str, Any] | None = None,
    has_credits: bool = False,
    **epub: Any,
) -> list[str]:
    """What is read from such a file, or why it is not. `reading`: what the user has chosen.

    With `has_credits` the book has its opening and closing ones.
    """
    reader, usual_name = READERS[kind]
    path = folder / (file or usual_name)
    is_epub = path.suffix == ".epub"
    if is_epub:
        path.write_bytes(told_epub(text, **epub).build())
    else:
        path.write_text(text, encoding="utf-8", newline="")
    try:
        rules = [ReadingRules(Reading(**reading))] if reading else []
        book = reader(path, Limits(), *rules)
        book = with_credits(book, Credits(enabled=True)) if has_credits else book
    except SourceError as error:
        return [f"{type(error).__name__}: {error}".replace(str(path), path.name)]
    title = "The Mill" if is_epub else usual_name.partition(".")[0].replace("-", " ")
    usual = Book(title, (), "en", (), "", is_publication=is_epub)
    if epub and book.chapters == epub_chapters(folder):
        return ["its three chapters", *book_lines(replace(book, chapters=()), usual)]
    return book_lines(book, usual)


def epub_chapters(folder: Path) -> tuple[object, ...]:
    return epub.read(three_chapters().write(folder), Limits()).chapters


def document_lines(document: DocumentBlocks) -> list[str]:
    """The blocks of a page with their ids and links, and what is not spoken."""
    lines: list[str] = []
    for one in document.blocks:
        lines += block_lines(one.block)
        lines += [f"  ids: {' '.join(one.ids)}"] if one.ids else []
        lines += [f"  opened by: {one.opening_link}"] if one.opening_link else []
        lines += [f"  links to notes: {' '.join(one.note_links)}"] if one.note_links else []
        lines += [f"  with {line}" for note in one.notes for line in block_lines(note)]
    lines += skipped_lines(document.skipped)
    lines += [f"ids at the end: {' '.join(document.end_ids)}"] if document.end_ids else []
    links = document.note_links
    return [*lines, *([f"links to notes: {' '.join(links)}"] if links else [])]


def listing_of(text: str, url: str, media_type: str = "") -> list[str]:
    """Of a text that was fetched from `url`, or why it is no listing."""
    try:
        listing = parse_listing(Fetched(url, text.encode(), media_type, ""))
    except SourceError as error:
        return [f"{type(error).__name__}: {error}"]
    return [
        *([f"title: {shown(listing.title)}"] if listing.title else []),
        *(line for entry in listing.entries for line in entry_lines(entry)),
        *(f"further: {one}" for one in listing.further),
        *(f"warning: {shown(one)}" for one in listing.warnings),
    ]


def entry_lines(entry: Entry) -> list[str]:
    """The address of an article, and what else is told of it."""
    told = {
        "id": entry.id if entry.id != entry.url else "",
        "title": entry.title,
        "authors": entry.authors,
        "published": entry.published and entry.published.isoformat(),
        "updated": entry.updated and entry.updated.isoformat(),
        "summary": entry.summary,
        "content": entry.content,
        "language": entry.language,
    }
    return [entry.url, *(f"  {name}: {shown(value)}" for name, value in told.items() if value)]


ANSWERS = {"listings": listing_of, "markup": blocks_of}


@pytest.mark.parametrize("name", FILES)
def test_each_source_is_read_as_its_case_tells(name, tmp_path):
    kind = name.partition("/")[0]
    answer = ANSWERS.get(kind) or partial(book_of, kind, tmp_path)
    assert_cases(CASES / name, answer)
