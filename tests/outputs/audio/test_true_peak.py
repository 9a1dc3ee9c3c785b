"""True peaks agree with dense resampling; with ffmpeg in `test_encoded_levels.py`.

However the stream is cut: `checking/test_signal.py`.
"""

import math

import numpy as np
import pytest
import scipy.signal

from audiomill.outputs.audio.true_peak import PeakMeter, true_peak_dbtp
from audiomill.renderers.engine.protocol import Samples
from support.signals_data import RATE, voice


def measured(*blocks: Samples) -> float:
    meter = PeakMeter()
    for block in blocks:
        meter.add(block)
    return meter.measured()


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_sixteenfold_resampling(seed):
    samples = voice(4, seed=seed, peak=0.9)
    dense = np.abs(scipy.signal.resample_poly(samples.astype(np.float64), 16, 1)).max()
    assert true_peak_dbtp([measured(samples)]) == pytest.approx(20 * math.log10(dense), abs=0.2)


def test_a_peak_between_samples_is_found():
    t = np.arange(RATE)
    # No sample is at the top of the wave.
    samples = (0.5 * np.sin(np.pi / 2 * t + np.pi / 4)).astype(np.float32)
    fade = np.minimum(1, np.minimum(t, RATE - 1 - t) / 2000).astype(np.float32)
    assert np.abs(samples).max() == pytest.approx(0.3536, abs=1e-3)
    assert true_peak_dbtp([measured(samples * fade)]) == pytest.approx(-6.02, abs=0.05)


def test_peaks_across_a_block_boundary_and_past_the_end_are_found():
    samples = np.zeros(3000, np.float32)
    samples[[1499, 1500]] = 0.8  # the waveform is highest between these two
    whole = measured(samples)
    assert whole > 0.9
    assert measured(samples[:1500], samples[1500:]) == whole
    assert measured(samples[:1501]) == whole


def test_the_highest_of_all_parts_counts():
    assert true_peak_dbtp([0.1, 0.5, 0.2]) == pytest.approx(-6.02, abs=0.01)


def test_silence_and_no_samples_are_minus_infinity():
    for peaks in ([], [measured(np.zeros(RATE, np.float32))], [measured()]):
        assert true_peak_dbtp(peaks) == -math.inf
