"""A recording as engines get it: mono, without silence at its ends, at one loudness and rate.

The same samples give the same result, to the last bit: engines listen to it, so it decides their
sound. `CLEANING` is part of each voice's digest.
"""

from __future__ import annotations

import io
import wave

import numpy as np

from audiomill.renderers.base import Samples
from audiomill.renderers.reference_voices.measures import Measures, centred
from audiomill.renderers.reference_voices.recording import VoiceRecording
from audiomill.renderers.resampling import resampled
from audiomill.renderers.takes.traits import measured_traits

# Incremented by hand when the result changes.
CLEANING = 1
LEVEL_DBFS = -20.0  # of the voice, about -20 LUFS
HIGHEST_PEAK = 0.95  # if need be, the voice is left quieter
FADE_S = 0.005  # at both ends, so that the noise does not begin with a click


def cleaned(recording: VoiceRecording, measures: Measures, sample_rate: int) -> Samples:
    """The voice at `sample_rate`, [n_samples]. Raises EngineMissing without soxr."""
    start, end = measures.kept
    mono = centred(recording.mono)[start:end]
    samples = _faded(resampled(mono, recording.sample_rate, sample_rate), sample_rate)
    traits = measured_traits(samples, sample_rate)
    level_dbfs = traits.level_dbfs if traits else LEVEL_DBFS
    peak = float(np.abs(samples).max(initial=0.0)) or 1.0
    gain = min(10 ** ((LEVEL_DBFS - level_dbfs) / 20), HIGHEST_PEAK / peak)
    return samples * np.float32(gain)


def wav_bytes(samples: Samples, sample_rate: int) -> bytes:
    """A WAV file of 16 bits."""
    pcm = np.rint(np.clip(samples, -1.0, 1.0) * 32767.0).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(sample_rate)
        writer.writeframes(pcm.tobytes())
    return file.getvalue()


def _faded(samples: Samples, sample_rate: int) -> Samples:
    n = min(round(FADE_S * sample_rate), samples.size // 2)
    ramp = np.linspace(0.0, 1.0, n, dtype=np.float32)
    faded = samples.copy()
    faded[:n] *= ramp
    faded[samples.size - n :] *= ramp[::-1]
    return faded
