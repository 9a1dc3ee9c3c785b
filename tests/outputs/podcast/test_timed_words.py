"""What a WebVTT file says, and when."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.podcast.timed_words import TimedWords, paragraphs, timed_words
from support.podcast_data import VTT


def test_cues_are_read_without_settings_styles_and_voices():
    assert timed_words(VTT) == [
        TimedWords(0.0, "The weir was built before"),
        TimedWords(0.9, "anyone counted the eels."),
        TimedWords(1.8, "Then somebody did & wrote it down."),
    ]


def test_hours_identifiers_and_line_breaks_are_read():
    vtt = "\ufeffWEBVTT\r\n\r\nintro\r\n01:02:03.250 --> 01:02:04.000\r\none\r\ntwo\r\n\r\n"
    assert timed_words(vtt) == [TimedWords(3723.25, "one two")]


def test_what_is_no_transcript_says_nothing():
    assert timed_words("") == timed_words("\0\x01binary\n\n--> \n") == []


def test_a_chapter_begins_a_paragraph():
    words = [TimedWords(start, "") for start in (0.0, 3.0, 9.4, 12.0, 50.0)]
    groups = [[one.start_s for one in group] for group in paragraphs(words, [0.0, 9.3996, 12.5])]
    assert groups == [[0.0, 3.0], [9.4, 12.0], [50.0]]


def test_the_title_of_a_chapter_stands_alone_and_only_at_its_beginning():
    said = [(0, "Sea"), (2, "It was wet."), (4, "Sea"), (6, "Hill"), (8, "It was dry.")]
    words = [TimedWords(start, text) for start, text in said]
    groups = [[one.text for one in group] for group in paragraphs(words, [0, 6], ["Sea", "Hill"])]
    assert groups == [["Sea"], ["It was wet.", "Sea"], ["Hill"], ["It was dry."]]


def test_no_paragraph_begins_within_a_sentence_that_is_not_endless():
    said = {0: "One.", 29: "Two,", 31: "and", 36: "three.", 38: "Four", 70: "so", 99: ""}
    words = [TimedWords(start, text) for start, text in said.items()]
    groups = [[one.start_s for one in group] for group in paragraphs(words)]
    assert groups == [[0, 29, 31, 36], [38, 70], [99]]


@given(st.lists(st.floats(0, 1000)).map(sorted))
def test_paragraphs_hold_all_words_in_order_in_about_half_a_minute(starts):
    words = [TimedWords(start, f"“{n}.”") for n, start in enumerate(starts)]
    groups = list(paragraphs(words))
    assert [one for group in groups for one in group] == words
    assert all(group[-1].start_s - group[0].start_s < 30 for group in groups)
    assert all(b[0].start_s - a[0].start_s >= 30 for a, b in pairwise(groups))
