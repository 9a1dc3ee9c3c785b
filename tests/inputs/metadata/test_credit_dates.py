"""Dates of publications as their languages write them."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.metadata.credits import written_date
from support.case_files import each_row
from support.spoken_cases import said


@each_row
def test_a_date_is_written_as_its_language_does(date, language, written):
    assert written_date(date, language) == written


def test_what_is_written_can_be_said():
    assert said(written_date("2026-03-02", "en-US"), "en-US") == "March second, twenty twenty-six"


@given(st.text(), st.text())
def test_any_text_is_a_date_or_none(date, language):
    assert isinstance(written_date(date, language), str)
