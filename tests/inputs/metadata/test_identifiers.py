"""ISBN and ASIN, as sources write them; a series with its number in one text."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.metadata.source_metadata import (
    asin_in,
    is_isbn,
    isbn_in,
    labelled_asin_in,
    series_in,
    series_text,
)
from audiomill.inputs.model.book import Series
from support.case_files import each_row


@each_row
def test_an_isbn_is_known_by_its_last_digit(text, isbn):
    assert isbn_in(text) == isbn


def test_an_asin_has_ten_letters_or_digits():
    assert asin_in("b00ABC1234") == asin_in("urn:asin:B00ABC1234") == "B00ABC1234"
    assert labelled_asin_in("amazon:B00ABC1234") == "B00ABC1234"
    assert labelled_asin_in("B00ABC1234") == asin_in("B00ABC123") == asin_in("B00-ABC123") == ""


@given(st.text())
def test_any_text_is_no_identifier_or_a_right_one(text):
    assert not isbn_in(text) or is_isbn(isbn_in(text))
    assert len(asin_in(text)) in (0, 10)


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1))
def test_a_series_stays_as_it_is_written(name):
    for index in ("", "2", "1.5", "4a"):
        series = Series(name.replace("#", ""), index)
        if series.name:
            assert series_in(series_text(series)) == series
