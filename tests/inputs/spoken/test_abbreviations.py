"""English abbreviations, titles and places: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import said


@given(st.lists(st.sampled_from(("road", "the", "saw", "and", "street", "doctor")), min_size=1))
def test_plain_words_are_left(words):
    text = " ".join(words)
    assert said(text, "en-US") == text
