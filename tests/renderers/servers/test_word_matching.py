"""Times of a server's words: those of the spoken words, in order and in the audio, or none."""

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
    return [
        (spoken[one.start : one.end], round(one.start_s, 9), round(one.end_s, 9)) for one in timings
    ]


@each_row
def test_words_have_the_times_at_which_they_are_heard(spoken, words, expected):
    assert matched(spoken, *words) == expected


@each_row
def test_what_is_in_doubt_gets_no_times(spoken, words):
    assert matched(spoken, *words) == []


@each_row
def test_times_that_cannot_be_are_not_believed(first, second):
    words = [HeardWord("One", *map(float, first)), HeardWord("two", *map(float, second))]
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
