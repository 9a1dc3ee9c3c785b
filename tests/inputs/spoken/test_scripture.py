"""English references to chapters and verses: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from support.spoken_cases import said


@given(chapter=st.integers(1, 99), verse=st.integers(1, 99))
def test_a_verse_is_its_two_numbers(chapter, verse):
    expected = f"John {cardinal(chapter)} {cardinal(verse)}"
    assert said(f"John {chapter}:{verse}", "en-US") == expected
