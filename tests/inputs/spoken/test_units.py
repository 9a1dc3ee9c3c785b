"""English units after numbers: as written, as spoken."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.languages.en.unit_names import CLEAR
from audiomill.inputs.spoken.grammars import spoken_line


def test_a_unit_is_on_the_line_of_its_number():
    text = "Ford; 1861\nW. B. Ford; 5\nL. G. Mason"
    said = spoken_line(text, "en-US").between(0, len(text))
    assert said == "Ford; eighteen sixty-one W B Ford; five L G Mason"


@given(symbol=st.sampled_from(sorted(CLEAR)), number=st.integers(2, 9999))
def test_a_unit_is_said_in_words(symbol, number):
    line = spoken_line(f"{number} {symbol.replace('_', ' ')}", "en-US")
    assert [edit.spoken for edit in line.edits] == [f"{cardinal(number)} {CLEAR[symbol].many}"]


_PARTS = ("5", "12", "1914", ".", ",", ":", " ", "-", "–", "/", "$", "£", "May", "Jan.", "and", "°")
_MORE = ("km", "in.", "′", '"', "No.", "pp.", "#", "v", "am", "x", "½", "(", "555-1234", "IV", "²")


@given(st.lists(st.sampled_from(_PARTS + _MORE), max_size=20).map("".join))
def test_edits_are_in_order_and_do_not_overlap(text):
    edits = spoken_line(text, "en-GB").edits
    assert all(one.end <= other.start for one, other in pairwise(edits))
    assert all(edit.start < edit.end for edit in edits)
