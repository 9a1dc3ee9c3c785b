"""English references to chapters and verses: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said

SOMETHING_ELSE = """
James XII. 3 men | James the Twelfth. three men
Mark 5 of them.
John 3 times fell.
Job 3 pays well.
See you, Dan, at 10:30.
Is 10:30 fine?
I am 10:30 late.
He has 2 kings and 4 aces.
Acts 2 and 3 drag.
Numbers 3 to 5 won.
James 4 fell.
By John 3. 12 men came.
Rev. 2.1 of the board.
See Ex. 3.14 and Num. 4.5.
"""


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("verse",))


@given(chapter=st.integers(1, 99), verse=st.integers(1, 99))
def test_a_verse_is_its_two_numbers(chapter, verse):
    expected = f"John {cardinal(chapter)} {cardinal(verse)}"
    assert said(f"John {chapter}:{verse}", "en-US") == expected
