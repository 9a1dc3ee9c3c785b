"""Addresses in English: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import said


@given(st.from_regex(r"[a-z]{1,8}(/[\w%&=?-]{0,9}){0,4}", fullmatch=True))
def test_no_sign_of_an_address_is_left(path):
    spoken = said(f"See https://example.org/{path} there", "en-US")
    assert spoken.startswith("See example dot org")
    assert not set(spoken) & set("/%&=?_@")
