"""Odd English words: drawn out, stuttered, censored, broken, joined: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.words import once_long


@given(st.from_regex(r"[a-z]{1,15}", fullmatch=True))
def test_no_letter_is_drawn_out_after_shortening(word):
    short = once_long(word)
    assert not any(letter * 3 in short for letter in short)
    assert once_long(short) == short
