"""The recording of a cloned voice: decoded, and told from others by its samples."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from audiomill.inputs.files import require_regular
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.reference_voices.voice import VoiceUnfit

MAX_S = 600.0  # more is no reference, and is not read
MAX_CHANNELS = 8
MAX_BYTES = 1 << 30


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
        told = f"{self.sample_rate} {self.channels.shape}\0".encode()
        samples = np.ascontiguousarray(self.channels, "<f4")
        return hashlib.sha256(told + samples.tobytes()).hexdigest()


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
