"""Word timings are sums of predicted durations, in frames of 25 ms, less what is heard earlier."""

import pytest

from audiomill.renderers.engine.protocol import WordTiming
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, PhonemeWord
from audiomill.renderers.kokoro.inference.rows import merge_split_words, word_timings

#                        edge h  ə  l  O  ,     w  ɜ  edge
DURATIONS = (4, 2, 3, 1, 6, 5, 2, 3, 7, 9)
HELLO = Phonemes("həlO, wɜ", (PhonemeWord(0, 6, 0, 5), PhonemeWord(7, 9, 6, 8)))


def test_a_word_is_heard_from_the_space_before_it_and_the_first_from_its_phonemes():
    first, second = word_timings(HELLO, DURATIONS, 0.025, 0.0)
    assert (first.start, first.end) == (0, 6)
    assert (first.start_s, first.end_s) == pytest.approx((1 * 0.025, 19.5 * 0.025))
    assert (second.start_s, second.end_s) == pytest.approx((19.5 * 0.025, 31.5 * 0.025))


def test_words_without_a_mark_between_them_follow_without_a_gap():
    words = (PhonemeWord(0, 5, 0, 4), PhonemeWord(6, 8, 5, 7))
    first, second = word_timings(Phonemes("həlO wɜ", words), DURATIONS[:9], 0.025, 0.0)
    assert first.end_s == second.start_s


def test_no_word_starts_before_its_row():
    first, _ = word_timings(HELLO, (1, *DURATIONS[1:]), 0.025, 10.0)
    assert first.start_s == 10.0


def test_timings_of_a_later_row_are_shifted():
    first, _ = word_timings(HELLO, DURATIONS, 0.025, 10.0)
    assert first.start_s == pytest.approx(10.025)


def test_a_word_split_between_two_rows_is_merged():
    halves = (WordTiming(0, 5, 0.0, 0.5), WordTiming(6, 9, 0.5, 0.7), WordTiming(6, 9, 0.8, 1.0))
    assert merge_split_words(halves) == (WordTiming(0, 5, 0.0, 0.5), WordTiming(6, 9, 0.5, 1.0))
