"""English fractions, percentages, ratings: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from support.spoken_cases import said


@given(above=st.integers(min_value=1, max_value=98))
def test_a_percentage_says_its_number(above):
    assert said(f"About {above}% of it", "en-US") == f"About {cardinal(above)} percent of it"
