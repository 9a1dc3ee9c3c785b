"""Edits of a printed text: what is said, and from where."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.edits import Edit, SpokenLine, clean

TEXT = "It was  1914, and \u00adit rained."
LINE = SpokenLine(TEXT, (Edit(8, 12, "nineteen fourteen", "year"),))


def test_an_edit_replaces_what_is_printed():
    assert LINE.between(0, len(TEXT)) == "It was nineteen fourteen, and it rained."
    assert LINE.between(13, len(TEXT)) == "and it rained."


def test_an_edit_that_is_cut_in_two_is_left_out():
    assert LINE.between(0, 10) == "It was 19"
    assert LINE.between(10, len(TEXT)) == "14, and it rained."


def test_no_cut_falls_into_an_edit():
    assert LINE.uncut == "It was  xxxx, and \u00adit rained."


def test_each_piece_knows_where_it_comes_from():
    spoken = LINE.between(0, len(TEXT))
    found = [
        (spoken[one.start : one.end], TEXT[one.first : one.last], one.kind)
        for one in LINE.pieces(0, len(TEXT))
    ]
    assert found == [
        ("It was", "It was  ", ""),
        ("nineteen fourteen", "1914", "year"),
        (", and it rained.", ", and \u00adit rained.", ""),
    ]


@st.composite
def lines(draw):
    text = draw(st.text(st.characters(), max_size=60))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    edits = [
        Edit(start, end, draw(st.text(max_size=5)), "any")
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    return SpokenLine(text, tuple(edits))


@given(lines())
def test_pieces_are_all_of_the_spoken_text_in_order(line):
    spoken = line.between(0, len(line.text))
    pieces = line.pieces(0, len(line.text))
    assert "".join(spoken[one.start : one.end] for one in pieces).replace(" ", "") == (
        spoken.replace(" ", "")
    )
    assert all(a.end <= b.start and a.last <= b.first for a, b in pairwise(pieces))
    assert spoken == clean(spoken)
    assert len(line.uncut) == len(line.text)
