"""Audio at another rate: the same duration, phase and spectrum, without aliases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.speech.resampling import resampled

PAIRS = [(16_000, 22_050), (44_100, 22_050), (22_050, 24_000), (22_050, 48_000)]


def tone(hz, sample_rate, duration_s=0.5):
    times = np.arange(round(duration_s * sample_rate)) / sample_rate
    return (0.5 * np.sin(2 * np.pi * hz * times)).astype(np.float32)


@pytest.mark.parametrize(("rate", "wanted"), PAIRS)
@pytest.mark.parametrize("hz", [50.0, 1000.0, 6500.0])
def test_a_tone_stays_that_tone_in_its_phase(rate, wanted, hz):
    found = resampled(tone(hz, rate), rate, wanted)
    expected = tone(hz, wanted)
    edge = wanted // 50  # where the tone starts from nothing, it rings
    error = (found - expected)[edge:-edge]
    assert np.abs(error).max() < 1e-4


@pytest.mark.parametrize("hz", [12_000.0, 15_000.0, 20_000.0])
def test_what_the_lower_rate_cannot_hold_is_gone(hz):
    found = resampled(tone(hz, 44_100), 44_100, 22_050)
    assert np.abs(found[500:-500]).max() < 1e-5


@given(st.integers(0, 5000), st.sampled_from(PAIRS))
def test_durations_are_kept_and_silence_is_silent(n_samples, pair):
    rate, wanted = pair
    found = resampled(np.zeros(n_samples, np.float32), rate, wanted)
    assert found.size == round(n_samples * wanted / rate)
    assert found.dtype == np.float32
    assert not found.any()


def test_the_same_rate_is_left_alone():
    samples = tone(440, 22_050)
    assert resampled(samples, 22_050, 22_050) is samples
