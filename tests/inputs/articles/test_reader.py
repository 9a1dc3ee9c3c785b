"""Articles: what of a page is its article, what is listed, and pages that have none."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from audiomill.inputs.articles.page import Fetched, dumped
from audiomill.inputs.articles.reader import NotAnArticle
from audiomill.inputs.model.book import Book, Limits, SourceCorrupt
from audiomill.inputs.readers.sources import read_book
from support.article_data import PARAGRAPHS, article_page
from support.book_lines import book_lines
from support.case_files import assert_cases
from support.reading_data import texts

URL = "https://quay.example/2026/mill"


@pytest.fixture
def read(tmp_path):
    def read(page: str | bytes, charset: str = "utf-8", url: str = URL):
        content = page if isinstance(page, bytes) else page.encode()
        path = tmp_path / "page.article"
        path.write_bytes(dumped(Fetched(url, content, "text/html", charset)))
        return read_book(path, Limits())

    return read


def test_the_article_is_read_and_all_else_is_listed(read):
    book = read(article_page())
    assert [text for text in texts(book) if text in PARAGRAPHS] == list(PARAGRAPHS)
    assert texts(book)[0] == "The Mill That Turned by Itself"
    listed = " ".join(skipped.text for skipped in book.skipped)
    for around in ("Sport", "Ten ways to tie a knot", "Fish prices", "All rights reserved"):
        assert around in listed
        assert not any(around in text for text in texts(book))


def told_article(
    read, text: str, title: str = "", head: str = "", subtitle: str = "", below: str = ""
) -> list[str]:
    """What is read of a page, or why not; but for what is around every article of these tests.

    A line is a paragraph of it, “P1” one of PARAGRAPHS. `subtitle` is a heading below the title,
    `below` stands in the article behind them. A whole page begins as one.
    """
    paragraphs = tuple(re.sub(r"P(\d)", _paragraph, line) for line in text.splitlines())
    named = {"title": title} if title else {}
    page = article_page(paragraphs=paragraphs, head=head, **named)
    page = page.replace("</article>", f"{below}</article>")
    page = page.replace("</h1>", f"</h1><h2>{subtitle}</h2>") if subtitle else page
    usual = Book("The Mill That Turned by Itself", ("Jan Mertens",), "en-GB", (), "")
    try:
        book = read(text if text.startswith("<html") else page)
    except NotAnArticle as error:
        return [str(error)]
    around = {one.text for one in read(article_page()).skipped}
    skipped = tuple(one for one in book.skipped if one.text not in around)
    apart = replace(book, skipped=skipped, date=usual.date, publisher="", identifier="")
    return book_lines(apart, usual)


def _paragraph(number: re.Match[str]) -> str:
    return PARAGRAPHS[int(number[1]) - 1]


def test_an_article_is_read_as_its_case_tells(read):
    assert_cases(Path(__file__).with_name("cases") / "reader.txt", partial(told_article, read))


def test_who_wrote_it_where_and_when(read):
    book = read(article_page())
    assert book.title == "The Mill That Turned by Itself"
    assert book.authors == ("Jan Mertens",)
    assert (book.publisher, book.language) == ("The Quay Times", "en-GB")
    assert book.date.startswith("2026-03-02")


def test_a_changed_article_is_the_same_article(read):
    old = read(article_page())
    new = read(article_page(paragraphs=(*PARAGRAPHS[:-1], "The council has decided.")))
    assert old.source_id == new.source_id
    assert old.source_id != read(article_page(), url=f"{URL}-2").source_id


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("utf-8", "utf-8"), ("iso-8859-15", "iso-8859-15"), ("iso-8859-1", "utf-8"), ("", "utf-8"),
     ("no-such", "utf-8"), ("utf-16", "utf-8"), ("shift_jis", "shift_jis")],
)  # fmt: skip
def test_the_charset_that_the_server_told(read, charset, encoding):
    word = "日本" if encoding == "shift_jis" else "Café"
    paragraphs = (f"The {word} was open. {PARAGRAPHS[0]}", *PARAGRAPHS[1:])
    page = article_page(paragraphs=paragraphs).replace("’", "'").replace("“", '"')
    page = page.replace("”", '"').replace("©", "")
    assert any(
        f"The {word} was open." in text for text in texts(read(page.encode(encoding), charset))
    )


def test_scripts_without_an_end_are_a_program(read):
    """For each of them the rest of the page was searched for its end."""
    with pytest.raises(NotAnArticle, match="runs its programs"):
        read("<html><body>" + "<script>" * 60_000)


@pytest.mark.parametrize("content", [b"", b"no json\n", b"{}\n<p>", b"[1]\n", b"\x1f\x8b\x08\x00"])
def test_another_file_is_no_article(tmp_path, content):
    path = Path(tmp_path / "page.article")
    path.write_bytes(content or b" ")
    with pytest.raises(SourceCorrupt, match=r"page\.article"):
        read_book(path, Limits())
