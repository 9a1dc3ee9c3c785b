"""Spanish, French, Hindi, Italian and Portuguese: phonemes equal upstream's, word by word."""

import logging
import warnings
from functools import cache

from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from support.case_files import each_row
from support.kokoro_text_data import V1_0, cached_g2p, said


@cache
def upstream(code: str):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from misaki.espeak import EspeakG2P

        return EspeakG2P(language=LANGUAGES[code].espeak_voice)


@each_row
def test_phonemes_equal_upstream_and_each_word_has_some(code, text):
    phonemes = cached_g2p(code).phonemes(text)
    assert phonemes.text == "".join(one for one in upstream(code)(text)[0] if one in V1_0.vocab)
    words = [word.strip("¿¡«»“”—(),.;:!?…") for word in text.split()]
    assert [word for word, _ in said(phonemes, text)] == [word for word in words if word]


@each_row
def test_words_have_the_right_phonemes(code, text, expected):
    assert said(cached_g2p(code).phonemes(text), text)[-len(expected) :] == expected


def test_numbers_keep_their_stops_and_commas():
    """Upstream splits 3,50 in two, and 1.000 in three."""
    assert cached_g2p("e").phonemes("3,50 y 1.000").text == "tɾˈes komˌa θinkwˈɛnta i mˈil"
    assert cached_g2p("i").phonemes("alle 10:30.").text == "ˌalle djˈɛʧɪ e trˈeːnta."


def test_marks_that_upstream_drops_are_pauses():
    assert cached_g2p("e").phonemes("sí – no").text == "sˈi — nˈo"
    assert cached_g2p("h").phonemes("नमस्ते।").text == "nəmˈʌsteː."


def test_foreign_words_are_said_without_flags():
    phonemes = cached_g2p("f").phonemes("le football (en) weekend")
    assert "(en)" not in phonemes.text.replace("(ˈɑ̃)", "")
    assert len(phonemes.words) == 4


def test_nothing_is_logged(caplog, capsys):
    with caplog.at_level(logging.DEBUG):
        for code in "efhip":
            cached_g2p(code).phonemes("25 - x² 😀 football 日本")
    assert caplog.records == []
    assert capsys.readouterr() == ("", "")


def test_the_order_of_texts_does_not_matter():
    texts = ["Le moulin, vieux et las, tournait.", "L’ami de l’homme", "« Vous avez 300 amis ! »"]
    forwards = [cached_g2p("f").phonemes(text) for text in texts]
    assert [cached_g2p("f").phonemes(text) for text in reversed(texts)][::-1] == forwards
