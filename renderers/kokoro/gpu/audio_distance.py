"""The audible distance between two recordings. Knows no model.

It compares log mel spectra, and magnitudes of spectra at three resolutions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.base import Samples

Spectrum = NDArray[np.float64]

N_MELS, MEL_FFT, MEL_HOP = 80, 1024, 256  # bands; window and hop, in samples
RESOLUTIONS = ((512, 128), (1024, 256), (2048, 512))  # window and hop, in samples
# Magnitudes below this are raised to it: -100 dB relative to a full-scale sine.
MIN_MAGNITUDE = 1e-5
# Slaney's mel scale: linear below MEL_BREAK_HZ, logarithmic above.
MEL_BREAK_HZ, LINEAR_STEP_HZ, LOG_STEP = 1000.0, 200 / 3, np.log(6.4) / 27


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance between two recordings, or the mean over several pairs."""

    log_mel_db: float  # mean absolute difference of log mel spectra
    convergence: float  # relative error of STFT magnitudes, the mean over resolutions
    log_stft_db: float  # mean absolute difference of log STFT magnitudes, over resolutions


def distance(one: Samples, other: Samples, sample_rate: int) -> Distance:
    """The distance of `other` from the reference `one`, both (n).

    Raises ValueError if their lengths differ.
    """
    if one.shape != other.shape:
        raise ValueError(f"{one.size} and {other.size} samples cannot be compared")
    mels = [_decibels(_mel(samples, sample_rate)) for samples in (one, other)]
    pairs = [
        (_magnitudes(one, size, hop), _magnitudes(other, size, hop)) for size, hop in RESOLUTIONS
    ]
    return Distance(
        log_mel_db=float(np.abs(mels[0] - mels[1]).mean()),
        convergence=float(np.mean([_relative_error(*pair) for pair in pairs])),
        log_stft_db=float(np.mean([np.abs(_decibels(a) - _decibels(b)).mean() for a, b in pairs])),
    )


def mean_distance(distances: Sequence[Distance]) -> Distance:
    """The mean of each measure, every pair with the same weight."""
    return Distance(
        *(
            float(np.mean([getattr(pair, name) for pair in distances]))
            for name in ("log_mel_db", "convergence", "log_stft_db")
        )
    )


def _relative_error(one: Spectrum, other: Spectrum) -> float:
    return float(np.linalg.norm(one - other) / max(np.linalg.norm(one), MIN_MAGNITUDE))


def _decibels(magnitudes: Spectrum) -> Spectrum:
    return 20 * np.log10(np.maximum(magnitudes, MIN_MAGNITUDE))


def _magnitudes(samples: Samples, size: int, hop: int) -> Spectrum:
    """STFT magnitudes (frames, bins); a full-scale sine gives about 1. Silence pads both ends."""
    padded = np.pad(samples.astype(np.float64), size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    window = np.hanning(size + 1)[:-1]
    return np.abs(np.fft.rfft(frames * window)) * (2 / window.sum())


def _mel(samples: Samples, sample_rate: int) -> Spectrum:
    """Magnitudes of mel bands, (frames, N_MELS)."""
    power = _magnitudes(samples, MEL_FFT, MEL_HOP) ** 2
    return np.sqrt(power @ _mel_filters(sample_rate))


def _mel_filters(sample_rate: int) -> Spectrum:
    """Triangular filters over bins, (bins, N_MELS)."""
    top = _to_mel(np.array([sample_rate / 2]))[0]
    edges = _to_hz(np.linspace(0, top, N_MELS + 2))
    hz = np.fft.rfftfreq(MEL_FFT, 1 / sample_rate)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (hz - low) / (middle - low), (high - hz) / (high - middle)
    return np.clip(np.minimum(rising, falling), 0, None)


def _to_mel(hz: Spectrum) -> Spectrum:
    above = (
        MEL_BREAK_HZ / LINEAR_STEP_HZ
        + np.log(np.maximum(hz, MEL_BREAK_HZ) / MEL_BREAK_HZ) / LOG_STEP
    )
    return np.where(hz < MEL_BREAK_HZ, hz / LINEAR_STEP_HZ, above)


def _to_hz(mel: Spectrum) -> Spectrum:
    knee = MEL_BREAK_HZ / LINEAR_STEP_HZ
    above = MEL_BREAK_HZ * np.exp(LOG_STEP * (np.maximum(mel, knee) - knee))
    return np.where(mel < knee, mel * LINEAR_STEP_HZ, above)
