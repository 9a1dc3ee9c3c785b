"""The audio that stand-ins for servers of speech send, and the files that it comes in.

The samples are those of the test engine `tone`, so their length follows the text and each word has
a pitch of its own. The voice shifts all pitches, so that another voice can be heard.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.protocol import Batch, Rendered, Request, WordTiming
from audiomill.renderers.tone.renderer import SAMPLE_RATE, ToneRenderer

UNKNOWN = 0xFFFFFFFF  # a length in the header of a server that streams
LOWEST, N_SHIFTS, SHIFT = 0.7, 601, 0.001  # of a voice's pitches, against those of `tone`
# Formats that we never ask for: how their files begin, which is all that is sent of them.
COMPRESSED = {"mp3": b"\xff\xfb", "flac": b"fLaC", "opus": b"OggS"}
MEDIA_TYPES = {
    "wav": "audio/wav",
    "pcm": "audio/pcm",
    "mp3": "audio/mpeg",
    "flac": "audio/flac",
    "opus": "audio/opus",
}


def pitch_of(voice: str) -> float:
    """By what a voice multiplies the pitches of `tone`."""
    return LOWEST + SHIFT * (zlib.crc32(voice.encode()) % N_SHIFTS)


def spoken_samples(
    text: str, voice: str, speed: float = 1.0, sample_rate: int = SAMPLE_RATE
) -> NDArray[np.float32]:
    """The samples of `text` as a stand-in speaks it: (n_samples,), full scale is ±1."""
    pitch = pitch_of(voice)
    samples = _tones(text, speed * pitch).samples  # too fast, and then played as much slower
    n_samples = round(samples.size * pitch * sample_rate / SAMPLE_RATE)
    at = np.linspace(0, samples.size, n_samples, endpoint=False)
    return np.interp(at, np.arange(samples.size), samples).astype(np.float32)


def word_timings(text: str, voice: str, speed: float = 1.0) -> list[WordTiming]:
    """When each word of `spoken_samples` sounds."""
    pitch = pitch_of(voice)
    return [
        WordTiming(word.start, word.end, word.start_s * pitch, word.end_s * pitch)
        for word in _tones(text, speed * pitch).timings
    ]


def voice_heard(
    samples: NDArray[np.float32], text: str, voices: Sequence[str], sample_rate: int = SAMPLE_RATE
) -> str:
    """The one of `voices` that speaks `text` in `samples`, at speed 1."""

    def distance(voice: str) -> float:
        spoken = spoken_samples(text, voice, sample_rate=sample_rate)
        n_samples = min(spoken.size, samples.size)
        return float(np.square(spoken[:n_samples] - samples[:n_samples]).mean())

    return min(voices, key=distance)


def pcm16(samples: NDArray[np.float32]) -> bytes:
    """Samples as signed 16 bits, little-endian."""
    return (samples * 32767).astype("<i2").tobytes()


def wav(pcm: bytes, sample_rate: int, *, length: int | None = None, extra: bytes = b"") -> bytes:
    """A WAV file of 16 bits, mono. `length`: told instead of the right one; `extra`: a chunk."""
    told = len(pcm) if length is None else length
    riff = min(28 + len(extra) + 8 + told, UNKNOWN)
    form = struct.pack("<HHIIHH", 1, 1, sample_rate, 2 * sample_rate, 2, 16)
    head = struct.pack("<4sI4s4sI", b"RIFF", riff, b"WAVE", b"fmt ", len(form)) + form
    return head + extra + struct.pack("<4sI", b"data", told) + pcm


@lru_cache(64)  # a test compares what it hears with what was spoken
def _tones(text: str, speed: float) -> Rendered:
    return ToneRenderer().render(Batch((Request("", text, "sine", speed),)))[0]
