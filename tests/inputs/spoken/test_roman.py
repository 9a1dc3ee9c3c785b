"""Roman numerals: their values, and what is said for them."""

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.languages.grammars import spoken_line
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.roman import roman_value
from support.case_files import each_row
from support.spoken_cases import said, to_roman


@given(value=st.integers(1, 4999))
def test_each_number_that_is_written_by_the_rules_is_read(value):
    numeral = to_roman(value)
    assert roman_value(numeral) == roman_value(numeral.lower()) == value


@pytest.mark.parametrize("numeral, value", [("IIII", 4), ("MDCCCCX", 1910), ("XXXX", 40)])
def test_older_forms_with_four_signs_are_read(numeral, value):
    assert roman_value(numeral) == value


@pytest.mark.parametrize("text", ["", "IIX", "VV", "IC", "ABC", "X I", "1", "XIIIII"])
def test_what_no_rule_writes_has_no_value(text):
    assert roman_value(text) is None


@each_row
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


def said_with_marks(written, language):
    """What is said where the source marks the numerals in brackets as such."""
    text, numerals = "", {}
    for part in re.split(r"(\[\w+\])", written):
        bare = part.strip("[]")
        if bare != part:
            numerals[len(text)] = len(text) + len(bare)
        text += bare
    return spoken_line(text, language, numerals=numerals).between(0, len(text))


@each_row
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
