"""Japanese and Chinese G2P; needs their packages (EXTRAS=kokoro-ja, kokoro-zh)."""

import warnings
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.kokoro.g2p.japanese_counters import COUNTED, counted
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from audiomill.renderers.kokoro.g2p.requirements import require
from support.case_files import each_row, each_row_apart
from support.kokoro_text_data import V1_0, V1_1_ZH, any_text, cached_g2p, check_sound, said


def is_installed(code):
    try:
        require(LANGUAGES[code])
    except EngineMissing:
        return False
    return True


japanese = pytest.mark.skipif(not is_installed("j"), reason="needs EXTRAS=kokoro-ja")
chinese = pytest.mark.skipif(not is_installed("z"), reason="needs EXTRAS=kokoro-zh")


def upstream(module, name, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(import_module(module), name)(*arguments, **options)


@japanese
@each_row_apart
def test_japanese_phonemes_equal_upstream(text):
    raw = upstream("misaki.cutlet", "Cutlet")(text)[0]
    expected = "".join(one for one in raw if one in V1_0.vocab).strip()
    assert cached_g2p("j").phonemes(text).text == expected


@japanese
@each_row_apart
def test_japanese_words_have_the_right_characters(text, expected):
    assert said(cached_g2p("j").phonemes(text), text) == expected


@chinese
@each_row_apart
@pytest.mark.parametrize(("alphabet", "version"), [(V1_0, None), (V1_1_ZH, "1.1")])
def test_chinese_phonemes_equal_upstream(alphabet, version, text):
    raw = upstream("misaki.zh", "ZHG2P", version, en_callable=str)(text)[0]
    expected = "".join(one for one in raw if one in alphabet.vocab)
    assert cached_g2p("z", alphabet).phonemes(text).text == " ".join(expected.split())


@chinese
@each_row_apart
def test_chinese_words_have_the_right_characters(alphabet, text, expected):
    """v1.1-zh uses bopomofo and numbered tones."""
    g2p = cached_g2p("z", {"V1_0": V1_0, "V1_1_ZH": V1_1_ZH}[alphabet])
    assert said(g2p.phonemes(text), text) == expected


@pytest.mark.parametrize(
    ("code", "alphabet"),
    [
        pytest.param("j", V1_0, marks=japanese),
        pytest.param("z", V1_0, marks=chinese),
        pytest.param("z", V1_1_ZH, marks=chinese),
    ],
)
def test_any_text_is_said_or_remarked(code, alphabet, capsys):
    g2p = cached_g2p(code, alphabet)

    @settings(max_examples=100, deadline=None)
    @given(any_text)
    def holds(text):
        check_sound(g2p.phonemes(text), text, alphabet)

    holds()
    assert capsys.readouterr() == ("", "")


@each_row
def test_numbers_are_said_as_their_counters_ask(written: str, said: str) -> None:
    assert COUNTED.sub(lambda found: counted(found[0]), written) == said


@given(st.integers(0, 999), st.integers(1, 9), st.sampled_from(["時", "分", "本", "ヶ月"]))
def test_a_number_ends_as_its_last_digit_does(tens: int, digit: int, counter: str) -> None:
    alone, number = counted(f"{digit}{counter}"), f"{tens * 10 + digit}{counter}"
    if alone == f"{digit}{counter}":
        assert counted(number) == number
    else:
        assert counted(number).endswith(alone)


@pytest.mark.parametrize("number", ["一" * 9, "千" * 9, "九千九百九十九"])
def test_any_kanji_are_taken(number: str) -> None:
    assert counted(f"{number}本")
