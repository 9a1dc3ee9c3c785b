"""Dates of publications as their languages write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.metadata.credits import written_date
from support.spoken_cases import said


@pytest.mark.parametrize(
    ("date", "language", "written"),
    [
        ("2026-03-02", "en-US", "March 2, 2026"),
        ("2026-03-02", "en-GB", "2 March 2026"),
        ("2026-03-02T06:00:00+00:00", "de", "2. März 2026"),
        ("2026-03-02", "fr-FR", "2 mars 2026"),
        ("2026-03", "en", "March 2026"),
        ("1813", "en", "1813"),
        ("2026-03-02", "xx-not-known", "March 2, 2026"),
        ("2026-03-02", "", "March 2, 2026"),
        ("", "en", ""),
        ("last week", "en", ""),
        ("2026-13-45", "en", ""),
    ],
)
def test_a_date_is_written_as_its_language_does(date, language, written):
    assert written_date(date, language) == written


def test_what_is_written_can_be_said():
    assert said(written_date("2026-03-02", "en-US"), "en-US") == "March second, twenty twenty-six"


@given(st.text(), st.text())
def test_any_text_is_a_date_or_none(date, language):
    assert isinstance(written_date(date, language), str)
