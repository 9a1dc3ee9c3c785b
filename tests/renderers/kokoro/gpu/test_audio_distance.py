"""Distances between recordings: zero for equal ones, and monotonic; a gain is its decibels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.renderers.kokoro.gpu.self_test import Distance, distance, mean_distance

RATE = 24_000


def voice(seed: int, seconds: float = 0.5) -> np.ndarray:
    """Harmonics of 120 Hz in noise."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(seconds * RATE)) / RATE
    tones = sum(np.sin(2 * np.pi * 120 * n * t) / n for n in range(1, 20))
    return (0.1 * tones + 0.01 * rng.standard_normal(t.size)).astype(np.float32)


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_equal_recordings_have_no_distance(seed):
    assert distance(voice(seed), voice(seed), RATE) == Distance(0.0, 0.0, 0.0)


@pytest.mark.parametrize("gain_db", [-20.0, -3.0, 6.0])
def test_the_distance_of_a_gain_is_its_decibels(gain_db):
    one = voice(0)
    apart = distance(one, one * np.float32(10 ** (gain_db / 20)), RATE)
    assert apart.log_mel_db == pytest.approx(abs(gain_db), abs=0.05)
    assert apart.log_stft_db == pytest.approx(abs(gain_db), abs=0.3)
    assert apart.convergence == pytest.approx(abs(1 - 10 ** (gain_db / 20)), rel=1e-4)


def test_coarser_rounding_gives_a_larger_distance():
    one = voice(1)
    coarse = [
        distance(one, np.round(one * steps) / np.float32(steps), RATE) for steps in (2**15, 2**9)
    ]
    fine, rough = coarse
    for name in ("log_mel_db", "convergence", "log_stft_db"):
        assert 0 < getattr(fine, name) < getattr(rough, name) / 5


def test_a_shifted_phase_hardly_matters_but_another_pitch_does():
    t = np.arange(RATE) / RATE
    tone, shifted, higher = (
        np.sin(2 * np.pi * hz * t + phase).astype(np.float32)
        for hz, phase in ((440, 0), (440, 1), (466, 0))
    )
    assert distance(tone, shifted, RATE).convergence < 0.02
    assert distance(tone, higher, RATE).convergence > 0.5


def test_the_mean_weights_all_pairs_equally():
    assert mean_distance([Distance(1, 2, 3), Distance(3, 4, 5)]) == Distance(2, 3, 4)


def test_recordings_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="3 and 2 samples cannot be compared"):
        distance(np.zeros(3, np.float32), np.zeros(2, np.float32), RATE)
