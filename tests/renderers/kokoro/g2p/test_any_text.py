"""Any text gives phonemes that the model knows; what cannot be said gets a remark."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.g2p import open_g2p, split_text
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from support.kokoro_text_data import V1_0, Alphabet, any_text, cached_g2p, check_sound


@pytest.mark.parametrize(
    "n_texts",
    [
        20,
        pytest.param(150, marks=pytest.mark.prove),
        pytest.param(1500, marks=pytest.mark.prove_long),
    ],
)
@pytest.mark.parametrize("code", list("abefhip"))
def test_any_text_is_said_or_remarked(code, n_texts, capsys):
    g2p = cached_g2p(code)

    @settings(max_examples=n_texts, deadline=None)
    @given(any_text)
    def holds(text):
        check_sound(g2p.phonemes(text), text, V1_0)

    holds()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b"])
def test_a_blank_text_has_no_phonemes(text):
    phonemes = cached_g2p("a").phonemes(text)
    assert (phonemes.text, phonemes.words) == ("", ())


def test_a_text_of_marks_is_only_pauses():
    phonemes = cached_g2p("a").phonemes("… —")
    assert (phonemes.text, phonemes.words, phonemes.remarks) == ("… —", (), ())


def test_phonemes_that_the_model_lacks_are_dropped():
    """A word that loses all its phonemes is left out."""
    alphabet = Alphabet(V1_0.vocab - set("sˈi"))
    phonemes = open_g2p(LANGUAGES["e"], alphabet).phonemes("sí, no")
    assert phonemes.text == ", no"
    assert [(one.start, one.end, one.words) for one in phonemes.remarks] == [(0, 2, "left out")]


@pytest.mark.parametrize("code", list("ae"))
def test_long_words_are_said_completely(code):
    """espeak-ng itself stops after about 200 phonemes of a word."""
    for unit, sound in (("kalamata", "m"), ("7", "s"), ("ж", "ʧ")):
        phonemes = cached_g2p(code).phonemes(unit * 200)
        assert phonemes.text.count(sound) >= 200


@pytest.mark.parametrize("code", list("ae"))
def test_a_long_text_has_the_phonemes_of_its_sentences(code):
    """The G2P gets a few hundred characters at a time, up to the end of a sentence."""
    sentences = [f"Page {number}, volume {number + 1}." for number in range(100)]
    whole = cached_g2p(code).phonemes(" ".join(sentences))
    assert whole.text == " ".join(cached_g2p(code).phonemes(one).text for one in sentences)
    assert len(whole.words) == 400


@given(st.text("ab .。\n", max_size=60), st.integers(1, 20))
def test_joined_spans_are_the_text(text, max_characters):
    spans = list(split_text(text, 0, len(text), max_characters))
    assert "".join(text[first:last] for first, last in spans) == text
    assert all(last - first <= max_characters for first, last in spans)


def test_spans_end_at_marks_or_at_spaces():
    text = "one, two three four"
    spans = split_text(text, 0, len(text), 8)
    assert [text[first:last] for first, last in spans] == ["one, ", "two ", "three ", "four"]
