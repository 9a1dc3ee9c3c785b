"""The curves are those of the audio, however it is cut and however long it is."""

import math
import subprocess

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.pages import curves
from audiomill.outputs.pages.curves import (
    EnvelopeMeter,
    curves_of_loudness,
    measure_curves,
    short_term_lufs,
)
from audiomill.outputs.types import Loudness
from support.signals_data import RATE, cut, measured, silence, sine, voice


def stream(*blocks):
    return [block[:, None] for block in blocks]


def test_a_tone_has_its_loudness_its_peak_and_its_envelope():
    """BS.1770: a full-scale sine of 997 Hz is at -3.01 LUFS; a tenth of it is 20 LU softer."""
    found = measure_curves(stream(sine(997, 10, level=0.1)), RATE)
    assert found.integrated_lufs == pytest.approx(-23.01, abs=0.05)
    assert np.abs(found.short_term_lufs + 23.01).max() < 0.1
    assert found.true_peak_dbtp == pytest.approx(-20, abs=0.03)
    assert found.duration_s == 10
    assert found.envelope.high.max() == pytest.approx(0.1, abs=0.001)
    assert found.envelope.low.min() == pytest.approx(-0.1, abs=0.001)
    assert np.sqrt(np.mean(found.envelope.rms**2)) == pytest.approx(0.1 / math.sqrt(2), abs=1e-3)
    assert found.short_term_at[0] == 1.6
    assert found.short_term_at[-1] == pytest.approx(8.4)


def test_the_same_sound_in_two_channels_measures_3_lu_more():
    tone = sine(997, 5, level=0.1)
    one = measure_curves([tone[:, None]], RATE)
    two = measure_curves([np.stack((tone, tone), axis=1)], RATE)
    assert two.integrated_lufs - one.integrated_lufs == pytest.approx(3.01, abs=0.01)
    assert two.true_peak_dbtp == one.true_peak_dbtp
    assert two.duration_s == one.duration_s


def test_channels_count_as_the_layout_has_them():
    """Six channels in the order of WAV, of which the fourth is for low frequencies."""
    tone, weights = sine(997, 2, level=0.1), (1.0, 1.0, 1.0, 0.0, 1.41, 1.41)
    alone = {}
    for channel in range(6):
        six = np.zeros((tone.size, 6), np.float32)
        six[:, channel] = tone
        alone[channel] = measure_curves([six], RATE, weights).integrated_lufs
    assert alone[3] == -math.inf
    assert alone[4] - alone[0] == pytest.approx(10 * math.log10(1.41), abs=0.01)


@given(points=st.lists(st.integers(0, 10**6), max_size=6), bound=st.sampled_from([16, 64, 1024]))
def test_how_the_stream_is_cut_makes_no_difference(points, bound):
    samples = voice(1.5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "MAX_BUCKETS", bound)
        whole, parts = EnvelopeMeter(), EnvelopeMeter()
        whole.add(samples[:, None])
        for block in cut(samples, points):
            parts.add(block[:, None])
        one, other = whole.measured(), parts.measured()
    assert np.array_equal(one.low, other.low)
    assert np.array_equal(one.high, other.high)
    assert one.rms == pytest.approx(other.rms, rel=1e-5)
    assert one.low.size <= bound
    assert (one.low.min(), one.high.max()) == (samples.min(), samples.max())


def test_each_stretch_of_the_envelope_has_its_own_place():
    """A click is found where it is, also after stretches have been joined many times."""
    samples = np.zeros(RATE * 40, np.float32)
    samples[RATE * 30] = 0.75
    meter = EnvelopeMeter()
    for block in np.split(samples, 40):
        meter.add(block[:, None])
    envelope = meter.measured()
    (at,) = envelope.high.nonzero()[0]
    assert at / envelope.high.size == pytest.approx(0.75, abs=2 / envelope.high.size)


def test_short_term_loudness_is_that_of_ffmpeg(tmp_path):
    quiet = voice(12, seed=1)
    samples = np.concatenate((quiet, 0.2 * quiet, silence(5), quiet))
    path = tmp_path / "a.wav"
    soundfile.write(path, samples, RATE, subtype="FLOAT")
    command = [find_ffmpeg(), "-nostats", "-i", str(path), "-af", "ebur128", "-f", "null", "-"]
    told = subprocess.run(command, capture_output=True, check=True, text=True).stderr
    theirs = [
        (float(line.split("t:")[1].split()[0]), float(line.split("S:")[1].split()[0]))
        for line in told.splitlines()
        if "S:" in line and "t:" in line
    ]
    found = measure_curves(stream(samples), RATE)
    ends = found.short_term_at + 1.5
    pairs = [
        (found.short_term_lufs[int(np.abs(ends - at).argmin())], lufs)
        for at, lufs in theirs
        if ends[0] <= at <= ends[-1] and lufs > -60
    ]
    assert len(pairs) > 300
    differences = np.abs([one - other for one, other in pairs])
    # Its windows have sharp edges and begin up to 50 ms off ours, which shows where the last speech
    # leaves them; its filter is that of 48 kHz.
    assert np.median(differences) < 0.25
    assert np.quantile(differences, 0.95) < 1


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.3, 2.0])
def test_short_audio_has_curves_too(seconds):
    found = measure_curves(stream(voice(seconds)) if seconds else [], RATE)
    assert found.duration_s == pytest.approx(seconds, abs=1e-4)
    assert found.short_term_lufs.size == found.short_term_at.size
    assert (found.short_term_at <= max(seconds, 0.1)).all()


def test_silence_is_minus_infinity():
    found = measure_curves(stream(silence(5)), RATE)
    assert found.integrated_lufs == -math.inf
    assert found.true_peak_dbtp == -math.inf
    assert (found.short_term_lufs == -math.inf).all()
    loud_then_nothing = measured(voice(5), silence(10)).block_powers
    assert short_term_lufs(loud_then_nothing)[-1] < -60


def test_consecutive_chapters_lie_where_they_are_heard():
    """Each has three powers fewer than tenths of a second; after 400 that would be two minutes."""
    chapter = measured(sine(997, 3, level=0.1))
    loud = Loudness(100 * chapter.block_powers, chapter.n_samples)
    found = curves_of_loudness([*[chapter] * 400, loud], RATE)
    assert found.duration_s == 1203
    assert found.short_term_lufs[0] == pytest.approx(-23.01, abs=0.05)
    over = found.short_term_at[found.short_term_lufs > -16]
    assert over[0] > 1200 - 1.6
    assert over[-1] == pytest.approx(1201.4, abs=0.01)
