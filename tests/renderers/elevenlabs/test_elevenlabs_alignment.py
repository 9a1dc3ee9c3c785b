"""Times of words from times of characters, whatever the characters are."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.elevenlabs.speech import Alignment, alignment_of, word_timings
from support.case_files import each_row

CHAR_S = 0.1


def spaced(text, entries=None):
    """An alignment in which each entry takes a tenth of a second."""
    entries = entries or [*text]
    return Alignment(
        tuple(entries),
        tuple(CHAR_S * n for n in range(len(entries))),
        tuple(CHAR_S * (n + 1) for n in range(len(entries))),
    )


def heard(spoken, alignment, duration_s=1000.0):
    timings = word_timings(spoken, alignment, duration_s)
    return {
        spoken[one.start : one.end]: (round(one.start_s, 3), round(one.end_s, 3)) for one in timings
    }


def test_signs_at_the_edges_of_a_word_take_no_time_of_it():
    assert heard("“One,” two.", spaced("“One,” two.")) == {"One": (0.1, 0.4), "two": (0.7, 1.0)}


@each_row
def test_another_text_is_aligned(text, words):
    found = heard("Dr. May, 12 years", spaced(text))
    assert found | words == found


def test_tags_have_no_time_and_are_no_text():
    tagged = '<phoneme alphabet="ipa" ph="tu">two</phoneme> mills'
    found = heard("two mills", spaced(tagged))
    at = CHAR_S * tagged.index("two")
    assert found["two"] == (round(at, 3), round(at + 0.3, 3))


def test_an_entry_may_be_several_characters():
    assert heard("fine day", spaced("", ["fi", "n", "e", " ", "day"])) == {
        "fine": (0.0, 0.3),
        "day": (0.4, 0.5),
    }


@each_row
def test_what_is_no_alignment_is_none(found):
    assert alignment_of(found) is None


TEXTS = st.text(st.sampled_from("ab C1<>ß.—é\u0301"), max_size=40)
TIMES = st.floats(-1, 5)


@given(TEXTS, st.lists(st.tuples(st.sampled_from("ab C1<>ß.—éſs"), TIMES, TIMES), max_size=40))
def test_words_are_in_order_within_the_audio_whatever_comes(spoken, rows):
    alignment = Alignment(*(tuple(row[at] for row in rows) for at in range(3)))
    timings = word_timings(spoken, alignment, 3.0)
    for one in timings:
        assert 0 <= one.start < one.end <= len(spoken)
        assert 0 <= one.start_s < one.end_s <= 3.0
    for first, second in pairwise(timings):
        assert first.end <= second.start
        assert first.end_s <= second.start_s


@given(st.text(st.sampled_from("abcé 1"), max_size=60))
def test_the_times_of_the_same_text_are_found_exactly(spoken):
    for word in word_timings(spoken, spaced(spoken), 1000.0):
        assert word.start_s == pytest.approx(CHAR_S * word.start)
        assert word.end_s == pytest.approx(CHAR_S * word.end)
