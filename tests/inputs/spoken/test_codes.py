"""English telephone numbers, versions, postcodes and other codes: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said

SOMETHING_ELSE = """
About 800-1200 words
The range 300-1500 is wide.
the V2 rocket
in Texas 10000 people live
an AB1234567 thing
the B-52 flew
Java 17 came.
#123456
1. e4 e5 2. Nf3 Nc6
O-O-O and exd5
Qxe7+ and Rd8#
e8=Q wins
Nf3+ wins
pages 100-1200
OK 12 of us
It rose 3.5 to 4.2.
"""


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(
        ("telephone", "version", "postcode", "serial", "card", "colour", "address")
    )


@given(area=st.integers(200, 799), line=st.integers(0, 9999))
def test_a_telephone_number_has_a_word_for_each_digit(area, line):
    spoken = said(f"({area}) 555-{line:04}", "en-US")
    assert len(spoken.replace(",", "").split()) == 10


@given(st.lists(st.integers(0, 255), min_size=4, max_size=4))
def test_an_address_has_a_dot_between_its_parts(octets):
    spoken = said(f"the address {'.'.join(map(str, octets))}", "en-US")
    assert spoken.count(" dot ") == 3  # without the word, four single digits may be a clause
