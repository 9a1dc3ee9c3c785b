"""Room tone is quiet noise, the same at the same place of a file."""

import numpy as np
import pytest
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.audio.file_sound import room_tone, with_room_tone
from support.signals_data import cut, voice

HZ = 44100


def rms_db(samples: np.ndarray) -> float:
    return 10 * float(np.log10(np.mean(samples.astype(np.float64) ** 2)))


@pytest.mark.parametrize("sample_rate", [22050, 24000, 44100])
@pytest.mark.parametrize("level_db", [-68.0, -63.0])
def test_its_level_is_exact_and_even(sample_rate, level_db):
    noise = room_tone(0, 60 * sample_rate, level_db, sample_rate)
    assert rms_db(noise) == pytest.approx(level_db, abs=0.01)
    windows = noise[: noise.size - noise.size % (sample_rate // 2)].reshape(-1, sample_rate // 2)
    assert all(abs(rms_db(window) - level_db) < 2.5 for window in windows)


def test_its_spectrum_falls_with_frequency():
    noise = room_tone(0, 30 * HZ, -60, HZ)
    hz, power = scipy.signal.welch(noise.astype(np.float64), HZ, nperseg=1 << 14)
    bands = [(60, 120), (120, 250), (250, 500), (500, 1000), (1000, 2000), (4000, 8000)]
    levels = [10 * np.log10(power[(hz >= low) & (hz < high)].mean()) for low, high in bands]
    steps = np.diff(levels)
    assert (steps < -2).all()
    assert (steps[:4] > -4).all()


@given(st.integers(0, 10**9), st.integers(0, 5000), st.lists(st.integers(0, 5000), max_size=4))
def test_each_place_has_its_own_noise_however_it_is_read(start, n_samples, points):
    whole = room_tone(start, n_samples, -60, 24000)
    silence = np.zeros(n_samples, np.float32)
    blocks = [*with_room_tone(cut(silence, points), start, -60, 24000)]
    np.testing.assert_array_equal(np.concatenate(blocks), whole)
    np.testing.assert_array_equal(
        room_tone(start + 100, 50, -60, 24000), room_tone(start, 150, -60, 24000)[100:]
    )


def test_the_loop_has_no_seam():
    """A step where the loop begins again would be far from the samples around it."""
    n_loop = 30 * 24000
    around = room_tone(n_loop - 2000, 4000, -60, 24000)
    steps = np.abs(np.diff(around))
    assert steps[1999] < 4 * np.sqrt(np.mean(steps**2))


def test_speech_passes_with_the_noise_below_it():
    speech = voice(2)
    (out,) = with_room_tone([speech], 777, -68, 24000)
    np.testing.assert_allclose(out - speech, room_tone(777, speech.size, -68, 24000), atol=1e-7)
