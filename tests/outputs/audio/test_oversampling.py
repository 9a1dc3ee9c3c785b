"""Positions that `loud_peaks` skips are never above the threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from audiomill.outputs.audio.true_peak import BLOCK, PHASES, SIDE, highest, loud_peaks
from audiomill.renderers.engine.protocol import Samples
from support.signals_data import RATE, noise, sine, voice


def peaks_between(samples: Samples) -> Samples:
    """The largest absolute value from each sample up to the next, for all but the edges.

    Entry i belongs to samples[i + SIDE - 1].
    """
    n_peaks = samples.size - 2 * SIDE + 1
    between = np.zeros((len(PHASES), n_peaks), np.float32)
    for first, taps in enumerate(PHASES.T):
        between += samples[first : first + n_peaks] * taps[:, None]
    return np.maximum(np.abs(between).max(axis=0), np.abs(samples[SIDE - 1 : SIDE - 1 + n_peaks]))


def highest_skipped(samples: Samples, threshold: float) -> float:
    """The highest point, on or between samples, of all positions that were skipped."""
    padded = np.concatenate((np.zeros(SIDE, np.float32), samples, np.zeros(SIDE, np.float32)))
    peaks = peaks_between(padded)[1:]  # entry i belongs to samples[i]
    skipped = np.ones(samples.size, bool)
    at, loud = loud_peaks(padded, threshold)
    skipped[at[at >= SIDE] - SIDE] = False
    np.testing.assert_array_equal(loud[at >= SIDE], peaks[at[at >= SIDE] - SIDE])
    return float(peaks[skipped].max(initial=0.0))


rough = arrays.arrays(
    np.float32, st.integers(1, 3 * BLOCK + 5), elements=st.floats(-1, 1, width=32)
)


@given(rough, st.floats(0.01, 2.5))
def test_nothing_over_the_threshold_is_skipped(samples, threshold):
    assert highest_skipped(samples, threshold) <= threshold


@pytest.mark.parametrize("hz", [50, 1000, 6000, 11_900])
@pytest.mark.parametrize("level", [0.5, 0.9])
def test_tones_that_peak_between_samples_are_not_skipped(hz, level):
    samples = sine(hz, 0.3, level=level)
    for threshold in np.linspace(0.4, 1.0, 25):
        assert highest_skipped(samples, float(threshold)) <= threshold


@pytest.mark.parametrize("position", [0, 1, SIDE, BLOCK - 1, BLOCK, 2 * BLOCK - 2])
def test_a_peak_beside_the_edge_of_a_block_is_not_skipped(position):
    samples = np.zeros(2 * BLOCK, np.float32)
    samples[position : position + 2] = 0.8  # the waveform is higher between the two
    for threshold in (0.5, 0.79, 0.81, 0.9, 0.95):
        assert highest_skipped(samples, threshold) <= threshold


def test_little_of_speech_is_interpolated():
    """Skipping makes it fast: nothing is interpolated well below the threshold."""
    samples = voice(5, peak=0.8)
    assert not loud_peaks(samples, 0.9)[0].size
    assert 0 < loud_peaks(samples, 0.7)[0].size < samples.size / 2


def test_the_highest_value_may_have_either_sign():
    samples = noise(RATE, level=0.2)
    assert highest(samples) == highest(-samples) == float(np.abs(samples).max())
    assert highest(samples[:0]) == 0.0
