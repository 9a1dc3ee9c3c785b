"""The library drops the ends of long words; broken ones are said whole, in their own places."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.de.language import cardinal
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.espeak.long_words import LONGEST, break_long_words
from support.case_files import each_row
from support.espeak_data import ESPEAK, FOX, say, timed_words

ACCENTED = "e\u0301"


@each_row
def test_twice_as_much_text_is_heard_twice_as_long(voice, unit):
    """A dropped end would leave the length as it was."""
    once, twice = (say(unit * n, voice).samples.size for n in (48, 96))
    assert 1.8 < twice / once < 2.2


def test_a_word_that_fits_is_as_it_was():
    for text in (FOX, "a" * LONGEST, "1" * 32, "https://example.org/" * 9, "-" * 90, "你" * 90):
        broken = break_long_words(text)
        assert (broken.text, broken.spaces) == (text, ()) or text[0] == "你"


@given(st.text(st.sampled_from(["a", "ส", "か", "7", ".", " ", "\n", "é", "\u0301"]), max_size=300))
def test_only_spaces_are_added_and_positions_lead_back(text):
    broken = break_long_words(text)
    added = {*broken.spaces}
    kept = [n for n in range(len(broken.text)) if n not in added]
    assert "".join(broken.text[n] for n in kept) == text
    assert [broken.original(n) for n in kept] == [*range(len(text))]
    assert all(broken.text[n] == " " for n in added)
    assert all(len(word) <= LONGEST for word in broken.text.split())


@each_row
def test_a_long_number_is_said_in_two_words_without_a_gap(number, said):
    text = f"Es waren {cardinal(number, 'DE')} da."
    assert ESPEAK.normalized_text(text) == f"Es waren {said} da."
    halves = [say(f"Es waren {half} da.", "de") for half in said.split()]
    assert longest_quiet_s(say(text, "de")) <= max(map(longest_quiet_s, halves)) + 0.02


@each_row
def test_a_long_word_that_can_be_pronounced_is_not_cut(word, voice):
    """It lasts as long as its halves together: nothing of it is dropped."""
    assert ESPEAK.normalized_text(word) == word
    middle = len(word) // 2
    halves = sum(say(half, voice).samples.size for half in (word[:middle], word[middle:]))
    assert 0.6 < say(word, voice).samples.size / halves < 1.1


def longest_quiet_s(rendered):
    """The longest time inside the sound that is softer than a hundredth of its peak."""
    loud = np.flatnonzero(np.abs(rendered.samples) > 0.01 * np.abs(rendered.samples).max())
    return int(np.diff(loud).max()) / ESPEAK.sample_rate


def test_an_accent_stays_with_its_letter():
    broken = break_long_words(ACCENTED * 60)
    assert broken.spaces
    assert all(len(word) % len(ACCENTED) == 0 for word in broken.text.split())


def test_timings_are_those_of_the_text_as_it_was():
    text = f"Eins {'ab' * 60} zwei."
    rendered = say(text, "de")
    words = timed_words(rendered, text)
    assert words[0] == "Eins"
    assert words[-1] == "zwei"
    assert "".join(words[1:-1]) == "ab" * 60


def test_only_texts_with_long_words_have_other_keys():
    """Shards of all other texts, and of other engines, stay valid."""
    assert ESPEAK.normalized_text(FOX) == FOX
    keys = {make_request(text, "de", ESPEAK, 1.0).key for text in ("x" * 41, "x" * 40)}
    assert len(keys) == 2
