"""English spoken forms: what holds for every word, number, sign and address."""

import re
import string
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from audiomill.inputs.languages.en import designations
from audiomill.inputs.languages.en.numbers import ONES, SCALES, TENS, cardinal, year
from audiomill.inputs.languages.en.quantities import say_number
from audiomill.inputs.languages.en.unit_names import CLEAR
from audiomill.inputs.languages.en.words import once_long
from audiomill.inputs.languages.grammars import spoken_line
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.roman import roman_value
from support.case_files import each_row
from support.spoken_cases import said, to_roman


@given(st.lists(st.sampled_from(("road", "the", "saw", "and", "street", "doctor")), min_size=1))
def test_plain_words_are_left(words):
    text = " ".join(words)
    assert said(text, "en-US") == text


RESPELLED = ("okay", "askey", "gooey", "doctor", "mister", "missus", "et cetera", "Hmm", "esquire")


@given(st.from_regex(r"(?!.*(.)\1\1)[A-Z]{2,12}", fullmatch=True))
def test_letters_are_neither_lost_nor_added_unless_respelled(word):
    spoken = said(f"the {word} here", "en-US").removeprefix("the ").removesuffix(" here")
    assert spoken in RESPELLED or re.sub("[ .]", "", spoken).upper() == word


@given(area=st.integers(200, 799), line=st.integers(0, 9999))
def test_a_telephone_number_has_a_word_for_each_digit(area, line):
    spoken = said(f"({area}) 555-{line:04}", "en-US")
    assert len(spoken.replace(",", "").split()) == 10


@given(st.lists(st.integers(0, 255), min_size=4, max_size=4))
def test_an_address_has_a_dot_between_its_parts(octets):
    spoken = said(f"the address {'.'.join(map(str, octets))}", "en-US")
    assert spoken.count(" dot ") == 3  # without the word, four single digits may be a clause


@given(day=st.dates(min_value=date(1100, 1, 1), max_value=date(2099, 12, 31)))
def test_a_date_sounds_the_same_however_it_is_printed(day):
    month = f"{day:%B}"
    printed = (f"{month} {day.day}, {day.year}", f"{month[:3]}. {day.day}, {day.year}")
    if month == "May":
        printed = printed[:1]
    assert {said(one, "en-US") for one in printed} == {said(day.isoformat(), "en-US")}
    assert said(f"{day.day} {month} {day.year}", "en-GB") == said(day.isoformat(), "en-GB")


KINDS = {rule.kind for rule in designations.RULES}


@given(text=st.text(alphabet="abcdefghij ABCDE.,;'", max_size=60))
def test_a_text_without_digits_or_numerals_is_unchanged(text):
    assert not [edit for edit in spoken_line(text, "en-US").edits if edit.kind in KINDS]


@given(above=st.integers(min_value=1, max_value=98))
def test_a_percentage_says_its_number(above):
    assert said(f"About {above}% of it", "en-US") == f"About {cardinal(above)} percent of it"


@given(dollars=st.integers(2, 10**9), cents=st.integers(2, 99))
def test_a_sum_is_its_dollars_and_its_cents(dollars, cents):
    expected = f"{cardinal(dollars)} dollars and {cardinal(cents)} cents"
    assert said(f"${dollars:,}.{cents:02}", "en-US") == expected


# a case is a line


def test_a_table_may_have_sums_without_a_sign():
    written = "Wine; 1:12:0; 1:12:00"
    line = spoken_line(written, "en-US", BlockKind.TABLE)
    said_there = "Wine; one pound and twelve shillings; one hour and twelve minutes"
    assert line.between(0, len(written)) == said_there


@given(pounds=st.integers(2, 9999), shillings=st.integers(2, 19), pennies=st.integers(2, 11))
def test_a_sum_is_its_three_parts(pounds, shillings, pennies):
    in_pounds, in_pence = f"{cardinal(pounds, 'GB')} pounds", f"{ONES[pennies]}pence."
    spoken = said(f"£{pounds} {shillings}s. {pennies}d.", "en-GB")
    assert spoken == f"{in_pounds}, {cardinal(shillings)} shillings and {in_pence}"


def value(words: str) -> int:
    """The value of a number in words."""
    total = group = 0
    for word in words.replace("-", " ").split():
        if word in ONES:
            group += ONES.index(word)
        elif word in TENS:
            group += 10 * TENS.index(word)
        elif word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * 1000 ** SCALES.index(word), 0
    return total + group


@given(number=st.integers(min_value=0, max_value=10**36 - 1), region=st.sampled_from(["US", "GB"]))
def test_the_words_of_a_cardinal_have_its_value(number, region):
    assert value(cardinal(number, region)) == number


@given(number=st.integers(min_value=0, max_value=10**9))
def test_a_number_is_said_the_same_with_and_without_commas(number):
    assert say_number(f"{number:,}", "US") == say_number(str(number), "US")


@given(first=st.integers(min_value=1, max_value=98), more=st.integers(min_value=1, max_value=900))
def test_a_range_says_both_numbers(first, more):
    spoken = said(f"about {first}–{first + more} days", "en-US")
    assert spoken == f"about {cardinal(first)} to {cardinal(first + more)} days"


@given(number=st.integers(1, 9999))
def test_a_page_is_a_cardinal(number):
    assert said(f"see p. {number} here", "en-US") == f"see page {cardinal(number)} here"


@given(chapter=st.integers(1, 99), verse=st.integers(1, 99))
def test_a_verse_is_its_two_numbers(chapter, verse):
    expected = f"John {cardinal(chapter)} {cardinal(verse)}"
    assert said(f"John {chapter}:{verse}", "en-US") == expected


@pytest.mark.parametrize("ornament", ["* * *", "***", "~~~", "| |", "-----", "• • •"])
def test_ornaments_are_silent(ornament):
    assert said(ornament, "en-US") == ""


@given(st.text(st.sampled_from(string.ascii_lowercase + " ©®™°→=<>≤+×÷√∞|\\~^_`*#@&%$€£😂★🇫")))
def test_no_sign_reaches_an_engine(text):
    spoken = said(f"the {text} end", "en-US")
    assert all(one.isalnum() or one in " —.,;:!?'-" for one in spoken)


@given(hour=st.integers(1, 12), minute=st.integers(1, 59), half=st.sampled_from(("AM", "PM")))
def test_a_time_sounds_the_same_however_its_half_is_printed(hour, minute, half):
    short = half.lower()
    printed = (short, f" {short}", f" {half}", f" {short[0]}.{short[1]}.")
    said_as = {said(f"{hour}:{minute:02}{one}", "en-US") for one in printed}
    assert said_as == {f"{said(f'{hour}:{minute:02}', 'en-US')} {half}"}


def test_a_unit_is_on_the_line_of_its_number():
    text = "Ford; 1861\nW. B. Ford; 5\nL. G. Mason"
    said = spoken_line(text, "en-US").between(0, len(text))
    assert said == "Ford; eighteen sixty-one W B Ford; five L G Mason"


@given(symbol=st.sampled_from(sorted(CLEAR)), number=st.integers(2, 9999))
def test_a_unit_is_said_in_words(symbol, number):
    line = spoken_line(f"{number} {symbol.replace('_', ' ')}", "en-US")
    assert [edit.spoken for edit in line.edits] == [f"{cardinal(number)} {CLEAR[symbol].many}"]


_PARTS = ("5", "12", "1914", ".", ",", ":", " ", "-", "–", "/", "$", "£", "May", "Jan.", "and", "°")
_MORE = ("km", "in.", "′", '"', "No.", "pp.", "#", "v", "am", "x", "½", "(", "555-1234", "IV", "²")


@given(st.lists(st.sampled_from(_PARTS + _MORE), max_size=20).map("".join))
def test_edits_are_in_order_and_do_not_overlap(text):
    edits = spoken_line(text, "en-GB").edits
    assert all(one.end <= other.start for one, other in pairwise(edits))
    assert all(edit.start < edit.end for edit in edits)


@given(st.from_regex(r"[a-z]{1,15}", fullmatch=True))
def test_no_letter_is_drawn_out_after_shortening(word):
    short = once_long(word)
    assert not any(letter * 3 in short for letter in short)
    assert once_long(short) == short


@given(
    first=st.integers(min_value=1100, max_value=1999), more=st.integers(min_value=1, max_value=99)
)
def test_a_range_of_years_says_both(first, more):
    spoken = said(f"It lasted, {first}–{first + more}, for long.", "en-US")
    assert spoken == f"It lasted, {year(first)} to {year(first + more)}, for long."


@given(value=st.integers(1, 4999))
def test_each_number_that_is_written_by_the_rules_is_read(value):
    numeral = to_roman(value)
    assert roman_value(numeral) == roman_value(numeral.lower()) == value


@pytest.mark.parametrize("numeral, value", [("IIII", 4), ("MDCCCCX", 1910), ("XXXX", 40)])
def test_older_forms_with_four_signs_are_read(numeral, value):
    assert roman_value(numeral) == value


@pytest.mark.parametrize("text", ["", "IIX", "VV", "IC", "ABC", "X I", "1", "XIIIII"])
def test_what_no_rule_writes_has_no_value(text):
    assert roman_value(text) is None


@each_row
def test_in_headings(written, spoken):
    assert spoken_line(written, "en-US", BlockKind.HEADING).between(0, len(written)) == spoken


@given(value=st.integers(min_value=1, max_value=89))
def test_a_chapter_says_its_number(value):
    numeral = to_roman(value)
    assume(len(numeral) > 1 or numeral in "IVX")
    assert said(f"See Chapter {numeral}.", "en-US") == f"See Chapter {cardinal(value)}."


@given(
    text=st.text(alphabet="IVXLCDM ivx.()–'sHenry1", max_size=40), kind=st.sampled_from(BlockKind)
)
def test_edits_do_not_overlap(text, kind):
    edits = spoken_line(text, "en-GB", kind).edits
    assert all(one.end <= other.start for one, other in pairwise(edits))


def said_with_marks(written, language):
    """What is said where the source marks the numerals in brackets as such."""
    text, numerals = "", {}
    for part in re.split(r"(\[\w+\])", written):
        bare = part.strip("[]")
        if bare != part:
            numerals[len(text)] = len(text) + len(bare)
        text += bare
    return spoken_line(text, language, numerals=numerals).between(0, len(text))


@each_row
def test_what_the_source_marks_is_a_number(written, spoken):
    assert said_with_marks(written, "en-US") == spoken


@pytest.mark.parametrize(
    ("language", "spoken"),
    [("de", "Akt fünf"), ("fr", "Akt cinq"), ("es", "Akt cinco"), ("it", "Akt cinque")],
)
def test_in_other_languages_too(language, spoken):
    assert said_with_marks("Akt [v]", language) == spoken


def test_a_language_without_rules_leaves_it_to_the_engine():
    assert said_with_marks("Akt [V]", "nl") == "Akt V"


@given(st.from_regex(r"[a-z]{1,8}(/[\w%&=?-]{0,9}){0,4}", fullmatch=True))
def test_no_sign_of_an_address_is_left(path):
    spoken = said(f"See https://example.org/{path} there", "en-US")
    assert spoken.startswith("See example dot org")
    assert not set(spoken) & set("/%&=?_@")


@each_row
def test_an_address_is_spoken_as_its_host(text, expected):
    assert said(text, "ja") == expected
