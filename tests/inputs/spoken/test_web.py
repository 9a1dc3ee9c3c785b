"""Web addresses, in English and in a language without rules of its own."""

from hypothesis import given
from hypothesis import strategies as st

from support.case_files import each_row
from support.spoken_cases import said


@given(st.from_regex(r"[a-z]{1,8}(/[\w%&=?-]{0,9}){0,4}", fullmatch=True))
def test_no_sign_of_an_address_is_left(path):
    spoken = said(f"See https://example.org/{path} there", "en-US")
    assert spoken.startswith("See example dot org")
    assert not set(spoken) & set("/%&=?_@")


@each_row
def test_an_address_is_spoken_as_its_host(text, expected):
    assert said(text, "ja") == expected
