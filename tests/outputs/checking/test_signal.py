"""What is measured of a stream: levels by formula, ends, clipping, and nothing of how it is cut."""

import re
import subprocess

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.audio.chapter_loudness import chapter_lufs
from audiomill.outputs.checking.measured_file import measure_file
from audiomill.outputs.checking.signal import LEAST_DB, SignalMeter
from audiomill.outputs.checking.streams import parse_streams
from audiomill.outputs.ffmpeg.decoding import FileChapter, describe, open_audio
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.examples import few_examples
from support.finished_files import encode
from support.signals_data import noise, sine, voice

RATE = 8000


def measured(samples, sample_rate=RATE, cuts=(), weights=None):
    columns = samples if samples.ndim == 2 else samples[:, None]
    meter = SignalMeter(sample_rate, weights or (1.0,) * columns.shape[1])
    for block in np.split(columns, sorted(cut % (len(columns) + 1) for cut in cuts)):
        meter.add(block)
    return meter.measured()


@given(st.lists(st.integers(0, 100_000), max_size=8), st.integers(1, 3))
@few_examples(10)
def test_how_a_stream_is_cut_makes_no_difference(cuts, n_channels):
    one = np.concatenate(
        (noise(3000, level=1e-4), voice(2.0, RATE, peak=1.2), noise(5001, 1, 1e-4))
    )
    whole = np.clip(np.stack([np.roll(one, n) for n in range(n_channels)], axis=1), -1, 1)
    found, expected = measured(whole, cuts=cuts), measured(whole)
    for name in expected.__dataclass_fields__:
        assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=1e-6), name


def test_levels_of_a_sine_are_those_of_its_formula():
    found = measured(sine(997, 3.0, 48_000, level=0.5), 48_000)
    assert found.rms_db == pytest.approx(-9.03, abs=0.01)
    assert found.peak_db == pytest.approx(-6.02, abs=0.01)
    assert found.true_peak_dbtp == pytest.approx(-6.02, abs=0.01)
    assert found.lufs == pytest.approx(-9.03, abs=0.02)  # BS.1770: full scale is -3.01
    assert found.range_lu == pytest.approx(0.0, abs=0.01)
    assert (found.clipped, found.silence_s) == (0, 0.0)
    assert found.n_samples == 3 * 48_000


def test_the_same_sound_in_two_channels_is_3_lu_louder_at_the_same_level():
    one = voice(3.0, RATE)
    mono, stereo = measured(one), measured(np.stack((one, one), axis=1))
    assert stereo.lufs - mono.lufs == pytest.approx(3.01, abs=0.01)
    assert stereo.rms_db == pytest.approx(mono.rms_db, abs=1e-6)


def test_the_voice_is_found_behind_a_click_and_in_noise():
    tone = noise(RATE, level=10 ** (-66 / 20))
    samples = np.concatenate((tone, voice(2.0, RATE), tone, tone))
    samples[RATE // 2 : RATE // 2 + 8] = 0.4  # a click of a millisecond
    found = measured(samples)
    assert found.head_s == pytest.approx(1.0, abs=0.15)  # a syllable swells
    assert found.tail_s == pytest.approx(2.0, abs=0.15)
    assert found.pause_s == pytest.approx(2.0, abs=0.15)
    assert found.noise_floor_db == pytest.approx(-66, abs=0.5)


def test_silence_and_nothing_have_no_voice():
    found = measured(np.zeros(RATE, np.float32))
    assert (found.rms_db, found.lufs, found.true_peak_dbtp) == (LEAST_DB,) * 3
    assert (found.head_s, found.tail_s, found.silence_s, found.pause_s) == (1.0,) * 4
    assert measured(np.zeros(0, np.float32)).n_samples == 0
    assert measured(sine(440, 0.004, RATE)).rms_db == pytest.approx(-9.0, abs=1.0)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=6), st.integers(1, 7))
@few_examples(40)
def test_only_three_samples_in_a_row_at_full_scale_are_clipped(runs, block):
    samples = np.concatenate(
        [np.zeros(1), *(np.r_[np.ones(n_full), np.zeros(n_low)] for n_full, n_low in runs)]
    ).astype(np.float32)
    found = measured(samples, cuts=range(block, len(samples), block))
    assert found.clipped == sum(n_full for n_full, _ in runs if n_full >= 3)


def test_an_offset_is_that_of_the_worst_channel():
    one = voice(1.0, RATE)
    offset = np.float32(0.05)
    assert measured(np.stack((one, one + offset), axis=1)).dc_offset == pytest.approx(
        0.05, abs=0.005
    )


@pytest.mark.parametrize("layout", ["mono", "stereo", "2.1", "quad", "5.0", "5.1", "7.1"])
def test_loudness_and_its_range_are_those_of_ffmpegs_meter(tmp_path, layout):
    weights = {"mono": 1, "stereo": 2, "2.1": 3, "quad": 4, "5.0": 5, "5.1": 6, "7.1": 8}
    path, plain = tmp_path / "a.wav", tmp_path / "plain.wav"
    quiet = np.r_[np.full(5 * RATE, 0.1), np.full(5 * RATE, 1.0)]
    channels = [voice(10.0, RATE, seed=n) * quiet / (n + 1) for n in range(weights[layout])]
    soundfile.write(plain, np.stack(channels, axis=1), RATE)
    command = [find_ffmpeg(), "-v", "error", "-channel_layout", layout, "-i", plain, path]
    subprocess.run(command, check=True)
    streams = parse_streams(*describe(path))
    assert len(streams.sound.weights) == weights[layout]
    meter = SignalMeter(RATE, streams.sound.weights)
    for block in open_audio(path).blocks:
        meter.add(block)
    command = [find_ffmpeg(), "-hide_banner", "-i", path, "-af", "ebur128", "-f", "null", "-"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    lufs, range_lu = (float(re.findall(rf"{name}: +(\S+) LU", told)[-1]) for name in ("I", "LRA"))
    assert meter.measured().lufs == pytest.approx(lufs, abs=0.1)
    assert meter.measured().range_lu == pytest.approx(range_lu, abs=0.3)


def with_holes(samples, sample_rate, hole_s):
    """Speech that is cut out in one place of each fifth, where it is loud at both sides."""
    holed, n = samples.copy(), round(hole_s * sample_rate)
    powers = np.convolve(samples**2, np.ones(24), "same")
    sides = np.minimum(powers[: -n - 24], powers[n + 24 :])
    for start in range(0, 5 * (sides.size // 5), sides.size // 5):
        at = start + 12 + int(np.argmax(sides[start : start + sides.size // 5]))
        holed[at : at + n] = 0
    return holed


@pytest.mark.parametrize("hole_s", [0.008, 0.02, 0.06])
def test_holes_in_speech_are_counted_and_pauses_are_not(hole_s):
    spoken = voice(4.0, 24_000)
    fade = np.minimum(np.arange(spoken.size) / 240, 1).astype(np.float32)  # of 10 ms
    spoken *= fade * fade[::-1]
    pause = np.zeros(9600, np.float32)
    for room in (0.0, 10**-3.5):  # digital silence, and the noise of a room
        tone = noise(2 * spoken.size + pause.size, level=room)
        whole = np.concatenate((spoken, pause, spoken)) + tone
        assert measured(whole, 24_000).dropouts == 0
        assert measured(whole * 0.05, 24_000).dropouts == 0
        assert measured(with_holes(whole, 24_000, hole_s), 24_000).dropouts >= 1
    softer = with_holes(whole * 0.3, 24_000, hole_s)  # in a room each is found
    assert measured(softer, 24_000).dropouts >= 3
    too_long = np.concatenate((spoken, np.zeros(48_000, np.float32), spoken))
    assert measured(too_long, 24_000).dropouts == 0


@pytest.mark.parametrize("hole_s", [0.02, 0.05, 0.1, 0.2, 0.3])
def test_soft_sound_cut_off_to_digital_silence_is_counted_beside_pauses_of_it(hole_s):
    """Not only where it is loud; and sound that is cut off at one side only tells nothing."""
    spoken, pause = noise(96_000), np.zeros(9600, np.float32)
    fade = np.minimum(np.arange(spoken.size) / 240, 1).astype(np.float32)  # of 10 ms
    at, n = 12_000, round(hole_s * 24_000)
    whole = np.concatenate([spoken * fade * fade[::-1], pause] * 3)
    whole[at - 2400 : at + n + 2400] *= 0.1  # 20 dB softer than the rest
    assert measured(whole, 24_000).dropouts == 0
    holed = whole.copy()
    holed[at : at + n] = 0
    for cuts in ((), range(at - 100, at + n + 400, 67)):
        assert measured(holed, 24_000, cuts).dropouts == 1
    holed[at + n : at + n + 240] *= np.linspace(0, 1, 240, dtype=np.float32)  # begins softly
    assert measured(holed, 24_000).dropouts == 0


@pytest.mark.parametrize("options", [(), ("-b:a", "128k", "-f", "mp3"), ("-b:a", "96k")])
def test_clipping_that_was_turned_down_is_heard(tmp_path, options):
    """Also after a lossy codec, which ripples the flat tops. Neither a sine nor speech has any."""
    spoken = voice(3.0, 24_000, peak=1.0)
    suffix = {0: ".wav", 2: ".m4a", 4: ".mp3"}[len(options)]
    found = {}
    for name, samples in (
        ("speech", spoken * 0.4),
        ("sine", sine(200, 3.0, 24_000, level=0.4)),
        ("clipped", np.clip(spoken * 2, -1, 1) * 0.4),
        ("clipped more", np.clip(spoken * 4, -1, 1) * 0.2),
    ):
        soundfile.write(tmp_path / "a.wav", samples, 24_000)
        path = tmp_path / f"b{suffix}"
        encode(tmp_path / "a.wav", path, *options)
        found[name] = measure_file(path).signal
        assert found[name].clipped == 0
    assert max(found["speech"].flat_tops, found["sine"].flat_tops) < 6
    assert min(found["clipped"].flat_tops, found["clipped more"].flat_tops) > 6


def test_what_is_lost_on_one_loudspeaker_is_measured():
    one, other = voice(7.0, RATE), voice(7.0, RATE, seed=3)
    silent = np.zeros_like(one)

    def beside(left, right):
        return measured(np.stack((left, right), axis=1))

    def lost_s(left, right):
        return beside(left, right).mono_loss_s

    assert lost_s(one, -one) == 7.0
    assert lost_s(one, 0.9 * -one) == 7.0
    assert (lost_s(one, one), lost_s(one, other), lost_s(one, silent)) == (0, 0, 0)
    assert lost_s(silent, silent) == 0
    pairs = [(one, silent), (one, other), (silent, silent)]
    assert [beside(*pair).silent_channels for pair in pairs] == [1, 0, 0]
    assert measured(one).mono_loss_s == 0
    turned = np.concatenate((one[: 3 * RATE], -one[3 * RATE :]))  # from the second window on
    assert lost_s(one, turned) == 4.0


def test_chapters_of_one_file_are_measured_each():
    parts = [voice(24.0, RATE, seed=n, peak=peak) for n, peak in enumerate((0.5, 0.5, 0.25))]
    meter = SignalMeter(RATE, (1.0,))
    meter.add(np.concatenate(parts)[:, None])
    chapters = [FileChapter("", 24.0 * n, 24.0 * (n + 1)) for n in range(3)]
    first, second, soft = chapter_lufs(meter.loudness(), chapters)
    assert first == pytest.approx(second, abs=0.5)
    assert soft == pytest.approx(first - 6.0, abs=0.5)
    short = FileChapter("", 0.0, 5.0)
    assert chapter_lufs(meter.loudness(), [short, chapters[0]]) == (pytest.approx(first),)
    beyond = FileChapter("", 100.0, 200.0)
    assert chapter_lufs(meter.loudness(), [beyond]) == (-np.inf,)
