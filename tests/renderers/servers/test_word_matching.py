"""Times of a server's words: those of the spoken words, in order and in the audio, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.openai.word_times import HeardWord, word_timings
from audiomill.renderers.speech.timing import word_spans
from support.case_files import each_row

SECOND = 1.0


def heard(*words):
    """Words of a second each."""
    return [HeardWord(word, n * SECOND, (n + 1) * SECOND) for n, word in enumerate(words)]


def matched(spoken, *words):
    """Each spoken word with the seconds in which it sounds."""
    timings = word_timings(spoken, heard(*words), len(words) * SECOND)
    return [(spoken[one.start : one.end], one.start_s, one.end_s) for one in timings]


def test_signs_are_no_words_and_cases_do_not_matter():
    found = matched("“Stop!” said Ann.", "“", "stop", "!", "”", "SAID", "Ann", ".")
    assert found == [("Stop", 1, 2), ("said", 4, 5), ("Ann", 5, 6)]


def test_a_word_may_come_in_parts_and_parts_as_a_word():
    assert matched("a well-known £3.50", "a", "well", "-", "known", "£", "3.50") == [
        ("a", 0, 1),
        ("well-known", 1, 4),
        ("3.50", 5, 6),
    ]
    assert matched("Go—now!", "Gonow", "!") == [("Go", 0, pytest.approx(0.4)), ("now", 0.4, 1)]


def test_letters_of_other_forms_are_the_same():
    assert matched("ﬁne Straße naı\u0308ve", "fine", "STRASSE", "naı\u0308ve") == [
        ("ﬁne", 0, 1),
        ("Straße", 1, 2),
        ("naı\u0308ve", 2, 3),
    ]


def test_a_number_may_be_told_in_words():
    words = ("It", "took", "one", "hundred", "and", "five", "years", "of", "work", ".")
    assert matched("It took 105 years of work.", *words) == [
        ("It", 0, 1),
        ("took", 1, 2),
        ("105", 2, 6),
        ("years", 6, 7),
        ("of", 7, 8),
        ("work", 8, 9),
    ]
    assert matched("Ask Dr. Lee", "Ask", "Doctor", "Lee")[1] == ("Dr", 1, 2)


@each_row
def test_what_is_in_doubt_gets_no_times(spoken, words):
    assert matched(spoken, *words) == []


@pytest.mark.parametrize(
    "times",
    [
        [(0, 1), (5, 6)],  # after the audio
        [(1, 2), (0, 1)],  # not in order
        [(0, 1), (2, 1)],
        [(0, 1), (float("nan"), 2)],
        [(-1, 0), (0, 1)],
    ],
)
def test_times_that_cannot_be_are_not_believed(times):
    words = [HeardWord(word, *time) for word, time in zip(("One", "two"), times, strict=True)]
    assert word_timings("One two", words, 2.0) == ()


def test_times_a_little_outside_are_moved_inside():
    words = [HeardWord("One", -0.05, 0.9), HeardWord("two", 0.8, 2.1)]
    one, two = word_timings("One two", words, 2.0)
    assert (one.start_s, one.end_s, two.start_s, two.end_s) == (0.0, 0.9, 0.9, 2.0)


TEXTS = st.text(st.sampled_from("ab1 .,—'éß½"), max_size=20)


@given(TEXTS, st.lists(st.tuples(TEXTS, st.floats(-1, 5), st.floats(-1, 5)), max_size=8))
def test_times_are_of_all_words_in_order_and_in_the_audio(spoken, told):
    timings = word_timings(spoken, [HeardWord(*one) for one in told], 3.0)
    assert not timings or [(one.start, one.end) for one in timings] == [*word_spans(spoken)]
    at_s = 0.0
    for one in timings:
        assert at_s <= one.start_s <= one.end_s <= 3.0
        at_s = one.end_s


@given(st.lists(st.text(st.sampled_from("abcé12"), min_size=1), min_size=1, max_size=8), st.data())
def test_a_text_matches_itself_however_it_is_divided(words, data):
    """The server's words are any parts of the text's words, with signs among them."""
    told = []
    for word in words:
        cut = data.draw(st.integers(1, len(word)))
        told += [
            word[:cut],
            *([word[cut:]] if word[cut:] else []),
            data.draw(st.sampled_from(".,")),
        ]
    timings = word_timings(" ".join(words), heard(*told), len(told) * SECOND)
    assert len(timings) == len(words)
    at = 0
    for timing, word in zip(timings, words, strict=True):
        begins = at
        letters = ""
        while letters != word:
            letters += told[at]
            at += 1
        assert (timing.start_s, timing.end_s) == (begins, at)
        at += 1  # the sign
