"""WAV as servers send it: of every kind, with lengths that are unknown or wrong."""

import io
import struct

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.speech.wav import NotWav, WavCutOff, read_wav

SAMPLES = np.sin(np.arange(4800) / 9).astype(np.float32) * 0.5
KINDS = {"PCM_16": 2**-15, "PCM_24": 2**-23, "PCM_32": 2**-30, "PCM_U8": 2**-7, "FLOAT": 1e-9}


def wav(samples=SAMPLES, subtype="PCM_16", form="WAV", rate=24_000):
    content = io.BytesIO()
    soundfile.write(content, samples, rate, subtype=subtype, format=form)
    return content.getvalue()


def with_length(content, length):
    """The file with another length in the header of its audio."""
    at = content.index(b"data") + 4
    return content[:at] + struct.pack("<I", length) + content[at + 4 :]


@pytest.mark.parametrize("form", ["WAV", "WAVEX"])
@pytest.mark.parametrize("subtype", KINDS)
def test_samples_and_rate_are_those_that_were_written(subtype, form):
    samples, rate = read_wav(wav(subtype=subtype, form=form))
    assert rate == 24_000
    assert samples.dtype == np.float32
    assert np.abs(samples - SAMPLES).max() <= KINDS[subtype]


def test_channels_are_averaged():
    stereo = np.stack([SAMPLES, -SAMPLES / 2], axis=1)
    samples, _ = read_wav(wav(stereo, "FLOAT"))
    assert np.allclose(samples, SAMPLES / 4, atol=1e-7)


@pytest.mark.parametrize("length", [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0xFFFF_FFFF - 36])
def test_a_length_that_is_none_takes_what_follows(length):
    samples, _ = read_wav(with_length(wav(), length))
    assert np.array_equal(samples, read_wav(wav())[0])


def test_audio_that_was_cut_off_is_told():
    with pytest.raises(WavCutOff, match="4800 of 9600 bytes"):
        read_wav(wav()[:-4800])


def test_what_follows_the_audio_is_no_audio():
    content = wav() + b"LIST" + struct.pack("<I", 4) + b"INFO"
    assert read_wav(content)[0].size == SAMPLES.size


def test_a_chunk_of_odd_length_is_padded():
    content = wav()
    extra = b"junk" + struct.pack("<I", 3) + b"abc\0"
    assert read_wav(content[:12] + extra + content[12:])[0].size == SAMPLES.size


def test_an_unknown_length_with_half_a_sample_at_the_end():
    assert read_wav(with_length(wav(), 0xFFFF_FFFF)[:-1])[0].size == SAMPLES.size - 1


@given(st.binary(max_size=200))
def test_bytes_that_are_no_wav_are_refused(content):
    with pytest.raises(NotWav):
        read_wav(content)


@given(st.integers(0, 60), st.binary(min_size=1, max_size=8))
def test_a_damaged_header_is_read_or_refused(at, noise):
    content = bytearray(wav())
    content[at : at + len(noise)] = noise
    try:
        samples, _ = read_wav(bytes(content))
    except (NotWav, WavCutOff):
        return
    assert samples.dtype == np.float32
    assert samples.ndim == 1
