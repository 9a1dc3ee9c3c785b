"""English times of day and durations: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import said


@given(hour=st.integers(1, 12), minute=st.integers(1, 59), half=st.sampled_from(("AM", "PM")))
def test_a_time_sounds_the_same_however_its_half_is_printed(hour, minute, half):
    short = half.lower()
    printed = (short, f" {short}", f" {half}", f" {short[0]}.{short[1]}.")
    said_as = {said(f"{hour}:{minute:02}{one}", "en-US") for one in printed}
    assert said_as == {f"{said(f'{hour}:{minute:02}', 'en-US')} {half}"}
