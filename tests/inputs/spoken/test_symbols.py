"""Signs and emoji in English: as written, as spoken."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.spoken_cases import said


@pytest.mark.parametrize("ornament", ["* * *", "***", "~~~", "| |", "-----", "• • •"])
def test_ornaments_are_silent(ornament):
    assert said(ornament, "en-US") == ""


@given(st.text(st.sampled_from(string.ascii_lowercase + " ©®™°→=<>≤+×÷√∞|\\~^_`*#@&%$€£😂★🇫")))
def test_no_sign_reaches_an_engine(text):
    spoken = said(f"the {text} end", "en-US")
    assert all(one.isalnum() or one in " —.,;:!?'-" for one in spoken)
