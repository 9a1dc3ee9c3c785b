"""English telephone numbers, versions, postcodes and other codes: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import said


@given(area=st.integers(200, 799), line=st.integers(0, 9999))
def test_a_telephone_number_has_a_word_for_each_digit(area, line):
    spoken = said(f"({area}) 555-{line:04}", "en-US")
    assert len(spoken.replace(",", "").split()) == 10


@given(st.lists(st.integers(0, 255), min_size=4, max_size=4))
def test_an_address_has_a_dot_between_its_parts(octets):
    spoken = said(f"the address {'.'.join(map(str, octets))}", "en-US")
    assert spoken.count(" dot ") == 3  # without the word, four single digits may be a clause
