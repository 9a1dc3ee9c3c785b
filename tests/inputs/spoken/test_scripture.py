"""English references to chapters and verses: as written, as spoken."""
# ruff: noqa: E501  # a case is a line

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.english.numbers.numbers import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import assert_said, said

US = """
In Deut. 20:14 and 21:10-14, we have; Num. 3:7;4:1 | In Deuteronomy twenty fourteen and twenty-one, verses ten to fourteen, we have; Numbers three seven; four one
1 Samuel XXVIII 7, Genesis XXXVII. 5 | First Samuel twenty-eight seven, Genesis thirty-seven five
See Gen. i. 3 there. | See Genesis one three there.
He read 1 Cor. xiii. 4–7 aloud. | He read First Corinthians thirteen, verses four to seven aloud.
See 1 Cor. vii. 20-4 and Matt. v. 3. | See First Corinthians seven, verses twenty to twenty-four and Matthew five three.
1:1 The first word of it. | one, one The first word of it.
It was so. 1:2 And then | It was so. one, two And then
John 3:16 says | John three sixteen says
1 Cor. 13:4–7 | First Corinthians thirteen, verses four to seven
Psalm 23 | Psalm twenty-three
Ps. 119:105 | Psalm one hundred nineteen, verse one hundred five
Gen. 1:1–2:3 | Genesis one one to two three
John 3:16, 18 | John three, verses sixteen and eighteen
Read Genesis 1:1 aloud. | Read Genesis one one aloud.
See Matt. 5:3–12 for more. | See Matthew five, verses three to twelve for more.
As Romans 8:28 says | As Romans eight twenty-eight says
Song of Solomon 2:3 | Song of Solomon two three
Acts 2:38 and Acts 3:1 | Acts two thirty-eight and Acts three one
2 Kings 4:1–7 tells it. | Second Kings four, verses one to seven tells it.
1 John 4:8 is short. | First John four eight is short.
II Tim. 3:16 is known. | Second Timothy three sixteen is known.
2 Tim. 3:16–17 | Second Timothy three, verses sixteen to seventeen
1 Corinthians 13 | First Corinthians thirteen
Ps. 23 is sung. | Psalm twenty-three is sung.
Pss. 1–3 open it. | Psalms one to three open it.
Psalm 119:11 | Psalm one hundred nineteen, verse eleven
Rev. 21:4 ends it. | Revelation twenty-one four ends it.
Luke 2:1–20; 3:1 | Luke two, verses one to twenty; three one
Isa. 40:31a is quoted. | Isaiah forty thirty-one A is quoted.
John 11:35, 38 | John eleven, verses thirty-five and thirty-eight
Mark 16:9ff. is late. | Mark sixteen nine and following is late.
Exod. 20:1–17 | Exodus twenty, verses one to seventeen
First Corinthians 13:4 | First Corinthians thirteen four
Heb. 11:1 | Hebrews eleven one
See Phil. 4:13 again. | See Philippians four thirteen again.
1 Samuel 17 tells it. | First Samuel seventeen tells it.
in (Job 9.22, 23) and Psalm 27.13 | in (Job nine, verses twenty-two and twenty-three) and Psalm twenty-seven thirteen
by Rev. 14.13 and Deut. 13. 1 | by Revelation fourteen thirteen and Deuteronomy thirteen one
as in 1 Cor. 15. 22. He | as in First Corinthians fifteen twenty-two. He
in Matth. 23.36 and Psal. 76.10 | in Matthew twenty-three thirty-six and Psalm seventy-six ten
preached on 1 Kings vi. 18: "And | preached on First Kings six eighteen: "And
"""
GB = """
Ps. 119:105 | Psalm one hundred and nineteen, verse one hundred five
Psalm 119:11 | Psalm one hundred and nineteen, verse eleven
John 3:16 says | John three sixteen says
John 3:16, 18 | John three, verses sixteen and eighteen
Song of Solomon 2:3 | Song of Solomon two three
II Tim. 3:16 is known. | Second Timothy three sixteen is known.
Pss. 1–3 open it. | Psalms one to three open it.
John 11:35, 38 | John eleven, verses thirty-five and thirty-eight
"""
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


def test_as_in_the_united_states():
    assert_said(US, "en-US")


def test_as_in_britain():
    assert_said(GB, "en-GB")


@pytest.mark.parametrize("written", SOMETHING_ELSE.strip().splitlines())
def test_what_only_looks_alike_is_left(written):
    kinds = {edit.kind for edit in spoken_line(written, "en-US").edits}
    assert kinds.isdisjoint(("verse",))


@given(chapter=st.integers(1, 99), verse=st.integers(1, 99))
def test_a_verse_is_its_two_numbers(chapter, verse):
    expected = f"John {cardinal(chapter)} {cardinal(verse)}"
    assert said(f"John {chapter}:{verse}", "en-US") == expected
