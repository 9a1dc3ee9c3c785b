"""Phonemes are counted before they are made, and split where they exceed the model's limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.protocol import Remark
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, PhonemeWord, split
from support.case_files import each_row

WORD = "bˈɑtəl"
marks = st.sampled_from([" ", " ", " ", ", ", ". ", "; ", "! ", ".” ", " (", "—", "…"])
texts = st.lists(st.tuples(st.text("abɑˈəlT", min_size=1, max_size=40), marks), max_size=60)


def phonemes_of(pieces) -> Phonemes:
    """Phonemes of words and the mark after each; the phonemes are the letters."""
    text, words = "", []
    for word, mark in pieces:
        words.append(
            PhonemeWord(len(text), len(text) + len(word), len(text), len(text) + len(word))
        )
        text += word + mark
    remarks = tuple(Remark(word.start, word.end, "spelled out") for word in words[::3])
    return Phonemes(text.rstrip(), tuple(words), remarks)


def sentences(*n_words: int) -> Phonemes:
    return phonemes_of(
        [(WORD, ". " if word == last - 1 else " ") for last in n_words for word in range(last)]
    )


@given(texts, st.integers(1, 120))
def test_joined_parts_are_the_whole_and_every_part_fits(pieces, max_phonemes):
    whole = phonemes_of(pieces)
    parts = split(whole, max_phonemes)
    rest = whole.text
    for part in parts:
        assert 0 < len(part.text) <= max_phonemes or not whole.text
        rest = rest.removeprefix(" ") if part is not parts[0] else rest
        assert rest.startswith(part.text)
        assert part.text == part.text.strip()
        rest = rest[len(part.text) :]
    assert rest == ""


@given(texts, st.integers(1, 120))
def test_parts_keep_their_words_and_remarks(pieces, max_phonemes):
    whole = phonemes_of(pieces)
    parts = split(whole, max_phonemes)
    said = {}
    for part in parts:
        for word in part.words:
            assert 0 <= word.first < word.last <= len(part.text)
            key = (word.start, word.end)
            said[key] = said.get(key, "") + part.text[word.first : word.last]
    assert said == {
        (word.start, word.end): whole.text[word.first : word.last] for word in whole.words
    }
    assert [one for part in parts for one in part.remarks] == list(whole.remarks)


@given(texts, st.integers(1, 120), st.integers(1, 3))
def test_spaces_at_the_end_are_ignored(pieces, max_phonemes, n_spaces):
    whole = phonemes_of(pieces)
    spaced = Phonemes(whole.text + n_spaces * " ", whole.words, whole.remarks)
    assert split(spaced, max_phonemes) == split(whole, max_phonemes)


def test_phonemes_that_fit_are_unchanged():
    whole = sentences(60)
    assert len(whole.text) < 510
    assert split(whole) == (whole,)


def test_cuts_prefer_the_ends_of_sentences():
    parts = split(sentences(30, 40, 25))
    assert [part.text[-1] for part in parts] == [".", "."]


def test_cuts_prefer_the_end_of_a_clause_to_a_space():
    pieces = [(WORD, " ")] * 30 + [(WORD, ", ")] + [(WORD, " ")] * 50
    first, _ = split(phonemes_of(pieces))
    assert first.text.endswith(",")


def test_the_last_part_is_not_small():
    """Even the end of a sentence does not leave a part of two words."""
    parts = split(sentences(71, 2))
    assert min(len(part.text) for part in parts) > 150


def test_parts_are_few_and_even():
    for n_words in (80, 200, 500):
        lengths = [len(part.text) for part in split(sentences(n_words))]
        assert len(lengths) == -(-n_words * 7 // 510)
        assert max(lengths) - min(lengths) <= 14


def test_only_a_word_that_does_not_fit_is_cut():
    parts = split(phonemes_of([("a" * 1200, " "), (WORD, ".")]))
    assert all(len(part.text) <= 510 for part in parts)
    assert "".join(part.text for part in parts).count("a") == 1200
    assert {(word.start, word.end) for part in parts for word in part.words} == {
        (0, 1200),
        (1201, 1207),
    }


def test_max_phonemes_must_be_positive():
    with pytest.raises(ValueError, match="max_phonemes"):
        split(sentences(1), 0)


# Counted by misaki 0.9.4: its English lexicon, and espeak-ng for the other languages.
BY_TAG = {language.tag: language for language in LANGUAGES.values()}
languages = st.sampled_from([*BY_TAG])


def estimate(text: str, tag: str) -> int:
    return BY_TAG[tag].estimated_phonemes(text)


@each_row
def test_the_estimate_is_near_the_count(language, counted, text):
    assert estimate(text, language) == pytest.approx(counted, rel=0.15)


def test_digits_and_signs_count_as_words():
    assert estimate("1984", "en-US") == 24
    assert estimate("5 %", "en-US") == 6 + 1 + 8
    assert estimate("", "en-US") == 0


@given(st.lists(st.text()), st.sampled_from(["", " "]), languages)
def test_a_text_has_no_greater_estimate_than_its_parts(parts, between, language):
    whole = estimate(between.join(parts), language)
    apart = sum(estimate(part, language) for part in parts)
    assert whole <= apart + max(0, len(parts) - 1) * len(between)


@given(st.text(), st.characters(), languages)
def test_a_longer_text_has_no_smaller_estimate(text, more, language):
    assert estimate(text, language) <= estimate(text + more, language)
