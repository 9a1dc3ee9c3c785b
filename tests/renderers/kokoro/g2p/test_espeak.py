"""Spanish, French, Hindi, Italian and Portuguese: phonemes equal upstream's, word by word."""

import logging
import warnings
from functools import cache

from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from support.case_files import each_of, each_row
from support.kokoro_text_data import V1_0, cached_g2p, said

SENTENCES = {
    "e": [
        "El molino, viejo y cansado, giraba despacio: ¿quién lo movía?",
        "—No sé —dijo ella—. Tal vez mañana.",
        "Los bien-intencionados (y los otros) llegaron en 1984.",
        "«¡Vamos a la casa de mi abuela!», gritó…",
    ],
    "f": [
        "Le moulin, vieux et las, tournait lentement : qui donc le poussait ?",
        "L’ami de l’homme n’a qu’un œil ; c’est-à-dire qu'il voit peu.",
        "Les enfants ont vingt-cinq ans, vous êtes là aujourd'hui.",
        "« Vous avez 300 amis à Paris ! » cria-t-il…",
    ],
    "h": [
        "पुरानी चक्की धीरे-धीरे घूम रही थी, कौन उसे चलाता था?",
        "उसने १९८४ में 25 रोटियाँ खरीदीं!",
        "“नमस्ते”, मेरा नाम राम है.",
    ],
    "i": [
        "Il mulino, vecchio e stanco, girava piano: chi lo muoveva?",
        "L'amico dell'uomo non c'è; un po' più in là.",
        "Ha comprato 25 pani (nel 1984).",
    ],
    "p": [
        "O moinho, velho e cansado, girava devagar: quem o movia?",
        "Deu-lhe um guarda-chuva (azul) — e saiu.",
        "Comprou 25 pães em 1984!",
    ],
}
ALL = [(code, text) for code, texts in SENTENCES.items() for text in texts]


@cache
def upstream(code: str):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from misaki.espeak import EspeakG2P

        return EspeakG2P(language=LANGUAGES[code].espeak_voice)


@each_of(ALL)
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
        for code in SENTENCES:
            cached_g2p(code).phonemes("25 - x² 😀 football 日本")
    assert caplog.records == []
    assert capsys.readouterr() == ("", "")


def test_the_order_of_texts_does_not_matter():
    texts = [text for code, text in ALL if code == "f"]
    forwards = [cached_g2p("f").phonemes(text) for text in texts]
    assert [cached_g2p("f").phonemes(text) for text in reversed(texts)][::-1] == forwards
