"""The file beside a book: what it decides, and how it is refused."""

from pathlib import Path

import pytest

from audiomill.inputs.model.book import Book, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import ReadingSettings
from audiomill.inputs.reading.reading_file import (
    WrongReadingFile,
    load_reading_file,
    reading_file_of,
)
from support.case_files import each_row, each_row_apart
from support.epub_data import Epub, page
from support.reading_data import skipped, texts

BODY = (
    "<h1>One</h1><p>Sign up, dear  reader!</p><p id='p2'>Text.</p><p hidden='' id='h'>Secret.</p>"
    "<pre>go()</pre><p>Note<a href='#n1'><sup>1</sup></a>.</p>"
    "<p id='n1'><a href='#r1'>1</a> A note.</p><img id='i' src='x.png' alt='A ship'/>"
)
PAGES = {
    "a.xhtml": page(BODY),
    "b.xhtml": page("<h1>Two</h1><p>Sign up again.</p>"),
    "c.xhtml": page("<p>Printed in ink.</p>", attributes="epub:type='imprint'"),
}


@pytest.fixture
def read(tmp_path: Path):
    """Reads the book with this file beside it; (the book, warnings)."""
    source = Epub(dict(PAGES)).write(tmp_path, "novel.epub")

    def read_with(content: str) -> tuple[Book, list[str]]:
        reading_file_of(source).write_text(content, "utf-8")
        beside = load_reading_file(source)
        book = read_book(source, Limits(), beside.rules(ReadingSettings(), None))
        return book, list(beside.unused(book))

    return read_with


def decision(read: bool, **selectors: str) -> str:
    lines = "\n".join(f'{name} = "{value}"' for name, value in selectors.items())
    return f"[[decision]]\nread = {str(read).lower()}\n{lines}\n"


ALL = ["One", "Sign up, dear reader!", "Text.", "Note.", "Two", "Sign up again."]


def test_the_name_of_the_file_is_that_of_the_book():
    assert reading_file_of(Path("x/a.b.epub")) == Path("x/a.b.reading.toml")


def test_without_the_file_nothing_is_decided(tmp_path):
    beside = load_reading_file(tmp_path / "book.epub")
    assert beside.rules(ReadingSettings(), None).decisions == ()


@each_row
def test_what_is_read_can_be_left_out(read, selectors, left_out):
    book, warnings = read(decision(False, **selectors))
    assert texts(book) == [text for text in ALL if text not in left_out]
    assert skipped(book, SkipReason.LEFT_OUT) == left_out
    assert warnings == []


@each_row
def test_what_is_left_out_can_be_read(read, selectors, added, after):
    book, warnings = read(decision(True, **selectors))
    at = ALL.index(after) + 1
    assert texts(book) == [*ALL[:at], added, *ALL[at:]]
    assert added.removeprefix("Image: ") not in skipped(book)
    assert warnings == []


def test_the_last_decision_about_a_text_counts(read):
    content = decision(False, where="OEBPS/b.xhtml") + decision(True, starts="Sign up again")
    book, _ = read(content)
    assert texts(book) == [*ALL[:-2], "Sign up again."]


def test_the_choices_of_a_file_are_for_its_book(read):
    book, _ = read('[reading]\ncode = "speak"\n')
    assert "go()" in texts(book)


def test_a_preset_of_the_run_wins_over_that_of_the_file(tmp_path):
    source = tmp_path / "novel.epub"
    content = '[reading]\npreset = "everything"\nindex = "skip"\n'
    reading_file_of(source).write_text(content)
    beside = load_reading_file(source)
    chosen = beside.rules(ReadingSettings(code="announce", index="speak"), None).reading
    assert (chosen.code, chosen.index, chosen.contents) == ("announce", "skip", "speak")
    assert beside.rules(ReadingSettings(), "essential").reading.contents == "skip"


@pytest.mark.parametrize(
    "selectors", [{"starts": "Never there"}, {"where": "OEBPS/gone.xhtml"}, {"chapter": "Three"}]
)
def test_a_decision_about_nothing_is_a_warning(read, selectors):
    book, warnings = read(
        decision(False, kind="heading", chapter="One") + decision(False, **selectors)
    )
    assert warnings == ["novel.reading.toml: decision 2 is about no text of this book"]
    assert texts(book) == ALL[1:]


@each_row_apart
def test_a_wrong_file_is_refused_by_its_entry(read, content, message):
    with pytest.raises(WrongReadingFile, match=f"novel.reading.toml.*{message}"):
        read(content)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    source = tmp_path / "novel.epub"
    reading_file_of(source).write_bytes(b"\xff")
    with pytest.raises(WrongReadingFile, match="not UTF-8"):
        load_reading_file(source)
    reading_file_of(source).unlink()
    reading_file_of(source).mkdir()
    with pytest.raises(WrongReadingFile, match="cannot be read"):
        load_reading_file(source)
