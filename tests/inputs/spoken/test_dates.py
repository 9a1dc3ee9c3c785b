"""English dates: as written, as spoken."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said

SOMETHING_ELSE = """
Add 1/2 cup of milk.
You may 4 times try.
May 4 people enter?
Chapter 4 May was late.
The code 2001-19-11 is no date.
A file of 31/31/1950 is odd.
They won 3-2 in May.
Read and/or write.
About 9/11 of it is gone.
A 3/4 majority is needed.
March 5 miles and rest.
You may, 1914 or not.
At 5 June came home.
Page 4 May be torn.
Version 4.5.2019 is stable.
It was May, 4 of them.
The sum of 12. May came.
He saw 4 Mayflies.
Try 1.2.3 or 10/12.
The Mar 4x4 track.
"""


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("date",))


@given(day=st.dates(min_value=date(1100, 1, 1), max_value=date(2099, 12, 31)))
def test_a_date_sounds_the_same_however_it_is_printed(day):
    month = f"{day:%B}"
    printed = (f"{month} {day.day}, {day.year}", f"{month[:3]}. {day.day}, {day.year}")
    if month == "May":
        printed = printed[:1]
    assert {said(one, "en-US") for one in printed} == {said(day.isoformat(), "en-US")}
    assert said(f"{day.day} {month} {day.year}", "en-GB") == said(day.isoformat(), "en-GB")
