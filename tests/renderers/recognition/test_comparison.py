"""Spelling is no fault of a voice; words that are missing, doubled, added or others are."""

import pytest

from audiomill.renderers.recognition.comparison import other_words, words_heard, words_of

ALIKE = [
    ("en", "In eighteen ninety-seven Doctor Hale’s mill had 14 sails.", "In 1897 Dr. Hales"
     " mill had fourteen sails."),
    ("en", "“Whose rules?” the ferryman asked Ruth.", "Who's Rawls? The farrahman asked Ruth."),
    ("en", "She did not stand up half way across.", "She didn't stand up halfway across."),
    ("en", "He knew the grey night at the weir.", "He new the gray knight at the where."),
    ("en", "Hear that? That’s the weir, and that, that’s my dog.", "Hear that? That's the weir, and"
     " that's my dog."),
    ("en", "Know’st thou not the sound of bards?", "No, not the sound of bards."),
    ("fr", "Où vas-tu, Étienne ?", "Ou va tu Etienne?"),
    ("fr", "Neuf fois cinq font quarante-cinq.", "9x5.45"),
    ("de", "Der Müller zählte 21 Wagen.", "Der Mueller zählte einundzwanzig Wagen."),
]  # fmt: skip
OTHERS = [
    ("The mill stood beside the sea, and nobody came.", "The mill stood, and nobody came.",
     "“beside the sea” is missing"),
    ("The mill stood beside the sea.", "The mill stood beside the sea. The mill stood beside the"
     " sea.", "“the mill stood beside the sea” is added"),
    ("Nobody had oiled the wheel.", "Nobody had oiled the wheel. Thanks for watching this.",
     "“thanks for watching this” is added"),
    ("Seventeen lanterns burned.", "", "“seventeen lanterns burned” is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "heard"), ALIKE)
def test_what_sounds_alike_is_no_difference(language, text, heard):
    assert other_words(words_of(text, language), words_heard(heard, language)) is None


@pytest.mark.parametrize(("text", "heard", "told"), OTHERS)
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
