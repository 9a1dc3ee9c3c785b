"""Web pages to a book: the main content, and the text around it."""

import pytest

from audiomill.inputs import html
from audiomill.inputs.model.book import Limits, SkipReason, SourceCorrupt, SourceTooLarge
from audiomill.inputs.reading import read_book
from support.reading_data import skipped, texts

LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_page(page, *, limits=LIMITS):
        path = tmp_path / "a-page.html"
        path.write_bytes(page if isinstance(page, bytes) else page.encode())
        return html.read(path, limits)

    return read_page


MANY_HEADINGS = [
    *("<h1>The Paper</h1>", f"<p>{'A paper for millers. ' * 20}", "<h2>THE FIRST PART</h2>"),
    *("<h2>Chapter I: Wind</h2>", "<p>Text.", "<h2>A MILLER</h2><h2>A Guide</h2><h2>By Bo Li</h2>"),
    *("<p>Text.", "<h2>Act I</h2><h2>Act II</h2><p>Text.", "<h2>THE</h2><h2>PAPER</h2><p>More."),
    *("<h2>The End.</h2>", "<h2>Our Books</h2><p>One.", "<h2>FOOTNOTES:</h2>"),
]


def test_headings_without_text_between_them_begin_one_chapter(tmp_path):
    path = tmp_path / "a-paper.html"
    path.write_text(f"<title>The Paper</title>{''.join(MANY_HEADINGS)}")
    book = read_book(path, LIMITS)
    assert [chapter.title for chapter in book.chapters] == [
        *("The Paper", "THE FIRST PART: Chapter I: Wind", "A MILLER: A Guide: By Bo Li"),
        *("Act I", "Act II", "The Paper", "Our Books"),
    ]
    assert book.chapters[-2].blocks[-1].text == "The End."
    assert skipped(book, SkipReason.NOTE) == ["FOOTNOTES:"]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "shift-jis"])
def test_encodings(read, encoding):
    words = "日本語" if encoding == "shift-jis" else "Café"
    page = f"<html><head><meta charset={encoding}></head><body><p>{words}</body></html>"
    assert texts(read(page.encode(encoding))) == [words]


def test_too_long_a_page_is_refused(read):
    with pytest.raises(SourceTooLarge, match="max_text_chars"):
        read("<p>" + "word " * 100, limits=Limits(max_text_chars=400))
    markup = "<p class='" + "x" * 1000 + "'>Text."
    assert texts(read(markup, limits=Limits(max_text_chars=400))) == ["Text."]


def test_binary_data_is_refused(read):
    with pytest.raises(SourceCorrupt, match=r"“a-page\.html” is no web page"):
        read(b"<p>\0\0\0\1")
