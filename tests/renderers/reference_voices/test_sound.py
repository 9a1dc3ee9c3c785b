"""What is measured of a recording, what is found wrong, and what engines get of it."""

import io
import math
import wave

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from audiomill.renderers.reference_voices.clones import (
    HIGHEST_PEAK,
    LEVEL_DBFS,
    cleaned,
)
from audiomill.renderers.reference_voices.judging import judge, n_said_letters
from audiomill.renderers.reference_voices.recording import (
    GUARD_S,
    VoiceRecording,
    measured,
    read_recording,
)
from audiomill.renderers.reference_voices.voice import VoiceUnfit
from audiomill.renderers.speech.wav import wav_bytes
from audiomill.renderers.takes.traits import measured_traits
from support.voice_data import WORDS, voice_sound, write_sound

RATE = 24_000
FEW = settings(max_examples=15)


def recording(sound, rate=RATE) -> VoiceRecording:
    channels = np.asarray(sound, np.float32)
    return VoiceRecording(channels[:, None] if channels.ndim == 1 else channels, rate)


def clean(sound, rate=RATE, wanted=RATE):
    one = recording(sound, rate)
    return cleaned(one, measured(one), wanted)


def flaws(sound, text=WORDS, rate=RATE) -> list[str]:
    return [flaw.words for flaw in judge(measured(recording(sound, rate)), text)]


def fatal(sound, text=WORDS, rate=RATE) -> list[str]:
    found = judge(measured(recording(sound, rate)), text)
    return [flaw.words for flaw in found if flaw.is_fatal]


@pytest.mark.parametrize("rate", [16_000, 22_050, 44_100, 48_000])
def test_a_good_recording_has_no_flaw(rate):
    assert flaws(voice_sound(7.0, rate, before_s=0.5, after_s=1.0), rate=rate) == []


@FEW
@given(before_s=st.floats(0.0, 2.5), after_s=st.floats(0.0, 2.5), noise_db=st.floats(-90, -50))
def test_where_the_voice_is_and_how_loud_the_noise(before_s, after_s, noise_db):
    sound = voice_sound(5.0, noise_db=noise_db, before_s=before_s, after_s=after_s)
    found = measured(recording(sound))
    assert found.leading_s == pytest.approx(before_s, abs=0.03)
    assert found.trailing_s == pytest.approx(after_s, abs=0.03)
    assert found.speech_s == pytest.approx(5.0, abs=0.05)
    assert found.noise_dbfs == pytest.approx(noise_db, abs=1.5)
    assert found.kept_s == pytest.approx(
        5.0 + min(before_s, GUARD_S) + min(after_s, GUARD_S), abs=0.06
    )


def test_dc_is_no_sound():
    sound = voice_sound(5.0, before_s=1.0)
    one, two = measured(recording(sound)), measured(recording(sound + 0.2))
    assert two.leading_s == pytest.approx(one.leading_s, abs=0.011)
    assert two.noise_dbfs == pytest.approx(one.noise_dbfs, abs=1.0)
    assert np.abs(clean(sound) - clean(sound + 0.2)).max() < 1e-3


def test_a_click_before_the_voice_is_not_the_voice():
    sound = voice_sound(5.0, before_s=1.0)
    sound[2000:2200] = 0.5  # 8 ms
    assert measured(recording(sound)).leading_s == pytest.approx(1.0, abs=0.03)


def test_each_flaw_says_by_how_much_and_what_to_do():
    assert "2.1 s long. Engines need 3 s at least: record more" in fatal(voice_sound(2.1))[0]
    assert "31.0 s long. Engines take 30 s at most" in fatal(voice_sound(31.0), "")[0]
    assert "8000 samples in a second" in fatal(voice_sound(7, 8000), rate=8000)[0]
    assert "silent" in fatal(np.zeros(RATE * 5))[0]
    loud = np.clip(voice_sound(7.0, level=3.0), -0.8, 0.8)
    (clipped,) = flaws(loud)
    assert "clipped in" in clipped and "less gain" in clipped
    (noisy,) = flaws(voice_sound(7.0, noise_db=-30.0))
    assert "dB below the voice" in noisy and "quieter room" in noisy
    (quiet,) = flaws(voice_sound(7.0, level=0.004, noise_db=-100.0))
    assert "too quiet by" in quiet
    (late,) = flaws(voice_sound(7.0, before_s=4.0))
    assert "4.0 s of silence before the voice" in late
    voice = voice_sound(7.0)
    assert "cancel each other" in " ".join(flaws(np.stack((voice, -0.9 * voice), axis=1)))
    for only in (np.stack((voice, voice), 1), np.stack((voice, 0 * voice), 1)):
        assert flaws(only) == []


def test_a_text_of_another_recording_is_found_by_its_pace():
    sound = voice_sound(7.0)
    (longer,) = fatal(sound, WORDS * 4)
    assert "says more than is heard" in longer
    (shorter,) = fatal(sound, "The lamp.")
    assert "says less than is heard" in shorter and "7 letters in 7.0 s" in shorter
    assert fatal(sound, "") == []
    # Some 4.5 characters in a second, as people read Chinese.
    assert fatal(sound, "古老的灯塔里的灯又亮了起来全村的人都在谈论这件事没有别的话题") == []
    assert n_said_letters("Ab, c. 12 あ!") == 3 + 2 * 4 + 3
    assert n_said_letters("é") == n_said_letters("e\u0301") == 1


@FEW
@given(gain_db=st.floats(-12.0, 6.0))
def test_the_gain_of_a_recording_makes_no_difference(gain_db):
    """But for rounding: an engine hears the same."""
    sound = voice_sound(4.0, level=0.15, before_s=0.4)
    one, two = clean(sound), clean(sound * 10 ** (gain_db / 20))
    assert one.size == two.size
    assert np.abs(one - two).max() < 1e-4


@FEW
@given(before_s=st.floats(0.2, 2.0), after_s=st.floats(0.2, 2.0))
def test_silence_at_the_ends_makes_no_difference(before_s, after_s):
    voice = voice_sound(4.0, noise_db=-300.0)
    n_before, n_after = (240 * round(100 * one_s) for one_s in (before_s, after_s))
    padded = np.concatenate((np.zeros(n_before), voice, np.zeros(n_after)))
    told = np.concatenate((np.zeros(2400), voice, np.zeros(2400)))
    assert np.abs(clean(padded) - clean(told)).max() < 1e-5


@pytest.mark.parametrize("wanted", [16_000, 22_050, 24_000, 44_100])
@pytest.mark.parametrize("rate", [16_000, 44_100, 48_000])
def test_what_an_engine_gets_has_its_rate_one_loudness_and_one_channel(rate, wanted):
    voice = voice_sound(4.0, rate, level=0.05, before_s=0.7, after_s=0.9)
    stereo = np.stack((voice, voice), axis=1)
    one = recording(stereo, rate)
    samples = cleaned(one, measured(one), wanted)
    assert samples.dtype == np.float32 and samples.ndim == 1
    assert samples.size / wanted == pytest.approx(4.0 + 2 * GUARD_S, abs=0.06)
    assert measured_traits(samples, wanted).level_dbfs == pytest.approx(LEVEL_DBFS, abs=0.1)
    assert np.abs(samples).max() <= HIGHEST_PEAK
    assert samples[0] == samples[-1] == 0.0
    assert np.array_equal(samples, cleaned(one, measured(one), wanted))
    assert np.abs(samples - clean(voice, rate, wanted)).max() < 1e-5


def test_a_voice_with_high_peaks_is_left_quieter():
    sound = voice_sound(4.0, level=0.05)
    sound[:: RATE // 2] = 0.9
    samples = clean(sound)
    assert np.abs(samples).max() == pytest.approx(HIGHEST_PEAK, abs=1e-3)
    assert measured_traits(samples, RATE).level_dbfs < LEVEL_DBFS


def test_the_pitch_stays_what_it_was():
    time_s = np.arange(5 * 48_000) / 48_000
    tone = 0.2 * np.sin(2 * np.pi * 440 * time_s)
    samples = clean(tone, 48_000, 22_050)
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(samples.size)))
    assert np.argmax(spectrum) * 22_050 / samples.size == pytest.approx(440, abs=0.3)


def test_the_wav_is_of_16_bits_and_one_channel():
    samples = clean(voice_sound(4.0))
    with wave.open(io.BytesIO(wav_bytes(samples, RATE))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        heard = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32767
    assert np.abs(heard - samples).max() <= 0.5 / 32767 + 1e-7


def test_the_samples_decide_the_digest_and_the_format_of_the_file_does_not(tmp_path):
    sound = voice_sound(4.0)
    files = [write_sound(tmp_path / f"reference.{kind}", sound) for kind in ("wav", "flac")]
    digests = {read_recording(path).digest() for path in files}
    assert len(digests) == 1
    changed = sound.copy()
    changed[1000] += 2 / 32768
    other = read_recording(write_sound(tmp_path / "other.wav", changed)).digest()
    faster = read_recording(write_sound(tmp_path / "faster.wav", sound, 44_100)).digest()
    stereo = read_recording(write_sound(tmp_path / "two.wav", np.stack((sound, sound), 1))).digest()
    assert len({*digests, other, faster, stereo}) == 4


def test_mp3_is_read(tmp_path):
    found = read_recording(write_sound(tmp_path / "reference.mp3", voice_sound(4.0)))
    assert found.sample_rate == RATE
    assert found.duration_s == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "no audio that can be read"), (b"no audio at all" * 99, "no audio that can be read")],
)
def test_what_is_no_audio_is_refused(tmp_path, content, words):
    path = tmp_path / "reference.wav"
    path.write_bytes(content)
    with pytest.raises(VoiceUnfit, match=words):
        read_recording(path)


def test_a_recording_of_nothing_of_too_much_and_of_no_numbers_is_refused(tmp_path):
    with pytest.raises(VoiceUnfit, match="no audio in it"):
        read_recording(write_sound(tmp_path / "empty.wav", np.zeros(0)))
    with pytest.raises(VoiceUnfit, match="longer than 10 minutes"):
        read_recording(write_sound(tmp_path / "long.wav", np.zeros(601 * 1000), 1000))
    with pytest.raises(VoiceUnfit, match="9 channels"):
        read_recording(write_sound(tmp_path / "wide.wav", np.zeros((100, 9))))
    soundfile.write(tmp_path / "nan.wav", np.full(1000, math.nan), RATE, "FLOAT")
    with pytest.raises(VoiceUnfit, match="not numbers"):
        read_recording(tmp_path / "nan.wav")
