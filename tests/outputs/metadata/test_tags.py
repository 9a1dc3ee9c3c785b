"""Book metadata becomes clean tags."""

from dataclasses import replace
from pathlib import Path

from audiomill.inputs.model.book import Book, Series
from audiomill.outputs.metadata.tags import Narration, Tags, book_tags, texts_of, track_tags
from support.case_files import each_row, rows_of
from support.tags_data import BOOK_TAGS, TITLE

CASES = Path(__file__).with_name("cases") / "tags.txt"


def test_a_book_becomes_tags():
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
        subtitle=BOOK_TAGS.subtitle,
        original_year=BOOK_TAGS.original_year,
        rights=BOOK_TAGS.rights,
        isbn=BOOK_TAGS.isbn,
        asin=BOOK_TAGS.asin,
        subjects=("19th century", "", "Mills", "Mills"),
        title_sort=BOOK_TAGS.title_sort,
        author_sort=BOOK_TAGS.author_sort,
        series="Saga",
        series_index="2",
        more_series=(Series("Mills", "1.5"), Series(" ")),
    )
    narration = Narration(("Voïce", ""), BOOK_TAGS.engine, BOOK_TAGS.voices)
    assert book_tags(book, narration) == BOOK_TAGS


def test_every_text_has_its_name():
    assert texts_of(BOOK_TAGS) == dict(rows_of(CASES, "TEXTS"))


def test_several_series_are_listed_only_with_all_their_places():
    tags = replace(BOOK_TAGS, series=(Series("Saga", "1.5"), Series("Mills")))
    texts = texts_of(tags)
    assert (texts["SERIES"], texts["SERIES-PART"]) == ("Saga", "1.5")
    assert texts["GROUPING"] == "Saga #1.5; Mills"
    assert texts["MOVEMENTNAME"] == "Saga"
    assert "MOVEMENT" not in texts  # it is a whole number


@each_row
def test_authors_are_told_apart(authors, artist):
    assert Tags("T", "T", authors).artist == artist


@each_row
def test_the_year_of_a_date(date, year):
    texts = texts_of(Tags("T", "T", date=date))
    assert texts.get("DATE", "") == year
    assert texts.get("RELEASETIME", "") == (date if date != year else "")


def test_a_book_without_a_title_or_a_subject_is_an_untitled_audiobook():
    tags = book_tags(Book("", (), "en", (), "0"))
    assert (tags.title, tags.genre) == ("Untitled", "Audiobook")


def test_a_track_keeps_its_book_as_album():
    tags = track_tags(Tags("Book", "Book", ("A",)), "Chapter\tOne", 1, 12)
    assert (tags.title, tags.album, tags.track, tags.n_tracks) == ("Chapter One", "Book", 1, 12)


def test_texts_longer_than_any_reader_shows_are_cut():
    """A FLAC file holds 16 MiB of tags, and the time to tag an Opus file grows with the square."""
    words = "lange Wörter " * 400
    book = Book(words, (words,) * 100, "en", (), "0", description=words * 20, publisher=words)
    tags = book_tags(book)
    for text in (tags.title, tags.artist, tags.publisher, tags.description):
        assert text.startswith("lange Wörter lange")
        assert text.endswith("…")
        assert len(text.encode()) <= 1 << 16
