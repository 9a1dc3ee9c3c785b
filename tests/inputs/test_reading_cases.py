"""What comes of sources that are read: files of cases, a folder for each reader."""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from hashlib import sha256
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
from audiomill.inputs.model.book import Block, Book, Chapter, Limits, Skipped, SourceError
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import Reading
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.inputs.text import reader as plaintext
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
# Of a book, told by lines of their own, or not told: a digest, places and counts.
_APART = ("chapters", "skipped", "cover", "source_id", "language_source", "printed", "warnings")


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


def book_lines(book: Book, usual: Book) -> list[str]:
    """What the book is where it is not as usual, its chapters, and what is not spoken."""
    told = {one.name: getattr(book, one.name) for one in fields(Book) if one.name not in _APART}
    lines = [
        f"{name}: {shown(value)}" for name, value in told.items() if value != getattr(usual, name)
    ]
    if book.cover:
        digest = sha256(book.cover.data).hexdigest()[:12]
        lines.append(f"cover: {book.cover.media_type} {digest}")
    for chapter in book.chapters:
        is_whole = chapter == Chapter(book.title, chapter.blocks) and len(book.chapters) == 1
        lines += [] if is_whole else [_chapter_line(chapter)]
        lines += [line for block in chapter.blocks for line in block_lines(block)]
    lines += skipped_lines(book.skipped, with_places=book.is_publication)
    return [*lines, *(f"warning: {shown(one)}" for one in book.warnings)]


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


def block_lines(block: Block) -> list[str]:
    """A block: its kind with level and language, its text, and what is marked in it."""
    level = f" {block.level}" if block.level else ""
    language = f" in {block.language}" if block.language else ""
    text = f": {shown(block.text)}" if block.text else ""
    return [f"{block.kind}{level}{language}{text}", *_marked_lines(block), *_cell_lines(block)]


def _marked_lines(block: Block) -> list[str]:
    marked = [
        *((one.start, one.end, f"in {one.language}") for one in block.passages),
        *((one.start, one.end, f"said {one.phonemes}") for one in block.pronunciations),
        *((start, end, "Roman numeral") for start, end in block.numerals),
    ]
    return [f"  {name} from {start}: {shown(block.text[start:end])}" for start, end, name in marked]


def _cell_lines(block: Block) -> list[str]:
    if block.table is None:
        return []
    told = ["with a header"] * block.table.has_header + ["with spans"] * block.table.has_spans
    rows = [" | ".join(map(shown, row)) for row in block.table.rows]
    return [f"  cells{''.join(f' {one}' for one in told)}: {' ⏎ '.join(rows)}"]


def skipped_lines(skipped: tuple[Skipped, ...], *, with_places: bool = False) -> list[str]:
    """What is not spoken, and why."""
    return [
        f"not spoken, {one.reason}{f' at {one.where}' if with_places else ''}: {shown(one.text)}"
        for one in skipped
    ]


def _chapter_line(chapter: Chapter) -> str:
    within = f" in {' / '.join(chapter.parts)}" if chapter.parts else ""
    return f"chapter {chapter.level}{within}: {shown(chapter.title)}"


def shown(value: Any) -> str:
    """A text as it stands, with signs for what would not be seen; others as Python writes them."""
    if isinstance(value, tuple) and value and all(isinstance(one, str) for one in value):
        value = "; ".join(value)
    text = value if isinstance(value, str) else repr(value)
    return "".join(_seen(character) for character in text.replace("\n", "⏎"))


def _seen(character: str) -> str:
    is_seen = character == " " or character.isprintable()
    return character if is_seen else f"{{U+{ord(character):04X}}}"


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
