"""English references to numbered parts: as written, as spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import said

SOMETHING_ELSE = """
of the intricate arts. I will give | of the intricate arts. I will give
He is a decent chap. I fear for him.
No. 7 people came.
the answer is no. 7 people came
He loves art. 3 people came.
I like the app. I use it.
of any sect. I had read
It was a fig. 5 minutes later
He said no. 5 men stayed.
Roe v. 4 men
a v. large cup
in a sec. 5 men ran
Go on. p. is a letter.
John P. 4 of us
I said no. Then left.
No. The answer is no.
no. of people
Mr. L. 12 is here
#metoo now
Nice to see you, Mr. 5
Say no. I mean it.
The Tollways p.l.c. pays.
"""


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("reference",))


@given(number=st.integers(1, 9999))
def test_a_page_is_a_cardinal(number):
    assert said(f"see p. {number} here", "en-US") == f"see page {cardinal(number)} here"
