from __future__ import annotations

from inputs.book import Book
from outputs.tags import Tags, book_tags, three_letters, track_tags


def test_a_book_becomes_tags() -> None:
    book = Book(
        title=" The\nBook ",
        authors=("Ann\x00 Author", "", "Ben Writer"),
        language="en-GB",
        chapters=(),
        source_id="0" * 64,
        date="1897",
        publisher="A Press",
        description="One.\r\n\r\nTwo.\x07",
        identifier="urn:isbn:1",
        series="Saga",
        series_index="2",
    )
    assert book_tags(book, "A Voice") == Tags(
        title="The Book",
        album="The Book",
        authors=("Ann Author", "Ben Writer"),
        narrator="A Voice",
        language="en-GB",
        date="1897",
        publisher="A Press",
        description="One.\n\nTwo.",
        series="Saga",
        series_part="2",
        identifier="urn:isbn:1",
    )


def test_a_track_keeps_its_book_as_album() -> None:
    tags = track_tags(Tags("Book", "Book", ("A",)), "Chapter\tOne", 1, 12)
    assert (tags.title, tags.album, tags.track, tags.n_tracks) == ("Chapter One", "Book", 1, 12)


def test_a_book_without_a_title_is_untitled() -> None:
    assert book_tags(Book("", (), "en", (), "0")).title == "Untitled"


def test_languages_get_three_letters() -> None:
    codes = [three_letters(tag) for tag in ("en-US", "de", "ZH-hant", "gsw", "xx", "", "x-private")]
    assert codes == ["eng", "deu", "zho", "gsw", "und", "und", "und"]
