"""The value of a Roman numeral."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.spoken.roman import roman_value
from support.spoken_cases import to_roman


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
