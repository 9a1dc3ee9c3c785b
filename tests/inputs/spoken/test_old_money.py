"""English pounds, shillings and pence: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.book import BlockKind
from audiomill.inputs.spoken.english.numbers.numbers import ONES, cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, said

US = """
a vote of 60,000L. to do it | a vote of sixty thousand pounds to do it
Lives of Men, T. Waller, 16s. | Lives of Men, T Waller, sixteen shillings.
5 Vols. E. Curt, 1l. 10s. | five volumes E Curt, one pound and ten shillings
your Commission of 20s. | your Commission of twenty shillings.
Cloth, 1/6 each. 2/6 net. The price is 3/6. | Cloth, one shilling and sixpence each. two shillings and sixpence net. The price is three shillings and sixpence.
to £ 1,514,962:17:4 1/2 now | to one million five hundred fourteen thousand nine hundred sixty-two pounds, seventeen shillings and fourpence halfpenny now
of 50l . , she said | of fifty pounds , she said
was £1,171:10s., or %(x)05d | was one thousand one hundred seventy-one pounds and ten shillings, or percent (x)zero five d
Remittance, L10 19s. 2d. | Remittance, ten pounds nineteen shillings and twopence.
that 14,000l.! he cried | that fourteen thousand pounds! he cried
Water, 1s. Porter, 6d. Dinner, 3s. 6d. Play, 2s. Coach, 1s. 6d. | Water, one shilling. Porter, sixpence. Dinner, three shillings and sixpence. Play, two shillings. Coach, one shilling and sixpence.
A hat, cost me 35s. So home. | A hat, cost me thirty-five shillings. So home.
He had 8000 l. a year, then 100l., no more. | He had eight thousand pounds a year, then one hundred pounds, no more.
He had L100,000 a year. | He had one hundred thousand pounds a year.
He had L400 a year, and paid L20 for a coat. | He had four hundred pounds a year, and paid twenty pounds for a coat.
a sum of about L300 and L4 alone | a sum of about three hundred pounds and L-four alone
Paid £12 3s. 4d. for it. | Paid twelve pounds, three shillings and fourpence for it.
It cost £3 10s. 6d. then. | It cost three pounds, ten shillings and sixpence then.
for 10s. 6d. only | for ten shillings and sixpence only
He owed 2s 6d. | He owed two shillings and sixpence.
It cost 7/6 new. | It cost seven shillings and sixpence new.
£12 3s. 4d. was paid. | twelve pounds, three shillings and fourpence was paid.
£5 10s. was paid. | five pounds and ten shillings was paid.
£1 1s. was paid. | one pound and one shilling was paid.
£2 6d. was paid. | two pounds and sixpence was paid.
A loaf at 6d. a pound | A loaf at sixpence a pound
A loaf at 1d. only | A loaf at a penny only
It cost 1½d. then. | It cost three halfpence then.
He paid 4½d. for it. | He paid fourpence halfpenny for it.
11s. 11d. was asked. | eleven shillings and elevenpence was asked.
Only 10/- a week | Only ten shillings a week
Only 10/6d. a week | Only ten shillings and sixpence a week
£2/7/6 was asked. | two pounds, seven shillings and sixpence was asked.
A fee of 5 gns. | A fee of five guineas
He earned 15s. a week. | He earned fifteen shillings a week.
The room was 8s., with coals. | The room was eight shillings, with coals.
Wheat is at 28s. or 29s. now. | Wheat is at twenty-eight shillings or twenty-nine shillings now.
I gave her 40s. to carry home. | I gave her forty shillings to carry home.
She lent him £4 01s. in gold. | She lent him four pounds and one shilling in gold.
He was in his 40s. They were in the 30s. | He was in his forties. They were in the thirties.
She rolled two 8s. He lost. | She rolled two eights. He lost.
Average cost, 3d. each. | Average cost, threepence each.
"""
GB = """
Paid £12 3s. 4d. for it. | Paid twelve pounds, three shillings and fourpence for it.
He owed 2s 6d. | He owed two shillings and sixpence.
£5 10s. was paid. | five pounds and ten shillings was paid.
A loaf at 6d. a pound | A loaf at sixpence a pound
He paid 4½d. for it. | He paid fourpence halfpenny for it.
Only 10/6d. a week | Only ten shillings and sixpence a week
"""
SOMETHING_ELSE = """
In the 20s. of each
A 3d printer
On 7/6 they left.
In her 10s. later
5s and 10s
About 3/4 of it
The 2d ed. of it
"""


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


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
