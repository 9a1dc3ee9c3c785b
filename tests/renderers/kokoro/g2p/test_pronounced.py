"""Phonemes that are given reach the model, for the words that they are given for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.errors import UnknownPhoneme
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from audiomill.renderers.kokoro.g2p.pronunciations import annotated, known_words, kokoro_phonemes
from support.case_files import each_row
from support.kokoro_text_data import V1_0, any_text, cached_g2p, check_sound, said


def read(spoken, *pronunciations, code="a"):
    text = annotated(spoken, pronunciations)
    return text.of_spoken(cached_g2p(code).phonemes(text.text))


def test_given_phonemes_are_those_of_their_words():
    spoken = "Saint John saw Worcester, and left."
    phonemes = read(
        spoken, Pronunciation(0, 10, "sˈɪn ʤən"), Pronunciation(15, 24, "wˈʊstəɹ kˈWnti")
    )
    words = dict(said(phonemes, spoken))
    assert words["Saint"] == "sˈɪn"
    assert words["John"] == "ʤən"
    assert words["Worcester"] == "wˈʊstəɹ kˈWnti"
    plain = dict(said(read(spoken), spoken))
    assert {word: words[word] for word in ("saw", "and", "left")} == {
        word: plain[word] for word in ("saw", "and", "left")
    }
    assert phonemes.remarks == ()


@given(any_text, st.data())
def test_any_part_of_any_text_can_be_pronounced(text, data):
    text = "".join(character for character in text if not "\ufff9" <= character <= "\ufffb")
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True)))
    pairs = zip(places[::2], places[1::2], strict=False)
    phonemes = read(text, *(Pronunciation(start, end, "kˈæt") for start, end in pairs))
    check_sound(phonemes, text, V1_0)
    for one in places[: len(places) // 2 * 2 : 2]:
        assert any(word.start <= one < word.end for word in phonemes.words)


@each_row
def test_ipa_becomes_what_the_model_takes(code, ipa, kokoro):
    language = LANGUAGES[code]
    assert kokoro_phonemes(ipa, language, V1_0.vocab) == kokoro
    assert kokoro_phonemes(kokoro, language, V1_0.vocab) == kokoro


@pytest.mark.parametrize("ipa", ["wʘn", "w7n", "w%n"])
def test_a_phoneme_that_the_model_lacks_is_named(ipa):
    with pytest.raises(UnknownPhoneme, match=rf"^{ipa[1]}$"):
        kokoro_phonemes(ipa, LANGUAGES["a"], V1_0.vocab)


@pytest.mark.parametrize("code", ["a", "b"])
def test_what_the_g2p_finds_can_be_given_to_it(code):
    text = "Thirty-three judges measured a boy's yellow church, about four o'clock, in butter."
    for word, phonemes in said(read(text, code=code), text):
        assert kokoro_phonemes(phonemes, LANGUAGES[code], V1_0.vocab) == phonemes, word


def test_words_of_the_dictionaries_are_known():
    words = "church churches London Skerrin well-known Ottoline walked o’clock"
    known = known_words(words.split(), british=False)
    assert known == {"church", "churches", "London", "well-known", "walked", "o’clock"}
