"""Book metadata becomes clean tags, and files beside the audio."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.metadata.images import identify
from audiomill.inputs.model.book import Book, Cover, Series
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.sidecars import SidecarBook, sidecar_content
from audiomill.outputs.metadata.tags import Narration, Tags, book_tags, texts_of, track_tags
from support.case_files import each_row, rows_of
from support.epub_data import JPEG
from support.signals_data import png_cover
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


BOOK = SidecarBook(
    BOOK_TAGS, png_cover(), (Mark("“One”", 0, 24_000), Mark("Two", 24_000, 36_012)), 24_000
)
DC, OPF = "{http://purl.org/dc/elements/1.1/}", "{http://www.idpf.org/2007/opf}"


def test_metadata_json_has_the_form_that_servers_read():
    expected = Path(__file__).with_name("cases") / "metadata.json"
    assert json.loads(sidecar_content("metadata.json", BOOK)) == json.loads(expected.read_bytes())


def test_what_is_not_known_is_null_and_chapters_are_left_to_the_audio():
    content = json.loads(sidecar_content("metadata.json", SidecarBook(Tags("T", "T"))))
    assert content["subtitle"] is content["isbn"] is content["publishedYear"] is None
    assert "chapters" not in content


def test_the_opf_has_all_that_the_tags_have():
    expected = Path(__file__).with_name("cases") / "metadata.opf"
    assert sidecar_content("metadata.opf", BOOK) == expected.read_bytes()


@each_row
def test_calibre_reads_the_sort_name_of_all_authors_at_the_first(authors, author_sort):
    """As `OPF.author_sort` of calibre's `ebooks/metadata/opf2.py`: the first that is there."""
    tags = replace(BOOK_TAGS, authors=authors, author_sort=author_sort)
    root = etree.fromstring(sidecar_content("metadata.opf", replace(BOOK, tags=tags)))
    writers = [one for one in root.iter(f"{DC}creator") if one.get(f"{OPF}role") == "aut"]
    assert [one.text for one in writers] == [*authors]
    sorts = filter(None, (one.get(f"{OPF}file-as") for one in writers))
    assert [*sorts] == [author_sort]


def test_the_text_files():
    assert sidecar_content("desc.txt", BOOK) == b"One.\n\nTwo.\n"
    several = replace(BOOK, tags=replace(BOOK_TAGS, narrators=("Heart (Kokoro)", "Di Voice")))
    assert sidecar_content("reader.txt", several) == b"Heart (Kokoro); Di Voice\n"


def test_the_cover_is_a_jpeg():
    assert identify(sidecar_content("cover.jpg", BOOK)).kind == "JPEG"
    own = replace(BOOK, cover=Cover("image/jpeg", JPEG))
    assert sidecar_content("cover.jpg", own) == JPEG


@pytest.mark.parametrize("name", ["cover.jpg", "desc.txt", "reader.txt"])
def test_a_book_without_it_has_no_such_file(name):
    assert sidecar_content(name, SidecarBook(Tags("T", "T"))) == b""


@given(st.text(), st.text(), st.text())
def test_any_text_is_valid_json_and_xml(title, name, index):
    book = Book(title, (name,), "en", (), "0", series=name, series_index=index, description=title)
    made = SidecarBook(book_tags(book, Narration((name,))))
    content = json.loads(sidecar_content("metadata.json", made))
    assert content["title"] == made.tags.title
    root = etree.fromstring(sidecar_content("metadata.opf", made))
    assert root.find(f".//{DC}title") is not None
