"""The recording of a cloned voice: decoded, told from others by its samples, and measured.

Measured is where the voice is, how loud, and how loud the noise.

    ▁▁▁▃▆█▇▅▆▁▁▃▆▇▅▃▂▁▁▁
       ├──────────────┤        the voice: frames of 10 ms that stand out of the noise
    leading        trailing
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from audiomill.inputs.files import require_regular
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.reference_voices.voice import VoiceUnfit
from audiomill.renderers.takes.traits import SMALLEST_OFFSET, measured_traits

MAX_S = 600.0  # more is no reference, and is not read
MAX_CHANNELS = 8
MAX_BYTES = 1 << 30
FRAME_S = 0.010
GUARD_S = 0.100  # kept before and after the voice, for soft sounds and reverberation
SURE_FRAMES = 3  # in a row; fewer are a click
NOISE_SHARE = 0.05  # of the frames: even a fast reader is silent for so long between words
OVER_NOISE_DB = 10.0
# The voice begins between these, relative to the loudest frame, wherever the noise is.
LOWEST_DB, HIGHEST_DB = -45.0, -20.0
QUIETEST = 1e-12  # a power of -120 dBFS, below which is nothing


@dataclass(frozen=True, slots=True, eq=False)
class VoiceRecording:
    """Decoded audio."""

    channels: Samples  # [n_samples, n_channels], full scale is ±1
    sample_rate: int  # Hz

    @property
    def mono(self) -> Samples:
        """The mean of the channels, [n_samples]."""
        return self.channels.mean(axis=1, dtype=np.float64).astype(np.float32)

    @property
    def duration_s(self) -> float:
        """Of all of it."""
        return len(self.channels) / self.sample_rate

    def digest(self) -> str:
        """A SHA-256, in hexadecimal, of the samples; the same for WAV and FLAC of the same."""
        header = f"{self.sample_rate} {self.channels.shape}\0".encode()
        samples = np.ascontiguousarray(self.channels, "<f4")
        return hashlib.sha256(header + samples.tobytes()).hexdigest()


def read_recording(path: Path) -> VoiceRecording:
    """The audio of a WAV, FLAC or MP3 file. Raises VoiceUnfit."""
    try:
        require_regular(path, MAX_BYTES)
        with soundfile.SoundFile(path) as file:
            if file.frames > MAX_S * file.samplerate:
                raise VoiceUnfit(f"{path} is longer than {MAX_S / 60:g} minutes: cut out some.")
            if file.channels > MAX_CHANNELS:
                raise VoiceUnfit(f"{path} has {file.channels} channels: take one or two.")
            channels = np.asarray(file.read(dtype="float32", always_2d=True), np.float32)
            sample_rate = int(file.samplerate)
    except soundfile.LibsndfileError as error:
        reason = str(error.error_string).rstrip(".")
        raise VoiceUnfit(f"{path} is no audio that can be read ({reason}).") from error
    except OSError as error:
        raise VoiceUnfit(f"{path} cannot be read ({error.strerror or error}).") from error
    if not channels.size:
        raise VoiceUnfit(f"{path} has no audio in it.")
    if not np.isfinite(channels).all():
        raise VoiceUnfit(f"{path} has samples that are not numbers.")
    return VoiceRecording(channels, sample_rate)


@dataclass(frozen=True, slots=True)
class Measures:
    """Of one recording."""

    duration_s: float
    sample_rate: int  # Hz
    n_channels: int
    start: int  # samples: where the voice begins
    end: int  # and ends
    level_dbfs: float  # of the voice
    noise_dbfs: float  # between the words
    n_clipped: int  # samples in flat tops, of all channels
    mixed_db: float  # power of the mean of the channels, relative to the mean of their powers

    @property
    def speech_s(self) -> float:
        """From the first sound of the voice to its last."""
        return (self.end - self.start) / self.sample_rate

    @property
    def leading_s(self) -> float:
        """Before the voice."""
        return self.start / self.sample_rate

    @property
    def trailing_s(self) -> float:
        """After the voice."""
        return self.duration_s - self.end / self.sample_rate

    @property
    def kept(self) -> tuple[int, int]:
        """The samples that an engine gets: the voice, and a guard on both sides."""
        guard = round(GUARD_S * self.sample_rate)
        n_samples = round(self.duration_s * self.sample_rate)
        return max(0, self.start - guard), min(n_samples, self.end + guard)

    @property
    def kept_s(self) -> float:
        """The duration of what an engine gets."""
        start, end = self.kept
        return (end - start) / self.sample_rate

    @property
    def over_noise_db(self) -> float:
        """The level of the voice, relative to the noise."""
        return self.level_dbfs - self.noise_dbfs


def measured(recording: VoiceRecording) -> Measures | None:
    """The measures of a recording; None if it is silent."""
    mono, rate = centred(recording.mono), recording.sample_rate
    frame = max(1, round(FRAME_S * rate))
    powers = _padded_frame_powers(mono, frame)
    traits = measured_traits(mono, rate)
    bounds = voice_frames(powers)
    if traits is None or bounds is None:
        return None
    first, last = bounds
    return Measures(
        duration_s=recording.duration_s,
        sample_rate=rate,
        n_channels=recording.channels.shape[1],
        start=first * frame,
        end=min(mono.size, last * frame),
        level_dbfs=traits.level_dbfs,
        noise_dbfs=_db(np.quantile(powers[first:last], NOISE_SHARE)),
        n_clipped=sum(_n_clipped(channel, rate) for channel in recording.channels.T),
        mixed_db=_db(_power(recording.mono)) - _db(_power(recording.channels)),
    )


def centred(samples: Samples) -> Samples:
    """The samples without their DC, if that is more than speech itself has: DC is no sound."""
    offset = samples.mean(dtype=np.float64)
    return samples - np.float32(offset) if abs(offset) > SMALLEST_OFFSET else samples


def voice_frames(powers: NDArray[np.float64]) -> tuple[int, int] | None:
    """The frames [first, last) from the first sure sound to the last one; None without any."""
    loudest, noise = float(powers.max(initial=0.0)), float(np.quantile(powers, NOISE_SHARE))
    if loudest <= QUIETEST:
        return None
    least, most = loudest * 10 ** (LOWEST_DB / 10), loudest * 10 ** (HIGHEST_DB / 10)
    threshold = min(max(noise * 10 ** (OVER_NOISE_DB / 10), least), most)
    is_voice = (powers >= threshold).astype(np.int64)
    n = min(SURE_FRAMES, powers.size)
    sure = np.flatnonzero(np.convolve(is_voice, np.ones(n, np.int64), "valid") == n)
    if not sure.size:
        return None
    return int(sure[0]), int(sure[-1]) + n


def _padded_frame_powers(samples: Samples, frame: int) -> NDArray[np.float64]:
    """Mean squares of consecutive frames of `frame` samples; the last one is filled with zeros."""
    n_frames = -(-samples.size // frame)
    padded = np.zeros(n_frames * frame)
    padded[: samples.size] = samples
    frames = padded.reshape(n_frames, frame)
    return np.einsum("ij,ij->i", frames, frames) / frame


def _n_clipped(channel: Samples, sample_rate: int) -> int:
    traits = measured_traits(np.ascontiguousarray(channel), sample_rate)
    return traits.n_clipped if traits else 0


def _power(samples: Samples) -> float:
    return float(np.mean(np.square(samples, dtype=np.float64)))


def _db(power: float) -> float:
    return float(10 * np.log10(max(float(power), QUIETEST)))
