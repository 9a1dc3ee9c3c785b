"""Trimming takes no onset and no ending, however soft, out of noise that it could be lost in."""

from functools import cache

import numpy as np
import pytest
import scipy.signal

from audiomill.outputs.audio.trimming import voiced_pieces
from audiomill.renderers.engine.protocol import Samples
from support.signals_data import RATE, noise, silence

# Where the energy of a sound lies, in Hz.
BANDS = {"s": (4000, 10_000), "f": (1500, 10_000), "h": (400, 4000), "breath": (500, 6000)}
LEAD_S = 0.5
VOWEL_DBFS = -12


def voiced_bounds(samples: Samples) -> tuple[int, int]:
    (piece,) = voiced_pieces(samples, RATE)
    return piece.start, piece.end


def level(db: float) -> float:
    return 10 ** (db / 20)


def vowel() -> Samples:
    t = np.arange(round(0.3 * RATE)) / RATE
    wave = sum(np.sin(2 * np.pi * 120 * k * t) / k for k in range(1, 25))
    return wave * np.minimum(1, t / 0.015) / np.sqrt(np.mean(wave**2)) * level(VOWEL_DBFS)


@cache
def soft(sound: str, duration_s: float, ramp_s: float, dbfs: float) -> Samples:
    """Noise as of a fricative or of breath, which swells for `ramp_s`."""
    n = round(duration_s * RATE)
    sections = scipy.signal.butter(2, BANDS[sound], "band", fs=RATE, output="sos")
    hiss = scipy.signal.sosfilt(sections, noise(n + RATE, level=1.0))[RATE:]
    return (
        hiss / np.sqrt(np.mean(hiss**2)) * level(dbfs) * np.minimum(1, np.arange(n) / RATE / ramp_s)
    )


def shard(onset: Samples, noise_dbfs: float, gap_s: float = 0.0) -> tuple[Samples, int, int]:
    """The onset, a vowel, and the onset reversed, amid noise; and where they begin and end."""
    gap, lead = np.zeros(round(gap_s * RATE)), np.zeros(round(LEAD_S * RATE))
    core = np.concatenate((onset, gap, vowel(), gap, onset[::-1]))
    quiet = np.concatenate((lead, core, lead))
    noisy = quiet + noise(quiet.size, seed=7, level=level(noise_dbfs))
    return noisy.astype(np.float32), lead.size, lead.size + core.size


@pytest.mark.prove
@pytest.mark.parametrize("noise_dbfs", [-200, -90, -70, -65, -60, -55, -50, -45, -40])
@pytest.mark.parametrize("sound", BANDS)
def test_no_soft_onset_is_taken(sound, noise_dbfs):
    """An onset as weak as a consonant may be, 40 dB below the vowel, if the noise does not hide it.

    Breath is drawn a moment before the word.
    """
    for below_db in (20, 30, 40):
        for duration_s, ramp_s in ((0.06, 0.005), (0.06, 0.06), (0.12, 0.03), (0.2, 0.06)):
            onset = soft(sound, duration_s, ramp_s, VOWEL_DBFS - below_db)
            samples, first, last = shard(onset, noise_dbfs, 0.04 if sound == "breath" else 0.0)
            start, end = voiced_bounds(samples)
            assert start <= first, (below_db, duration_s, ramp_s)
            assert end >= last, (below_db, duration_s, ramp_s)


@pytest.mark.parametrize(
    ("noise_dbfs", "below_db"), [(-200, 30), (-200, 40), (-80, 30), (-70, 30), (-62, 30)]
)
def test_silence_and_hiss_are_trimmed_to_the_guards_and_no_quiet_consonant(noise_dbfs, below_db):
    samples, first, last = shard(soft("f", 0.1, 0.01, VOWEL_DBFS - below_db), noise_dbfs)
    start, end = voiced_bounds(samples)
    assert 0 <= first - start <= 0.040 * RATE
    assert 0 <= end - last <= 0.055 * RATE


@pytest.mark.parametrize("noise_dbfs", [-50, -40])
def test_of_noise_that_could_hide_a_consonant_a_quarter_of_a_second_is_kept(noise_dbfs):
    samples, first, last = shard(soft("s", 0.05, 0.01, VOWEL_DBFS - 5), noise_dbfs)
    start, end = voiced_bounds(samples)
    assert 0.2 * RATE < first - start <= 0.27 * RATE
    assert 0.2 * RATE < end - last <= 0.29 * RATE


@pytest.mark.parametrize("hiss_s", [0.05, 0.1, 0.2])
def test_hiss_before_a_word_is_a_part_of_the_pause(hiss_s):
    """A voice that is heard from -45 dB on may hiss before; none of it is kept for long."""
    hiss = noise(round(hiss_s * RATE), level=level(VOWEL_DBFS - 55))
    piece = voiced_pieces(np.concatenate((silence(0.3), hiss, vowel(), silence(0.3))), RATE)[0]
    word = silence(0.3).size + hiss.size
    assert 0.015 * RATE < word - piece.start <= 0.075 * RATE
    assert abs(piece.start + piece.n_quiet_before - word) <= 0.005 * RATE
