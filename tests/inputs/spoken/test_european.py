"""European languages in words: what holds for every text and number, and files of cases."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.grammars import spoken_line
from support.case_files import each_row
from support.spoken_cases import CASES, assert_said

REGIONS = {
    "de": ("DE", "AT", "CH"),
    "es": ("ES", "MX", "US"),
    "fr": ("FR", "CH", "BE"),
    "it": ("IT", "CH"),
    "pt": ("PT", "BR"),
}
each_language = pytest.mark.parametrize("language", REGIONS)


@each_language
def test_no_two_numbers_have_the_same_words(language):
    cardinal = import_module(f"audiomill.inputs.languages.{language}.language").cardinal
    numbers = [*range(2100), *range(21_000, 22_000, 7), *range(10**6, 3 * 10**6, 10**5 + 1)]
    for region in REGIONS[language]:
        assert len({cardinal(number, region) for number in numbers}) == len(numbers), region


def test_portuguese_without_a_region_is_of_brazil():
    assert_said((CASES / "pt-BR.txt").read_text(encoding="utf-8"), "pt")


@each_language
@given(text=st.text(alphabet="abcdefghij ,;", max_size=60))
def test_words_alone_stay(language, text):
    assert not spoken_line(text, language).edits


@each_language
@given(text=st.text(alphabet="0123456789.,:-–/ºª°½%€$§&+@ IVXLabehmrs\u00a0", max_size=40))
def test_edits_are_in_order_and_do_not_overlap(language, text):
    at = 0
    for edit in spoken_line(text, language).edits:
        assert at <= edit.start < edit.end <= len(text)
        at = edit.end


# Others, which are named after a test, hold its rows.
FILES = sorted(
    file.relative_to(CASES).as_posix()
    for file in CASES.rglob("*.txt")
    if "-" in file.relative_to(CASES).parts[0]
)


@pytest.mark.parametrize("name", FILES)
def test_each_line_is_said_as_it_tells(name):
    language = name.partition("/")[0].removesuffix(".txt")
    assert_said((CASES / name).read_text(encoding="utf-8"), language)


@each_row
def test_what_only_looks_alike_is_left(kinds, written):
    assert {edit.kind for edit in spoken_line(written, "en-US").edits}.isdisjoint(kinds.split())
