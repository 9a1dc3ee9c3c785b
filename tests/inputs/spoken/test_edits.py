"""Edits of a printed text: what is said, from where, and where rules are tried."""

import re
import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.grammars import grammar_of, spoken_line
from audiomill.inputs.spoken.edits import Edit, SpokenLine, clean
from audiomill.inputs.spoken.first_characters import first_characters
from audiomill.inputs.spoken.letter_forms import plain_letters
from audiomill.inputs.spoken.rules import RuleIndex
from support.case_files import each_row
from support.spoken_cases import CASES

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


@each_row
def test_a_pattern_tells_with_which_characters_it_begins(pattern, begins, other):
    found = first_characters(re.compile(pattern, re.VERBOSE))
    assert found is not None
    assert [one for one in begins + other if found.match(one)] == list(begins)


@each_row
def test_a_pattern_of_another_kind_may_begin_with_any(pattern):
    assert first_characters(re.compile(pattern, re.VERBOSE)) is None


def test_spaces_of_a_pattern_that_is_not_written_with_spaces_are_not_overlooked():
    found = first_characters(re.compile(" a"))
    assert found is not None
    assert [one for one in " a" if found.match(one)] == [" "]
    assert first_characters(re.compile("#?a")) is None


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "pt"])
def test_each_match_of_a_rule_begins_as_its_pattern_tells(language):
    files = sorted(CASES.rglob(f"{language}-*/*.txt")) + sorted(CASES.glob(f"{language}-*.txt"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    text = "\n".join(lines[:: 1 + len(lines) // 800])
    n_matches = 0
    for rule in grammar_of(language).rules:
        start = first_characters(rule.pattern)
        for match in rule.compiled().pattern.finditer(text):
            assert start is None or not match[0] or start.match(match[0]), rule.pattern.pattern
            n_matches += 1
    assert n_matches > 500


def test_rules_are_the_same_ones_whenever_they_are_compiled():
    early, late = (RuleIndex(grammar_of("de").rules) for _ in range(2))
    early.compile()
    for character in "M1€-":
        assert early.at(character) == late.at(character)
        assert len(early.at(character)) > 2


SMALL = dict(zip("abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", strict=True))
# Where the capital A of an alphabet without gaps stands; the small ones follow.
ALPHABETS = (0x1D400, 0x1D468, 0x1D4D0, 0x1D5A0, 0x1D5D4, 0x1D63C, 0x1D670)


def said(text: str, language: str = "en") -> str:
    return spoken_line(text, language).between(0, len(text))


def in_alphabet(word: str, start: int) -> str:
    return "".join(chr(start + string.ascii_letters.swapcase().index(one)) for one in word)


@each_row
def test_a_word_in_other_letters_is_said_as_in_plain_ones(printed, language, spoken):
    assert said(printed, language) == spoken


@pytest.mark.parametrize("text", ["said /ɪt/ and [pʰɪn]", "in ℝ", "Ⓐ", "ʙɪɢ", "Mᵐᵉ"])
def test_signs_of_their_own_stay(text):
    assert plain_letters(text, grammar_of("en")) == text


@given(st.text(string.ascii_lowercase, min_size=2, max_size=9), st.sampled_from(ALPHABETS))
def test_every_alphabet_sounds_like_plain_letters(word, start):
    assert said(f"the {in_alphabet(word, start)} there") == said(f"the {word} there")


@given(st.text(st.characters(codec="utf-8")), st.sampled_from(("en", "de", "zz")))
def test_places_stay_and_the_text_too(text, language):
    assert len(plain_letters(text, grammar_of(language))) == len(text)
    line = spoken_line(text, language)
    assert line.text == text
    assert all(0 <= edit.start < edit.end <= len(text) for edit in line.edits)


@given(st.text(st.sampled_from([*SMALL])))
def test_small_capitals_keep_their_word_together(word):
    printed = "ᴍ" + "".join(SMALL[one] for one in word)
    assert said(printed, "de") == "m" + word
