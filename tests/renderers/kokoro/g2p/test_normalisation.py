"""Folded text: characters that a G2P can read, with the source of each."""

from hypothesis import given

from audiomill.renderers.kokoro.g2p.normalisation import fold
from audiomill.renderers.kokoro.g2p.scripts import CHINESE, ENGLISH, EUROPEAN, HINDI, JAPANESE
from support.case_files import each_row
from support.kokoro_text_data import any_text

ALL = (ENGLISH, EUROPEAN, HINDI, CHINESE, JAPANESE)


@given(any_text)
def test_every_character_has_a_source_in_order(text):
    for scripts in ALL:
        folded = fold(text, scripts)
        assert len(folded.text) == len(folded.starts) == len(folded.ends)
        before = 0
        for start, end in zip(folded.starts, folded.ends, strict=True):
            assert before <= start <= end <= len(text)
            before = start
        assert "  " not in folded.text
        assert not folded.text[:1].isspace()


@given(any_text)
def test_no_word_is_too_long_for_espeak(text):
    for scripts in (ENGLISH, EUROPEAN, HINDI):
        assert max(map(len, fold(text * 3, scripts).text.split()), default=0) <= 41


def test_plain_text_is_unchanged():
    text = "“Well,” he said—‘I’m 3.5% sure’; naïve? (No.) $5…"
    folded = fold(text, EUROPEAN)
    assert folded.text == text
    assert [text[start:end] for start, end in zip(folded.starts, folded.ends, strict=True)] == list(
        text
    )


@each_row
def test_unusual_characters_become_plain_ones(text, folded):
    assert fold(text, ENGLISH).text.strip() == folded


def test_cyrillic_is_transliterated_with_a_remark():
    folded = fold("Война — да", EUROPEAN)
    assert folded.text == "Voina — da"
    assert [(one.start, one.end, one.words) for one in folded.remarks] == [
        (0, 5, "transliterated"),
        (8, 10, "transliterated"),
    ]


def test_greek_is_kept_if_readable_and_for_letter_names():
    assert fold("λόγος α", EUROPEAN).text == "λόγος α"
    assert fold("λόγος α", ENGLISH).text == "logos α"


def test_hindi_keeps_its_digits_and_joiners():
    text = "१२३ क्‍ष"
    assert fold(text, HINDI).text == text


def test_chinese_and_japanese_marks_are_left_to_their_g2p():
    assert fold("你好，３％「ｶﾞ」", CHINESE).text == "你好，3％「 」"
    assert fold("「ｶﾞ」、か゛", JAPANESE).text == "「ガ」、が"


def test_long_words_are_broken_at_marks():
    address = "https://example.org/" + "a" * 30 + "/" + "o" * 30
    assert fold(address, ENGLISH).text.split(", ") == [
        "https://example.org/",
        "a" * 30 + "/",
        "o" * 30,
    ]
    assert fold("7" * 50, ENGLISH).text.replace(", ", "") == "7" * 50
