"""Roman numerals in English: as written, as spoken."""

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import cases, said, to_roman

HEADINGS = """
XIV | fourteen
XIV. | fourteen.
I | one
I. | one.
V | five
X. | ten.
XL | forty
XCIX. | ninety-nine.
XIV. The Mill | fourteen. The Mill
I. The Mill | one. The Mill
II: The Mill | two: The Mill
V. The Mill | five. The Mill
I. Loomings | one. Loomings
III — The Mill | three — The Mill
M. Boirac Makes a Statement | Monsieur Boirac Makes a Statement
M. Scott Hale in London | M. Scott Hale in London
XII The Mill | twelve The Mill
CHAPTER XIV | CHAPTER fourteen
CHAPTER I. | CHAPTER one.
Chapter L | Chapter fifty
Chapter I: The Mill | Chapter one: The Mill
PART II | PART two
Book III | Book three
CANTO I | CANTO one
Stave IV | Stave four
ACT V | ACT five
Act I, Scene II | Act one, Scene two
BOOK THE FIRST | Book the First
1. The Mill | one. The Mill
1844 | eighteen forty-four
1914–1918 | nineteen fourteen to nineteen eighteen
Henry V | Henry the Fifth
Elizabeth I | Elizabeth the First
MIX | Mix
CIVIL | Civil
DIM | Dim
CD | C D
CV | C V
D | D
C | C
D. H. Lawrence | D H Lawrence
V. S. Naipaul | V S Naipaul
I. M. Pei | I M Pei
I Am a Cat | I Am a Cat
IV Therapy | IV Therapy
V for Victory | V for Victory
MI5 and After | MI-five and After
MCMXIV | nineteen fourteen
"""


@pytest.mark.parametrize(("written", "spoken"), cases(HEADINGS))
def test_in_headings(written, spoken):
    assert spoken_line(written, "en-US", BlockKind.HEADING).between(0, len(written)) == spoken


@given(value=st.integers(min_value=1, max_value=89))
def test_a_chapter_says_its_number(value):
    numeral = to_roman(value)
    assume(len(numeral) > 1 or numeral in "IVX")
    assert said(f"See Chapter {numeral}.", "en-US") == f"See Chapter {cardinal(value)}."


@given(
    text=st.text(alphabet="IVXLCDM ivx.()–'sHenry1", max_size=40), kind=st.sampled_from(BlockKind)
)
def test_edits_do_not_overlap(text, kind):
    edits = spoken_line(text, "en-GB", kind).edits
    assert all(one.end <= other.start for one, other in pairwise(edits))


# Where the source marks the numeral in brackets as one.
MARKED = """
Charles [I] was king. | Charles the First was king.
under Dionysius [I] | under Dionysius the First
of King Henry [IV], Part [I], act [v] | of King Henry the Fourth, Part one, act five
hats of [xx], [xxx] or [xl] shillings | hats of twenty, thirty or forty shillings
[C]: Leg and Arm | one hundred: Leg and Arm
[CV] | one hundred five
his [XXXIX] Articles | his thirty-nine Articles
the [XIX] century | the nineteenth century
[I]. The "Sperm Whale" | one. The "Sperm Whale"
[MCMXIV] | nineteen fourteen
Robert Smith [III] | Robert Smith the Third
[Mill] | Mill
I saw Charles [I] | I saw Charles the First
"""


def said_with_marks(written, language):
    text, numerals = "", {}
    for part in re.split(r"(\[\w+\])", written):
        bare = part.strip("[]")
        if bare != part:
            numerals[len(text)] = len(text) + len(bare)
        text += bare
    return spoken_line(text, language, numerals=numerals).between(0, len(text))


@pytest.mark.parametrize(("written", "spoken"), cases(MARKED))
def test_what_the_source_marks_is_a_number(written, spoken):
    assert said_with_marks(written, "en-US") == spoken


@pytest.mark.parametrize(
    ("language", "spoken"),
    [("de", "Akt fünf"), ("fr", "Akt cinq"), ("es", "Akt cinco"), ("it", "Akt cinque")],
)
def test_in_other_languages_too(language, spoken):
    assert said_with_marks("Akt [v]", language) == spoken


def test_a_language_without_rules_leaves_it_to_the_engine():
    assert said_with_marks("Akt [V]", "nl") == "Akt V"
