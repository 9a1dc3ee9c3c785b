"""English years and decades: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import year
from support.spoken_cases import said


@given(
    first=st.integers(min_value=1100, max_value=1999), more=st.integers(min_value=1, max_value=99)
)
def test_a_range_of_years_says_both(first, more):
    spoken = said(f"It lasted, {first}–{first + more}, for long.", "en-US")
    assert spoken == f"It lasted, {year(first)} to {year(first + more)}, for long."
