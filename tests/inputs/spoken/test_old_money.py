"""English pounds, shillings and pence: as written, as spoken."""
# a case is a line

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import ONES, cardinal
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said


def test_a_table_may_have_sums_without_a_sign():
    written = "Wine; 1:12:0; 1:12:00"
    line = spoken_line(written, "en-US", BlockKind.TABLE)
    said_there = "Wine; one pound and twelve shillings; one hour and twelve minutes"
    assert line.between(0, len(written)) == said_there


@given(pounds=st.integers(2, 9999), shillings=st.integers(2, 19), pennies=st.integers(2, 11))
def test_a_sum_is_its_three_parts(pounds, shillings, pennies):
    in_pounds, in_pence = f"{cardinal(pounds, 'GB')} pounds", f"{ONES[pennies]}pence."
    spoken = said(f"£{pounds} {shillings}s. {pennies}d.", "en-GB")
    assert spoken == f"{in_pounds}, {cardinal(shillings)} shillings and {in_pence}"
