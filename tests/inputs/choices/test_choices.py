"""What the settings and presets have read, in books of every format."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.choices.reading import PRESETS, Reading, ReadingSettings
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.markup.pictures import is_placeholder
from audiomill.inputs.model.book import BlockKind, Book, Limits, SkipReason
from audiomill.inputs.reading import read_book
from support.epub_data import page, three_chapters
from support.reading_data import skipped, texts

TABLE = (
    "<table><tr><th>Part</th><th>Price</th></tr>"
    "<tr><td>Sail</td><td>9</td></tr><tr><td></td><td>3</td></tr></table>"
)


def read(path: Path, **choices: str) -> Book:
    return read_book(path, Limits(), ReadingRules(Reading(**choices)))


@pytest.fixture
def epub(tmp_path):
    """Writes a book of two chapters, of which the first has this body."""

    def write(body: str, language: str = "en") -> Path:
        pages = {"ch1.xhtml": page(body), "ch2.xhtml": page("<h1>Two</h1><p>End.</p>")}
        title = f"<dc:title>The Mill</dc:title><dc:language>{language}</dc:language>"
        return three_chapters(pages=pages, nav="", ncx="", metadata=title).write(tmp_path)

    return write


def test_a_preset_is_what_the_settings_do_not_say() -> None:
    assert ReadingSettings().reading() == Reading() == PRESETS["essential"]
    assert ReadingSettings(preset="everything").reading() == PRESETS["everything"]
    chosen = ReadingSettings(preset="everything", code="skip", captions="skip").reading()
    assert (chosen.code, chosen.captions, chosen.index) == ("skip", "skip", "speak")
    names = [one.name for one in fields(ReadingSettings) if one.name != "preset"]
    assert names == [one.name for one in fields(Reading)]


@pytest.mark.parametrize(
    ("form", "spoken"),
    [
        ("rows", ["Part; Price\nSail; 9\n3"]),
        ("headers", ["Part: Sail; Price: 9\nPart: empty; Price: 3"]),
        ("summary", ["Table, rows: 2, columns: 2: Part; Price."]),
        ("skip", []),
    ],
)
def test_a_table_is_read_as_chosen(epub, form: str, spoken: list[str]) -> None:
    book = read(epub(f"<h1>One</h1>{TABLE}"), tables=form)
    assert texts(book) == ["One", *spoken, "Two", "End."]
    listed = ["Part; Price\nSail; 9\n3"] if form in {"summary", "skip"} else []
    assert skipped(book, SkipReason.TABLE) == listed


@pytest.mark.parametrize(
    ("table", "spoken"),
    [
        ("<table><tr><td>a</td><td></td></tr></table>", "a; empty"),
        ("<table><tr><th colspan='2'>a</th></tr><tr><td>b</td><td>c</td></tr></table>", "a\nb; c"),
        ("<table><tr><th>a</th><th></th></tr><tr><td>b</td><td>c</td></tr></table>", "a: b; c"),
    ],
)
def test_headers_that_are_not_known_are_not_invented(epub, table: str, spoken: str) -> None:
    book = read(epub(f"<h1>One</h1>{table}"), tables="headers")
    assert texts(book, BlockKind.TABLE) == [spoken]


def test_the_words_of_a_table_are_in_its_language(epub) -> None:
    path = epub(f"<h1>Eins</h1>{TABLE}", "de-AT")
    assert texts(read(path, tables="headers"))[1].endswith("Part: leer; Price: 3")
    assert texts(read(epub(f"<h1>一</h1>{TABLE}", "ja"), tables="summary"))[1].startswith("Part;")


@pytest.mark.parametrize(
    ("form", "spoken", "listed"),
    [
        ("announce", ["Code."], ["go()\nstop()"]),
        ("speak", ["go()\nstop()"], []),
        ("skip", [], ["go()\nstop()"]),
    ],
)
def test_code_is_read_as_chosen(
    tmp_path: Path, form: str, spoken: list[str], listed: list[str]
) -> None:
    path = tmp_path / "book.md"
    path.write_text("# One\n\n```\ngo()\nstop()\n```\n")
    book = read(path, code=form)
    assert texts(book) == ["One", *spoken]
    assert skipped(book, SkipReason.CODE) == listed


FIGURE = "<p>Text.</p><figure><img src='x.png' alt='{}'/><figcaption>{}</figcaption></figure>"


@pytest.mark.parametrize(
    ("alt", "caption", "spoken"),
    [
        ("A ship at sea", "By Anna", ["Image: A ship at sea", "By Anna"]),
        ("A ship at sea", "A ship at sea, by Anna", ["A ship at sea, by Anna"]),
        ("img_0234", "By Anna", ["By Anna"]),
    ],
)
def test_descriptions_of_pictures_are_read_once(
    epub, alt: str, caption: str, spoken: list[str]
) -> None:
    path = epub("<h1>One</h1>" + FIGURE.format(alt, caption))
    assert texts(read(path, images="speak"))[2:-2] == spoken
    assert texts(read(path))[2:-2] == [caption]
    assert skipped(read(path)) == [alt]
    listed = skipped(read(path, images="speak"))
    assert listed == ([] if "Image: " in spoken[0] else [alt])


def test_captions_can_be_left_out(epub) -> None:
    book = read(epub("<h1>One</h1>" + FIGURE.format("", "By Anna")), captions="skip")
    assert texts(book) == ["One", "Text.", "Two", "End."]
    assert skipped(book, SkipReason.CAPTION) == ["By Anna"]


def test_a_picture_in_a_line_is_described_after_it(epub) -> None:
    path = epub("<h1>One</h1><p>A <img src='s.png' alt='red sail'/> sail.</p><p>More.</p>")
    spoken = texts(read(path, images="speak"))
    assert spoken[1:4] == ["A sail.", "Image: red sail", "More."]


def test_a_heading_that_is_a_picture_is_read(epub) -> None:
    book = read(epub("<h1><img src='one.png' alt='Chapter One'/></h1><p>Text.</p>"))
    assert texts(book)[:2] == ["Chapter One", "Text."]
    assert book.chapters[0].blocks[0].kind is BlockKind.HEADING
    assert skipped(book) == []


def test_the_title_of_a_drawing_is_its_description_and_its_style_is_no_text(epub) -> None:
    drawing = (
        "<svg xmlns='http://www.w3.org/2000/svg'><title>A sail</title><desc>Of red cloth</desc>"
        "<style>.a { fill: red }</style><path d='M0 0'/></svg>"
    )
    path = epub(f"<h1>One</h1><p>Text.</p>{drawing}")
    assert skipped(read(path)) == ["A sail", "Of red cloth"]
    spoken = texts(read(path, images="speak"))
    assert spoken[2:4] == ["Image: A sail", "Image: Of red cloth"]


@pytest.mark.parametrize(
    "text",
    [
        *("image", "Image 3", "cover.jpg", "img_0234", "IMG-0234.JPG", "Figure IV", "1", "***"),
        *("Cover image", "Abbildung 2", "Couverture", "DSC01234", "…"),
    ],
)
def test_a_text_that_describes_nothing_is_a_placeholder(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize("text", ["A ship", "The map of Rome", "Mix", "Civil", "image of a mill"])
def test_a_description_is_no_placeholder(text: str) -> None:
    assert not is_placeholder(text)


NOTES = (
    "<h1>One</h1><p>A sail<a epub:type='noteref' href='#n1'>1</a> tore.</p><p>It was mended.</p>"
    "<aside epub:type='footnote' id='n1'><p>Of red cloth.</p><p>From the fair.</p></aside>"
)


@pytest.mark.parametrize(
    ("choice", "spoken"),
    [
        ("skip", ["One", "A sail tore.", "It was mended."]),
        (
            "mark",
            ["One", "A sail tore.", "Note: Of red cloth. From the fair.", "It was mended."],
        ),
        (
            "chapter",
            ["One", "A sail tore.", "It was mended.", "Note: Of red cloth. From the fair."],
        ),
    ],
)
def test_notes_are_read_as_chosen(epub, choice: str, spoken: list[str]) -> None:
    book = read(epub(NOTES), notes=choice)
    assert texts(book) == [*spoken, "Two", "End."]
    listed = ["Of red cloth. From the fair."] if choice == "skip" else []
    assert skipped(book, SkipReason.NOTE) == listed


def test_endnotes_of_a_page_of_their_own_are_read_in_their_chapters(tmp_path: Path) -> None:
    def chapter(number: int) -> str:
        mark = f"<a epub:type='noteref' href='notes.xhtml#n{number}'>{number}</a>"
        return page(f"<h1>Chapter {number}</h1><p>Text{mark}.</p>")

    items = "".join(f"<li id='n{n}'><p>About {n}.</p></li>" for n in (1, 2, 3))
    notes = page(f"<section epub:type='endnotes'><h1>Notes</h1><ol>{items}</ol></section>")
    pages = {"a.xhtml": chapter(1), "b.xhtml": chapter(2), "notes.xhtml": notes}
    path = three_chapters(pages=pages, nav="", ncx="").write(tmp_path)
    book = read(path, notes="chapter")
    assert [[block.text for block in one.blocks] for one in book.chapters] == [
        ["Chapter 1", "Text.", "Note: About 1."],
        ["Chapter 2", "Text.", "Note: About 2."],
    ]
    assert skipped(book, SkipReason.NOTE) == ["Notes", "About 3."]


@pytest.mark.parametrize("choice", ["mark", "chapter"])
def test_notes_of_markdown_are_read_as_chosen(tmp_path: Path, choice: str) -> None:
    path = tmp_path / "book.md"
    path.write_text("# A\n\nOne.[^n]\n\nTwo.\n\n# B\n\nThree.\n\n[^n]: About one.\n")
    book = read(path, notes=choice)
    first = [block.text for block in book.chapters[0].blocks]
    assert (
        first
        == {
            "mark": ["A", "One.", "Note: About one.", "Two."],
            "chapter": ["A", "One.", "Two.", "Note: About one."],
        }[choice]
    )
    assert [block.text for block in book.chapters[1].blocks] == ["B", "Three."]


def test_everything_reads_the_pages_around_the_text(tmp_path: Path) -> None:
    pages = {
        "rights.xhtml": page("<p>Printed in ink.</p>", attributes="epub:type='copyright-page'"),
        **three_chapters().pages,
        "index.xhtml": page("<h1>Index</h1><p>Owl, 3</p>", attributes="epub:type='index'"),
    }
    path = three_chapters(pages=pages).write(tmp_path)
    assert "Printed in ink." not in texts(read(path))
    everything = ReadingRules(PRESETS["everything"])
    spoken = texts(read_book(path, Limits(), everything))
    assert spoken[0] == "Printed in ink."
    assert spoken[-1] == "Owl, 3"


CHOICES = st.builds(
    Reading,
    notes=st.sampled_from(["skip", "mark", "chapter"]),
    tables=st.sampled_from(["rows", "headers", "summary", "skip"]),
    code=st.sampled_from(["announce", "speak", "skip"]),
    images=st.sampled_from(["speak", "skip"]),
    captions=st.sampled_from(["speak", "skip"]),
    contents=st.sampled_from(["speak", "skip"]),
    front_matter=st.sampled_from(["speak", "skip"]),
)
WORDS = (
    *("sail", "cloth", "fair", "title", "caption", "alone", "print", "header", "cell", "note"),
    *("imprint", "chapter"),
)
WHOLE = page(
    "<h1>title</h1><p>sail<a epub:type='noteref' href='#n'>1</a></p>"
    "<figure><img src='x' alt='cloth'/><figcaption>caption</figcaption></figure>"
    "<table><tr><th>header</th></tr></table><table><tr><td>cell</td><td></td></tr></table>"
    "<pre>print</pre><section epub:type='imprint'><p>imprint</p></section>"
    "<nav epub:type='toc'><ol><li>chapter</li></ol></nav>"
    "<aside epub:type='footnote' id='n'><p>note</p></aside>"
    "<aside epub:type='footnote' id='m'><p>alone</p></aside><p>fair</p>"
)


@given(reading=CHOICES)
def test_whatever_is_chosen_every_word_is_read_or_listed(
    tmp_path_factory: pytest.TempPathFactory, reading: Reading
) -> None:
    path = tmp_path_factory.getbasetemp() / "whole.epub"
    if not path.exists():
        three_chapters(pages={"all.xhtml": WHOLE}, nav="", ncx="").write(path.parent, path.name)
    book = read_book(path, Limits(), ReadingRules(reading))
    counts = Counter(" ".join([*texts(book), *skipped(book)]).translate({58: " ", 59: " "}).split())
    assert {word: counts[word] for word in WORDS} == dict.fromkeys(WORDS, 1)
