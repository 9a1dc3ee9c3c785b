"""Language tags from codes and names, and their letter case."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.codes import (
    canonical_case,
    language_tag,
    three_letter_code,
    two_letter_code,
)
from support.case_files import each_row


@each_row
def test_language_tags(name, tag):
    assert language_tag(name) == tag


def test_two_and_three_letter_codes_convert_to_each_other():
    pairs = {two: three_letter_code(two) for two in ("en", "cs", "fa", "nn", "zh", "zu")}
    assert pairs == {"en": "eng", "cs": "ces", "fa": "fas", "nn": "nno", "zh": "zho", "zu": "zul"}
    assert all(two_letter_code(three) == two for two, three in pairs.items())
    assert [three_letter_code(code) for code in ("ger", "fre", "chi-Hant")] == ["deu", "fra", "zho"]
    assert [three_letter_code(tag) for tag in ("gsw", "xx", "", "x-private")] == [
        "gsw",
        "und",
        "und",
        "und",
    ]


def test_letter_case_follows_the_standard():
    assert canonical_case("ZH-hANT-tw") == "zh-Hant-TW"
    assert canonical_case("de-LATN-de-1996") == "de-Latn-DE-1996"
    assert canonical_case("en-gb-X-RP") == "en-GB-x-rp"


@given(st.text(max_size=40))
def test_any_name_gives_a_tag_or_nothing(name):
    tag = language_tag(name)
    assert tag == language_tag(tag)
