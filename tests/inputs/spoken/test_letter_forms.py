"""Letters that only look different are said as plain ones, and stay as they are in the text."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.grammars import grammar_of, spoken_line
from audiomill.inputs.spoken.letter_forms import plain_letters
from support.case_files import each_row

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
