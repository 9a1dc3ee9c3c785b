"""The estimated number of phonemes: within 15 % for prose and numbers, and monotonic."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.phonemes import RATES, estimate
from support.case_files import each_row

# Counted by misaki 0.9.4: its English lexicon, and espeak-ng for the other languages.
LANGUAGES = st.sampled_from([*RATES, "en-GB", "ru"])


@each_row
def test_the_estimate_is_near_the_count(language, counted, text):
    assert estimate(text, language) == pytest.approx(counted, rel=0.15)


def test_digits_and_signs_count_as_words():
    assert estimate("1984", "en") == 24
    assert estimate("5 %", "en") == 6 + 1 + 8
    assert estimate("", "en") == 0


@settings(deadline=None)
@given(st.lists(st.text()), st.sampled_from(["", " "]), LANGUAGES)
def test_a_text_has_no_greater_estimate_than_its_parts(parts, between, language):
    whole = estimate(between.join(parts), language)
    apart = sum(estimate(part, language) for part in parts)
    assert whole <= apart + max(0, len(parts) - 1) * len(between)


@settings(deadline=None)
@given(st.text(), st.characters(), LANGUAGES)
def test_a_longer_text_has_no_smaller_estimate(text, more, language):
    assert estimate(text, language) <= estimate(text + more, language)
