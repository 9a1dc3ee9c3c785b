"""Loudness agrees with the standard and pyloudnorm; with ffmpeg in `checking/test_signal.py`."""

import math

import numpy as np
import pyloudnorm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.renderers.engine.protocol import Samples
from support.signals_data import RATE, cut, measured, sine, voice


def programme(seed: int, sample_rate: int = RATE) -> Samples:
    """Passages of different levels, and a pause, so that both gates have an effect."""
    levels = np.random.default_rng(seed).uniform(0.003, 0.9, 12)
    parts = [voice(1.3, sample_rate, seed=i, peak=level) for i, level in enumerate(levels)]
    parts.insert(6, np.zeros(2 * sample_rate, np.float32))
    return np.concatenate(parts)


@pytest.mark.parametrize(("sample_rate", "seed"), [(22050, 0), (24000, 1), (24000, 2), (48000, 0)])
def test_agrees_with_pyloudnorm(seed, sample_rate):
    samples = programme(seed, sample_rate)
    reference = pyloudnorm.Meter(sample_rate, filter_class="DeMan")
    expected = reference.integrated_loudness(samples.astype(np.float64))
    assert integrated_lufs([measured(samples, sample_rate=sample_rate)]) == pytest.approx(
        expected, abs=0.05
    )


def test_the_calibration_tone_of_the_standard():
    """BS.1770: a full-scale 997 Hz sine in one channel reads -3.01 LKFS."""
    loudness = measured(sine(997, 5, 48000, level=1.0), sample_rate=48000)
    assert integrated_lufs([loudness]) == pytest.approx(-3.01, abs=0.01)


def test_gating_runs_over_all_chapters_together():
    loud, quiet = voice(5, seed=1, peak=0.8), voice(5, seed=2, peak=0.02)
    parts = [measured(loud), measured(quiet)]
    separate = [integrated_lufs([part]) for part in parts]
    assert separate[0] - separate[1] > 25
    assert integrated_lufs(parts) == pytest.approx(separate[0], abs=0.1)  # the quiet part is gated
    whole = measured(np.concatenate((loud, quiet)))
    assert integrated_lufs(parts) == pytest.approx(integrated_lufs([whole]), abs=0.2)


def test_silence_and_no_samples_are_minus_infinity():
    silence = measured(np.zeros(RATE, np.float32))
    for parts in ([], [silence], [measured()], [silence, measured()]):
        assert integrated_lufs(parts) == -math.inf


def test_a_signal_shorter_than_a_block_is_measured():
    assert integrated_lufs([measured(sine(1000, 0.2))]) == pytest.approx(-9, abs=0.5)


SAMPLES = programme(7)[: 5 * RATE]
WHOLE = measured(SAMPLES)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, SAMPLES.size), max_size=12))
def test_how_the_stream_is_cut_makes_no_difference(points):
    loudness = measured(*cut(SAMPLES, points))
    np.testing.assert_array_equal(loudness.block_powers, WHOLE.block_powers)
    assert loudness.n_samples == WHOLE.n_samples
