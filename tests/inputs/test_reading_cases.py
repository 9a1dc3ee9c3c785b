"""What comes of sources that are read: files of cases, a folder for each reader."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from audiomill.inputs.chapters.reading_choices import Reading
from audiomill.inputs.chapters.reading_rules import ReadingRules
from audiomill.inputs.epub import reader as epub
from audiomill.inputs.markdown import reader as markdown
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.model.book import Book, Limits, SourceError
from audiomill.inputs.readers import html
from audiomill.inputs.readers import text as plaintext
from audiomill.inputs.readers.sources import read_book
from support.book_lines import book_lines, document_lines, listing_of
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
    **epub: Any,
) -> list[str]:
    """What is read from such a file, or why it is not. `reading`: what the user has chosen."""
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
    except SourceError as error:
        return [f"{type(error).__name__}: {error}".replace(str(path), path.name)]
    title = "The Mill" if is_epub else usual_name.partition(".")[0].replace("-", " ")
    usual = Book(title, (), "en", (), "", is_publication=is_epub)
    if epub and book.chapters == epub_chapters(folder):
        return ["its three chapters", *book_lines(replace(book, chapters=()), usual)]
    return book_lines(book, usual)


def epub_chapters(folder: Path) -> tuple[object, ...]:
    return epub.read(three_chapters().write(folder), Limits()).chapters


ANSWERS = {"listings": listing_of, "markup": blocks_of}


@pytest.mark.parametrize("name", FILES)
def test_each_source_is_read_as_its_case_tells(name: str, tmp_path: Path) -> None:
    kind = name.partition("/")[0]
    answer = ANSWERS.get(kind) or partial(book_of, kind, tmp_path)
    assert_cases(CASES / name, answer)
