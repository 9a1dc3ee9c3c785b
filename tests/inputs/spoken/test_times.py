"""English times of day and durations: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said

SOMETHING_ELSE = """
Of the 5 am I the last?
A ratio of 10:15 is odd.
The score was 10:15 then.
Mix them 4:1 by weight.
The time is 10:75 on it.
It costs 10.30 in all.
It took 1500 hours of work.
They drew 10:10 at home.
John 10:30 is a verse.
Chapter 10:30 is long.
He has 5 ampoules.
Take 7 pm2 units.
She was 9 amid them.
A scale of 1:20 is fine.
"""


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("time",))


@given(hour=st.integers(1, 12), minute=st.integers(1, 59), half=st.sampled_from(("AM", "PM")))
def test_a_time_sounds_the_same_however_its_half_is_printed(hour, minute, half):
    short = half.lower()
    printed = (short, f" {short}", f" {half}", f" {short[0]}.{short[1]}.")
    said_as = {said(f"{hour}:{minute:02}{one}", "en-US") for one in printed}
    assert said_as == {f"{said(f'{hour}:{minute:02}', 'en-US')} {half}"}
