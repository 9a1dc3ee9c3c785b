"""English pounds, shillings and pence: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import ONES, cardinal
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said

SOMETHING_ELSE = """
In the 20s. of each
A 3d printer
On 7/6 they left.
In her 10s. later
5s and 10s
About 3/4 of it
The 2d ed. of it
"""


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("shillings",))


def test_a_table_may_have_sums_without_a_sign():
    written = "Wine; 1:12:0; 1:12:00"
    line = spoken_line(written, "en-US", BlockKind.TABLE)
    said_there = "Wine; one pound and twelve shillings; one hour and twelve minutes"
    assert line.between(0, len(written)) == said_there


@given(pounds=st.integers(2, 9999), shillings=st.integers(2, 19), pennies=st.integers(2, 11))
def test_a_sum_is_its_three_parts(pounds, shillings, pennies):
    parts = f"{cardinal(pounds, 'GB')} pounds, {cardinal(shillings)} shillings and {ONES[pennies]}pence."
    assert said(f"£{pounds} {shillings}s. {pennies}d.", "en-GB") == parts
