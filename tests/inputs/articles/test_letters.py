"""Letters as articles: what is spoken, what is listed, and that nothing is lost."""

import pytest

from audiomill.inputs.articles.letters import are_around_letter
from audiomill.inputs.articles.mail import page_of_letter, read_letters
from audiomill.inputs.articles.page import dumped
from audiomill.inputs.model.book import BlockKind, Limits, SkipReason
from audiomill.inputs.readers.sources import read_book
from support.case_files import each_row
from support.letter_data import FOOTER, PREHEADER, PROSE, letter, newsletter
from support.reading_data import texts


@pytest.fixture
def read(tmp_path):
    def read(message):
        (tmp_path / "letter.eml").write_bytes(bytes(message))
        [one] = read_letters(tmp_path / "letter.eml")
        (tmp_path / "letter.article").write_bytes(dumped(page_of_letter(one)))
        return read_book(tmp_path / "letter.article", Limits())

    return read


def listed(book, reason: SkipReason) -> str:
    return "\n".join(skipped.text for skipped in book.skipped if skipped.reason is reason)


def test_the_words_of_a_newsletter_are_spoken(read):
    book = read(letter(html=newsletter()))
    spoken = texts(book)
    assert [text for text in spoken if text in PROSE] == list(PROSE)
    assert "The mill that turned" in spoken
    assert "Until next week,\nJan" in spoken


def test_its_footer_and_what_it_hides_are_listed(read):
    book = read(letter(html=newsletter()))
    spoken = "\n".join(texts(book))
    for text in (*FOOTER, "View in browser"):
        assert text in listed(book, SkipReason.NAVIGATION)
        assert text not in spoken
    for text in (PREHEADER, "pixel of the tracker"):
        assert text in listed(book, SkipReason.HIDDEN)
        assert text not in spoken


def test_tables_of_data_stay_tables_and_those_of_layout_do_not(read):
    book = read(letter(html=newsletter()))
    blocks = [block for chapter in book.chapters for block in chapter.blocks]
    [table] = [block.text for block in blocks if block.kind is BlockKind.TABLE]
    assert table.split("\n")[1] == "Sunday; 40"
    assert {"Forty sacks found", "One bill framed"} <= {*texts(book)}


@pytest.mark.parametrize("is_html", [True, False])
def test_who_wrote_it_and_when(read, is_html):
    text = "\n\n".join(PROSE)
    book = read(letter(html=newsletter()) if is_html else letter(text=text))
    assert book.title == "The mill, №1: “a storm”"
    assert book.authors == ("Jan Mértens",)
    assert book.date.startswith("2026-11-23")
    assert book.source_id == read(letter(html="<p>Changed.</p>")).source_id
    assert book.source_id != read(letter(2, html=newsletter())).source_id


def test_a_plain_letter_is_read_as_plain_text(read):
    footer = "\n".join(("--------", *FOOTER))
    book = read(letter(text="\n\n".join((*PROSE, "* one\n* two", footer))))
    assert [text for text in texts(book) if text in PROSE] == list(PROSE)
    assert {"one", "two"} <= {*texts(book)}
    assert FOOTER[0] in listed(book, SkipReason.NAVIGATION)
    assert not any("Unsubscribe" in text for text in texts(book))


def test_a_short_letter_is_no_page_without_an_article(read):
    assert texts(read(letter(html="<div>It turned.</div>")))[-1] == "It turned."
    assert texts(read(letter(text="It turned.")))[-1] == "It turned."


LONG = "One of the longest texts of the letter, " * 3 + "which nobody takes for an address line."
HEAD = "From: Jan Mertens <jan@quay.example>\nDate: Mon, 2 Mar 2026\nSubject: The mill\nTo: Maud"


@each_row
def test_what_is_around_a_letter(rows, expected):
    letter_texts = [one.replace("LONG", LONG).replace("HEAD", HEAD) for one in rows]
    found = are_around_letter(letter_texts)
    assert [at for at, is_around in enumerate(found) if is_around] == expected
