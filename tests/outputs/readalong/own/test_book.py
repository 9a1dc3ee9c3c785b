"""A book of our own is read back as it was, and each page has the letters of its blocks."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.epub.reader import read
from audiomill.inputs.metadata.covers import fit_cover
from audiomill.inputs.model.book import (
    Block,
    BlockKind,
    Book,
    Chapter,
    ForeignPassage,
    Limits,
    Series,
    Table,
)
from audiomill.inputs.reading.choices import Reading
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.outputs.readalong.own.book import own_book
from support.case_files import each_row
from support.examples import few_examples
from support.signals_data import png_cover

XHTML = "{http://www.w3.org/1999/xhtml}"
NAMES = {
    "x": "http://www.w3.org/1999/xhtml",
    "epub": "http://www.idpf.org/2007/ops",
    "opf": "http://www.idpf.org/2007/opf",
    "dc": "http://purl.org/dc/elements/1.1/",
}
EVERYTHING = ReadingRules(Reading(images="speak", notes="mark"))
K = BlockKind
EVIL = ("<&]]>", "]]>", "<script>", "&amp;", "\"'", "\0\x1b\x85", "\ud800", "\uffff", "\ufeff")
ANYTHING = st.lists(st.one_of(st.sampled_from(EVIL), st.text(max_size=9))).map("".join)
WORDS = ("mill", "<sea>", "&", "night", "wind’s", "the", "über", "水車", "שלום")
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=3, max_size=9).map(
    lambda words: f"Once {' '.join(words)}."
)


def book_of(*chapters: Chapter, **fields) -> Book:
    """A book with these chapters."""
    known = {"title": "The Mill", "authors": ("Ann Ode",), "language": "en", "source_id": "0" * 64}
    return Book(**{**known, "chapters": chapters, **fields})


def chapter_of(*blocks: Block, title: str = "The Sea", **fields) -> Chapter:
    return Chapter(title, blocks, **fields)


def paragraph(text: str, **fields) -> Block:
    return Block(K.PARAGRAPH, text, **fields)


def read_back(book: Book, folder: Path) -> Book:
    """The book as the reader of EPUBs reads it."""
    path = folder / "own.epub"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in own_book(book).entries.items():
            archive.writestr(name, data)
    return read(path, Limits(), EVERYTHING)


def entry(book: Book, name: str) -> etree._Element:
    return etree.fromstring(own_book(book).entries[f"EPUB/{name}"])


def section_of(data: bytes) -> etree._Element:
    """The part of a chapter's page with its blocks."""
    (section,) = etree.fromstring(data).xpath("x:body/x:section", namespaces=NAMES)
    return section


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def letters_of(blocks) -> str:
    return "".join(letters(block.text) for block in blocks)


@st.composite
def blocks(draw, kinds, texts) -> Block:
    """A block of one of the kinds, perhaps in another language, with a foreign passage."""
    kind = draw(st.sampled_from(kinds))
    rows = draw(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
    separator = "\n" if kind in {K.VERSE, K.CODE, K.TABLE} else " "
    text = separator.join("; ".join(filter(None, row)) for row in rows)
    ends = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    passage = (ForeignPassage(*ends, draw(st.sampled_from(["de", "he"]))),)
    cells = Table(tuple(rows), has_header=draw(st.booleans()), has_spans=draw(st.booleans()))
    return Block(
        kind,
        text,
        language=draw(st.sampled_from([None, None, "fr", "ar"])),
        level=draw(st.integers(1, 4)) if kind in {K.HEADING, K.LIST_ITEM} else 0,
        passages=draw(st.sampled_from([(), passage])),
        table=cells if kind is K.TABLE and draw(st.booleans()) else None,
    )


@st.composite
def books(draw, kinds, texts) -> Book:
    """A book of drawn blocks, whose chapters stand in each other."""
    above: list[str] = []  # the titles of the chapters that are open
    chapters = []
    for number in range(draw(st.integers(1, 4))):
        parts = tuple(above[: draw(st.integers(0, 2))])
        title = f"Tower {number}"
        above[len(parts) :] = [title]
        drawn = draw(st.lists(blocks(kinds, texts), max_size=4))
        chapters.append(Chapter(title, tuple(drawn), len(parts) + 1, parts))
    return book_of(*chapters)


TAME = [kind for kind in K if kind not in {K.NOTE, K.SCENE_BREAK, K.HEADING}]


@few_examples(25)
@given(books(TAME, SENTENCES), st.sampled_from(["en", "ar", "ja", "de-AT"]))
def test_a_book_is_read_back(tmp_path_factory, book, language):
    first = paragraph("Here it begins, with words.")
    chapters = (replace(one, blocks=(first, *one.blocks)) for one in book.chapters)
    book = replace(book, chapters=tuple(chapters), language=language)
    found = read_back(book, tmp_path_factory.getbasetemp())
    assert (found.title, found.authors, found.language) == (book.title, book.authors, language)
    assert not found.warnings
    for one, expected in zip(found.chapters, book.chapters, strict=True):
        assert (one.title, one.level, one.parts) == (expected.title, expected.level, expected.parts)
        heading, *rest = one.blocks
        assert (heading.kind, heading.text) == (K.HEADING, expected.title)
        assert letters_of(rest) == letters_of(expected.blocks)


@few_examples(40)
@given(books(list(K), ANYTHING), ANYTHING)
def test_a_page_has_the_letters_of_its_blocks_in_order_and_no_others(book, title):
    chapters = (*book.chapters, Chapter(title, (), parts=(title,)))
    book = replace(book, title=title, authors=(title,), chapters=chapters)
    made = own_book(book)
    assert made == own_book(book)
    assert [*made.entries][:3] == ["mimetype", "META-INF/container.xml", "EPUB/package.opf"]
    for path, one in zip(made.documents, book.chapters, strict=True):
        section = section_of(made.entries[path])
        for header in section.findall(f"{XHTML}header"):
            section.remove(header)
        assert letters("".join(section.itertext())) == letters_of(one.blocks)


HEADER = "<header><h2>The Sea</h2></header>"


@pytest.mark.parametrize(
    ("chapter", "header"),
    [
        (chapter_of(paragraph("It rained."), level=2), HEADER),
        (
            chapter_of(paragraph("It rained."), Block(K.HEADING, "The Sea", level=3), level=2),
            HEADER,
        ),
        (chapter_of(Block(K.SCENE_BREAK, "*"), Block(K.HEADING, "One", level=1), level=2), ""),
        (chapter_of(paragraph("The sea was calm."), title="The sea…", level=2), ""),
        (chapter_of(paragraph("The Mill, by Ann Ode"), is_credits=True), ""),
        (chapter_of(paragraph("It rained."), title=" "), ""),
    ],
)
def test_a_title_that_no_block_says_stands_in_a_header(chapter, header):
    made = own_book(book_of(chapter))
    assert made.entries[made.documents[0]].count(b"<header>") == bool(header)
    assert header.encode() in made.entries[made.documents[0]]


def test_the_contents_show_parts_and_what_stands_in_them():
    book = book_of(
        chapter_of(title="Opening credits", is_credits=True),
        chapter_of(title="Part One: The Sea", level=2, parts=("Part One",)),
        chapter_of(title="The Hill", level=2, parts=("Part One",)),
        chapter_of(title="A Path", level=3),  # inside of which parts, is not known
        chapter_of(title="Part Two", level=1),
        chapter_of(title="", level=2, parts=("Part Two",)),
    )
    contents, landmarks = entry(book, "nav.xhtml").findall(f".//{XHTML}nav")
    assert [
        (len(item.xpath("ancestor::x:ol", namespaces=NAMES)), item[0].text, item[0].get("href"))
        for item in contents.iter(f"{XHTML}li")
    ] == [
        (1, "Opening credits", "chapter-1.xhtml"),
        (1, "Part One", None),
        (2, "The Sea", "chapter-2.xhtml"),
        (2, "The Hill", "chapter-3.xhtml"),
        (3, "A Path", "chapter-4.xhtml"),
        (1, "Part Two", "chapter-5.xhtml"),
        (2, "6", "chapter-6.xhtml"),
    ]
    assert landmarks.xpath(".//@href") == ["title.xhtml", "chapter-1.xhtml"]


@pytest.mark.parametrize(
    ("language", "direction"),
    [("ar", "rtl"), ("fa-IR", "rtl"), ("az-Arab", "rtl"), ("ar-Latn", None), ("en", None)],
)
def test_pages_run_in_the_direction_of_the_language(language, direction):
    book = book_of(chapter_of(paragraph("Words.")), language=language)
    for name in ("nav.xhtml", "title.xhtml", "chapter-1.xhtml"):
        root = entry(book, name)
        assert (root.get("lang"), root.get("dir")) == (language, direction)
    (spine,) = entry(book, "package.opf").findall("opf:spine", NAMES)
    assert spine.get("page-progression-direction") == (direction or "ltr")


DESCRIBED = book_of(
    chapter_of(paragraph("Words.")),
    authors=("Ann Ode", "Bo Li"),
    author_sort="Ode, Ann & Li, Bo",
    title_sort="Mill, The",
    subtitle="A Tale <of Wind>",
    translators=("Cy Ray",),
    narrators=("Di Sun",),
    date="2026-11-21",
    publisher="Ode & Li",
    description="First.\nSecond & last.",
    identifier="urn:uuid:6f2d0a8e-3c57-4b1e-9a44-1d0c5e7b9f21",
    rights="All of them",
    subjects=("Mills", "Sea"),
    series="Towers",
    series_index="1.5",
    more_series=(Series("Winds"), Series("Seas", "2")),
)


def test_the_description_is_read_back(tmp_path):
    book = replace(DESCRIBED, cover=fit_cover(png_cover().data).cover)
    found = read_back(book, tmp_path)
    fields = ("title", "authors", "author_sort", "title_sort", "subtitle", "translators")
    fields += ("narrators", "date", "publisher", "identifier", "rights", "subjects", "cover")
    fields += ("series", "series_index", "more_series")
    assert {one: getattr(found, one) for one in fields} == {
        one: getattr(book, one) for one in fields
    }
    assert found.description.split() == book.description.split()
    assert b'src="cover.png"' in own_book(book).entries["EPUB/title.xhtml"]
    marked = entry(book, "package.opf").xpath("//*[@properties='cover-image']/@href")
    assert marked == ["cover.png"]


@each_row
def test_a_book_is_as_old_as_its_date(date, shown, modified):
    package = entry(replace(DESCRIBED, date=date), "package.opf")
    assert package.xpath("//dc:date/text()", namespaces=NAMES) == shown
    found = package.xpath("//*[@property='dcterms:modified']/text()")
    assert found == [f"{modified}T00:00:00Z"]


UUID = "urn:uuid:2107aa56-a035-5459-bc57-1d1837f059d4"


@each_row
def test_the_identifier_is_that_of_the_source_or_made_of_it(identifier, isbn, identifiers):
    package = entry(replace(DESCRIBED, identifier=identifier, isbn=isbn), "package.opf")
    assert package.xpath("//dc:identifier/text()", namespaces=NAMES) == identifiers
