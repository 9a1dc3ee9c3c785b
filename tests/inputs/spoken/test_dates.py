"""English dates: as written, as spoken."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import said


@given(day=st.dates(min_value=date(1100, 1, 1), max_value=date(2099, 12, 31)))
def test_a_date_sounds_the_same_however_it_is_printed(day):
    month = f"{day:%B}"
    printed = (f"{month} {day.day}, {day.year}", f"{month[:3]}. {day.day}, {day.year}")
    if month == "May":
        printed = printed[:1]
    assert {said(one, "en-US") for one in printed} == {said(day.isoformat(), "en-US")}
    assert said(f"{day.day} {month} {day.year}", "en-GB") == said(day.isoformat(), "en-GB")
