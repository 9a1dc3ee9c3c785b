"""English sums of money: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from support.spoken_cases import said


@given(dollars=st.integers(2, 10**9), cents=st.integers(2, 99))
def test_a_sum_is_its_dollars_and_its_cents(dollars, cents):
    expected = f"{cardinal(dollars)} dollars and {cardinal(cents)} cents"
    assert said(f"${dollars:,}.{cents:02}", "en-US") == expected
