"""English references to numbered parts: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from support.spoken_cases import said


@given(number=st.integers(1, 9999))
def test_a_page_is_a_cardinal(number):
    assert said(f"see p. {number} here", "en-US") == f"see page {cardinal(number)} here"
