"""Book metadata becomes clean tags."""

from __future__ import annotations

from audiomill.inputs.book import Book
from audiomill.inputs.languages import three_letter_code
from audiomill.outputs.metadata.tags import Tags, book_tags, track_tags
from support.tags_data import BOOK_TAGS, TITLE


def test_a_book_becomes_tags() -> None:
    book = Book(
        title=f" {TITLE} ".replace(" ", "\n"),
        authors=("Ann\x00 Author", "", "Ben Writer"),
        language=BOOK_TAGS.language,
        chapters=(),
        source_id="0" * 64,
        date=BOOK_TAGS.date,
        publisher=BOOK_TAGS.publisher,
        description="One.\r\n\r\nTwo.\x07",
        identifier=BOOK_TAGS.identifier,
        series=BOOK_TAGS.series,
        series_index=BOOK_TAGS.series_part,
    )
    assert book_tags(book, BOOK_TAGS.narrator) == BOOK_TAGS


def test_a_track_keeps_its_book_as_album() -> None:
    tags = track_tags(Tags("Book", "Book", ("A",)), "Chapter\tOne", 1, 12)
    assert (tags.title, tags.album, tags.track, tags.n_tracks) == ("Chapter One", "Book", 1, 12)


def test_a_book_without_a_title_is_untitled() -> None:
    assert book_tags(Book("", (), "en", (), "0")).title == "Untitled"


def test_texts_longer_than_any_reader_shows_are_cut() -> None:
    """A FLAC file holds 16 MiB of tags, and the time to tag an Opus file grows with the square."""
    words = "lange Wörter " * 400
    book = Book(words, (words,) * 100, "en", (), "0", description=words * 20, publisher=words)
    tags = book_tags(book)
    for text in (tags.title, tags.artist, tags.publisher, tags.description):
        assert text.startswith("lange Wörter lange")
        assert text.endswith("…")
        assert len(text.encode()) <= 1 << 16


def test_languages_get_three_letters() -> None:
    codes = [
        three_letter_code(tag) for tag in ("en-US", "de", "ZH-hant", "gsw", "xx", "", "x-private")
    ]
    assert codes == ["eng", "deu", "zho", "gsw", "und", "und", "und"]
