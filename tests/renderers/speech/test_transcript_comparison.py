"""Spelling is no fault of a voice; words that are missing, doubled, added or others are."""

from audiomill.renderers.speech.transcript_comparison import other_words, words_heard, words_of
from support.case_files import each_row


@each_row
def test_what_sounds_alike_is_no_difference(language, text, heard):
    assert other_words(words_of(text, language), words_heard(heard, language)) is None


@each_row
def test_what_is_missing_or_added_is_told(text, heard, told):
    assert str(other_words(words_of(text, "en"), words_of(heard, "en"))) == told


def test_other_words_are_told_beside_those_of_the_text():
    expected, heard = (
        words_of("The carter sold his oxen.", "en"),
        words_of("The mill burned.", "en"),
    )
    found = other_words(expected, heard)
    assert found is not None
    assert str(found) == "“carter sold his oxen” sounds like “mill burned”"


def test_words_with_a_pronunciation_of_their_own_may_be_heard_as_anything():
    expected, heard = words_of("Lady Cholmondeley-Featherstonehaugh left.", "en"), ["lady", "left"]
    assert other_words(expected, heard) is not None
    assert other_words(expected, heard, n_tolerated=20) is None
