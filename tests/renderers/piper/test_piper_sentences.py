"""Phonemes that are given in brackets, among those that are read."""

import re

from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.piper.child import phonemes_of
from support.case_files import each_row


def read(text):
    """A reader as Piper's: letters are their own phonemes, and each sentence keeps its end."""
    for sentence in re.findall(r"[^.!?]+[.!?]?", text):
        words = re.findall(r"\w+[,;:]?", sentence)
        if words:
            yield list(" ".join(words) + sentence[-1:].strip("".join(words) + " "))


@each_row
def test_phonemes_stand_in_their_place_and_keep_the_marks_around_them(text, sentences):
    assert ["".join(one) for one in phonemes_of(text, lambda part: [*read(part)])] == sentences


@given(st.text("ab .,!?[]", max_size=30))
def test_no_letter_is_lost_and_no_sentence_is_empty(text):
    sentences = phonemes_of(text, lambda part: [*read(part)])
    assert all(sentences)
    joined = "".join("".join(one) for one in sentences)
    assert re.sub(r"[^ab]", "", joined) == re.sub(r"[^ab]", "", text)
