"""Languages by their codes and names, and how tags are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages import cased, language_tag, shortest, three_letters


@pytest.mark.parametrize(
    ("said", "tag"),
    [
        ("en", "en"),
        (" eng ", "en"),
        ("EN-us", "en-US"),
        ("pt_BR", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("German", "de"),
        ("ger", "de"),
        ("gsw-CH", "gsw-CH"),
        ("EN-gb-X-RP", "en-GB-x-rp"),
        ("kor_KR", "ko-KR"),
        ("und", ""),
        ("", ""),
        ("the Queen's English", ""),
    ],
)
def test_language_tags(said, tag):
    assert language_tag(said) == tag


def test_codes_of_two_and_three_letters_lead_to_each_other():
    pairs = {two: three_letters(two) for two in ("en", "cs", "fa", "nn", "zh", "zu")}
    assert pairs == {"en": "eng", "cs": "ces", "fa": "fas", "nn": "nno", "zh": "zho", "zu": "zul"}
    assert all(shortest(three) == two for two, three in pairs.items())
    assert [three_letters(code) for code in ("ger", "fre", "chi-Hant")] == ["deu", "fra", "zho"]
    assert [three_letters(tag) for tag in ("gsw", "xx", "", "x-private")] == [
        "gsw",
        "und",
        "und",
        "und",
    ]


def test_letter_case_follows_the_standard():
    assert cased("ZH-hANT-tw") == "zh-Hant-TW"
    assert cased("de-LATN-de-1996") == "de-Latn-DE-1996"
    assert cased("en-gb-X-RP") == "en-GB-x-rp"


@given(st.text(max_size=40))
def test_any_words_for_a_language_give_a_tag_or_nothing(said):
    tag = language_tag(said)
    assert tag == language_tag(tag)
