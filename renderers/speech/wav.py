"""WAV as sound is exchanged with servers of speech, recognisers and ffmpeg: written and read.

What is read may have lengths that are unknown, absent or wrong, and extra chunks. A server that
streams cannot know the length when it writes the header, and writes 0, 0xFFFFFFFF or another large
number. Then the audio is what follows. A length that says more than has come, and is not one of
these, tells of audio that was cut off.

Source: Multimedia Programming Interface and Data Specifications 1.0 (IBM and Microsoft, 1991), and
Multiple Channel Audio Data and WAVE Files (Microsoft, 2007) for format 0xFFFE.
"""

from __future__ import annotations

import io
import struct
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Final, Literal, TypeAlias

import numpy as np

from audiomill.renderers.engine.protocol import Samples

WAV: Final = "wav"  # in requests
SUFFIX, MEDIA_TYPE = ".wav", "audio/wav"
ReplyFormat: TypeAlias = Literal["wav", "pcm"]  # what servers are asked for
RIFF = b"RIFF"  # a file's first bytes
PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
# From here on a length is no length: the largest WAV of a request has some minutes.
UNKNOWN_FROM = 0x7000_0000
_HEADER = struct.Struct("<HHIIHH")


class NotWav(ValueError):
    """The bytes are no WAV, or of a kind that no server here sends. The message says which."""


class AudioTooLong(ValueError):
    """It lasts longer than the speech of its text can. The message tells how long."""


class WavCutOff(ValueError):
    """The header tells of more audio than has come."""


def wav_bytes(samples: Samples, sample_rate: int) -> bytes:
    """A file of 16 bits and one channel."""
    pcm = np.rint(np.clip(samples, -1.0, 1.0) * 32767.0).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(sample_rate)
        writer.writeframes(pcm.tobytes())
    return file.getvalue()


def exact_wav_bytes(channels: Samples, sample_rate: int) -> bytes:
    """A file of 24 bits of samples [n, channels], which loses nothing that a recording has."""
    import soundfile

    file = io.BytesIO()
    clipped = np.clip(channels, -1.0, 1.0)
    soundfile.write(file, clipped, sample_rate, "PCM_24", format=WAV)
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class WavFormat:
    """The samples of a file, as its header tells them."""

    tag: int
    n_channels: int
    sample_rate: int
    n_bits: int


def read_wav(content: bytes, longest_s: float = inf) -> tuple[Samples, int]:
    """The samples, (n_samples), and their rate in Hz. Channels are averaged.

    Raises NotWav, WavCutOff, and AudioTooLong for more than `longest_s`.
    """
    if content[:4] != RIFF or content[8:12] != b"WAVE":
        raise NotWav("it does not begin as a WAV file")
    form: WavFormat | None = None
    for name, start, length in _chunks(content):
        if name == b"fmt ":
            form = _format(content[start : start + length])
        if name == b"data":
            if form is None:
                raise NotWav("its audio comes before its format")
            audio = _audio(content, start, length)
            n_frames = 8 * len(audio) // (form.n_channels * form.n_bits)
            check_length(n_frames, form.sample_rate, longest_s)
            return _samples(audio, form), form.sample_rate
    raise NotWav("it has no audio")


def stream_start(header: bytes | bytearray) -> tuple[WavFormat, int] | None:
    """The format, and where the samples begin, of a file's first bytes; None if more are needed.

    Raises NotWav.
    """
    form: WavFormat | None = None
    for name, start, length in _chunks(header):
        if name == b"fmt " and len(header) >= start + length:
            form = _format(header[start : start + length])
        if name == b"data" and form is not None:
            return form, start
    return None


def check_length(n_frames: int, sample_rate: int, longest_s: float) -> None:
    """Raise AudioTooLong for audio of more than `longest_s`."""
    if n_frames > longest_s * sample_rate:
        raise AudioTooLong(f"more than {longest_s:.0f} s of audio")


def _chunks(content: bytes | bytearray) -> Iterator[tuple[bytes, int, int]]:
    """The name, the start and the told length of each chunk."""
    at = 12
    while at + 8 <= len(content):
        name, length = struct.unpack_from("<4sI", content, at)
        yield name, at + 8, length
        at += 8 + length + length % 2


def _audio(content: bytes, start: int, length: int) -> bytes:
    n_left = len(content) - start
    if length > n_left and length < UNKNOWN_FROM:
        raise WavCutOff(f"{n_left} of {length} bytes of audio came")
    is_unknown = length >= UNKNOWN_FROM or length == 0
    return content[start:] if is_unknown else content[start : start + length]


def _format(chunk: bytes | bytearray) -> WavFormat:
    if len(chunk) < _HEADER.size:
        raise NotWav("its format is cut off")
    tag, n_channels, sample_rate, _, _, n_bits = _HEADER.unpack_from(chunk)
    if tag == EXTENSIBLE and len(chunk) >= 26:
        tag = int.from_bytes(chunk[24:26], "little")
    if (tag, n_bits) not in _READERS or not n_channels or not sample_rate:
        raise NotWav(
            f"its format is {tag} with {n_bits} bits, {n_channels} channels and {sample_rate} Hz"
        )
    return WavFormat(tag, n_channels, sample_rate, n_bits)


def _samples(audio: bytes, form: WavFormat) -> Samples:
    frame = form.n_channels * form.n_bits // 8
    whole = audio[: len(audio) - len(audio) % frame]
    samples = _READERS[form.tag, form.n_bits](whole)
    if form.n_channels == 1:
        return samples
    return samples.reshape(-1, form.n_channels).mean(axis=1, dtype=np.float32)


def pcm16(audio: bytes) -> Samples:
    """Samples of signed 16 bits, little-endian, as float32."""
    whole = audio[: len(audio) - len(audio) % 2]
    return np.frombuffer(whole, "<i2").astype(np.float32) / np.float32(1 << 15)


def _pcm8(audio: bytes) -> Samples:
    return (np.frombuffer(audio, np.uint8).astype(np.float32) - 128) / np.float32(128)


def _pcm24(audio: bytes) -> Samples:
    triples = np.frombuffer(audio, np.uint8).reshape(-1, 3)
    padded = np.zeros((len(triples), 4), np.uint8)
    padded[:, 1:] = triples
    return padded.view("<i4")[:, 0].astype(np.float32) / np.float32(1 << 31)


def _pcm32(audio: bytes) -> Samples:
    return np.frombuffer(audio, "<i4").astype(np.float32) / np.float32(1 << 31)


def _float32(audio: bytes) -> Samples:
    return np.frombuffer(audio, "<f4").astype(np.float32)


_READERS = {
    (PCM, 8): _pcm8,
    (PCM, 16): pcm16,
    (PCM, 24): _pcm24,
    (PCM, 32): _pcm32,
    (FLOAT, 32): _float32,
}
