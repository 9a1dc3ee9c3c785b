"""What is read: as the settings, presets and the file beside a book decide."""

from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.markup.pictures import is_placeholder
from audiomill.inputs.model.book import Book, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import PRESETS, Reading, ReadingSettings
from audiomill.inputs.reading.reading_file import (
    WrongReadingFile,
    load_reading_file,
    reading_file_of,
)
from audiomill.inputs.reading.rules import ReadingRules
from support.case_files import each_row, each_row_apart
from support.epub_data import Epub, page, three_chapters
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


def test_a_preset_is_what_the_settings_do_not_say():
    assert ReadingSettings().reading() == Reading() == PRESETS["essential"]
    assert ReadingSettings(preset="everything").reading() == PRESETS["everything"]
    chosen = ReadingSettings(preset="everything", code="skip", captions="skip").reading()
    assert (chosen.code, chosen.captions, chosen.index) == ("skip", "skip", "speak")
    names = [one.name for one in fields(ReadingSettings) if one.name != "preset"]
    assert names == [one.name for one in fields(Reading)]


@each_row
def test_a_text_that_describes_nothing_is_a_placeholder(text):
    assert is_placeholder(text)


@each_row
def test_a_description_is_no_placeholder(text):
    assert not is_placeholder(text)


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
def test_whatever_is_chosen_every_word_is_read_or_listed(tmp_path_factory, reading):
    path = tmp_path_factory.getbasetemp() / "whole.epub"
    if not path.exists():
        three_chapters(pages={"all.xhtml": WHOLE}, nav="", ncx="").write(path.parent, path.name)
    book = read_book(path, Limits(), ReadingRules(reading))
    counts = Counter(" ".join([*texts(book), *skipped(book)]).translate({58: " ", 59: " "}).split())
    assert {word: counts[word] for word in WORDS} == dict.fromkeys(WORDS, 1)
