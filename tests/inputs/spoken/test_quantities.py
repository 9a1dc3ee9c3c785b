"""English quantities: cardinals, ordinals, decimals, rounded numbers: as written, as spoken."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.en.numbers import ONES, SCALES, TENS, cardinal
from audiomill.inputs.languages.en.quantities import say_number


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
