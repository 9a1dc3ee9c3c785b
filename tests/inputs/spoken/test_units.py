"""English units after numbers: as written, as spoken."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.languages.en.unit_names import CLEAR
from audiomill.inputs.spoken.grammars import spoken_line

SOMETHING_ELSE = """
a 7 pH
5 A students
4 C notes
World War 2 m
5 in the room
5m people
5 ha ha ha
5s and 10s
Class 5 A is here.
Apartment 5 B is here.
There are 5 in all.
There are 5 in a box.
There are 5 in.
It took 1,000 in 100 hours.
Some 5.5 in ten do.
45 W 33rd Street
10 C grades
3 K runs
hundreds of km
vs mph
2bn users
The 5G net
The 3D film
Take 5 and go.
Room 7 W Wing
It has 4 Mb4 keys.
A 4 by 4 grid
5 mi5 men
"""


def test_a_unit_is_on_the_line_of_its_number():
    text = "Ford; 1861\nW. B. Ford; 5\nL. G. Mason"
    said = spoken_line(text, "en-US").between(0, len(text))
    assert said == "Ford; eighteen sixty-one W B Ford; five L G Mason"


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("unit",))


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
