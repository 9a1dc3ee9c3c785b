"""English sums of money: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said

SOMETHING_ELSE = """
CAD 2020 is software.
$x is a variable.
The $ sign
A multi-$ sum
earn $$$ here
The 720p video
In a 5p5 lattice
Rs5x is a key.
A £ a day
The €uro
"""


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("money",))


@given(dollars=st.integers(2, 10**9), cents=st.integers(2, 99))
def test_a_sum_is_its_dollars_and_its_cents(dollars, cents):
    expected = f"{cardinal(dollars)} dollars and {cardinal(cents)} cents"
    assert said(f"${dollars:,}.{cents:02}", "en-US") == expected
