"""Japanese numbers before counters, in katakana where their sound changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.japanese_counters import COUNTED, counted
from support.case_files import each_row


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
