"""Web addresses, in a language that has no rules of its own."""

from support.case_files import each_row
from support.spoken_cases import said


@each_row
def test_an_address_is_spoken_as_its_host(text, expected):
    assert said(text, "ja") == expected
