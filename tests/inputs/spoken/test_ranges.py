"""English ranges, scores, ratios, dimensions, signs: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from support.spoken_cases import said


@given(first=st.integers(min_value=1, max_value=98), more=st.integers(min_value=1, max_value=900))
def test_a_range_says_both_numbers(first, more):
    spoken = said(f"about {first}–{first + more} days", "en-US")
    assert spoken == f"about {cardinal(first)} to {cardinal(first + more)} days"
