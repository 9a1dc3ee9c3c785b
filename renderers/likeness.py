"""How far two recordings of the same words are apart, as far as an ear is concerned. Pure.

    log mel    80 bands, mean difference of their levels, in dB
    spectra    at three resolutions: how much of one is not in the other, and levels bin by bin

Both look at levels and not at waveforms, because the noise in a voice is another one each time and
nobody hears it. So every distance has a floor, that of two recordings that differ in their noise
alone; what is well under it cannot be heard. Source: the multi-resolution STFT loss of Parallel
WaveGAN (arXiv 1910.11480); mel scale and bands as in Slaney's Auditory Toolbox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderers.shard import Samples

Spectrum = NDArray[np.float64]

N_MELS, MEL_FFT, MEL_HOP = 80, 1024, 256
RESOLUTIONS = ((512, 128), (1024, 256), (2048, 512))  # size and hop, in samples
QUIETEST = 1e-5  # of a full-scale sine's magnitude: -100 dB, under which nothing counts
BREAK_HZ, BELOW_HZ, LOG_STEP = 1000.0, 200 / 3, np.log(6.4) / 27  # of the mel scale


@dataclass(frozen=True, slots=True)
class Distance:
    """Between two recordings, or the mean over several pairs."""

    log_mel_db: float
    convergence: float  # relative error of magnitudes, the mean over resolutions
    log_stft_db: float


def distance(one: Samples, other: Samples, sample_rate: int) -> Distance:
    """Of `other` from `one`, both (n) and of the same length. Raises ValueError if they are not."""
    if one.shape != other.shape:
        raise ValueError(f"{one.size} and {other.size} samples cannot be compared")
    mels = [_decibels(_mel(samples, sample_rate)) for samples in (one, other)]
    pairs = [
        (_magnitudes(one, size, hop), _magnitudes(other, size, hop)) for size, hop in RESOLUTIONS
    ]
    return Distance(
        log_mel_db=float(np.abs(mels[0] - mels[1]).mean()),
        convergence=float(np.mean([_missing(*pair) for pair in pairs])),
        log_stft_db=float(np.mean([np.abs(_decibels(a) - _decibels(b)).mean() for a, b in pairs])),
    )


def mean_distance(distances: Sequence[Distance]) -> Distance:
    """Of several pairs, each counting the same."""
    return Distance(
        *(
            float(np.mean([getattr(one, name) for one in distances]))
            for name in ("log_mel_db", "convergence", "log_stft_db")
        )
    )


def _missing(one: Spectrum, other: Spectrum) -> float:
    return float(np.linalg.norm(one - other) / max(np.linalg.norm(one), QUIETEST))


def _decibels(magnitudes: Spectrum) -> Spectrum:
    return 20 * np.log10(np.maximum(magnitudes, QUIETEST))


def _magnitudes(samples: Samples, size: int, hop: int) -> Spectrum:
    """(frames, bins); a sine of full scale comes to about 1. Ends are padded with silence."""
    padded = np.pad(samples.astype(np.float64), size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    window = np.hanning(size + 1)[:-1]
    return np.abs(np.fft.rfft(frames * window)) * (2 / window.sum())


def _mel(samples: Samples, sample_rate: int) -> Spectrum:
    """Magnitudes of bands, (frames, N_MELS)."""
    power = _magnitudes(samples, MEL_FFT, MEL_HOP) ** 2
    return np.sqrt(power @ _bank(sample_rate))


def _bank(sample_rate: int) -> Spectrum:
    """Triangles over bins, (bins, N_MELS)."""
    top = _to_mel(np.array([sample_rate / 2]))[0]
    edges = _to_hz(np.linspace(0, top, N_MELS + 2))
    hz = np.fft.rfftfreq(MEL_FFT, 1 / sample_rate)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (hz - low) / (middle - low), (high - hz) / (high - middle)
    return np.clip(np.minimum(rising, falling), 0, None)


def _to_mel(hz: Spectrum) -> Spectrum:
    above = BREAK_HZ / BELOW_HZ + np.log(np.maximum(hz, BREAK_HZ) / BREAK_HZ) / LOG_STEP
    return np.where(hz < BREAK_HZ, hz / BELOW_HZ, above)


def _to_hz(mel: Spectrum) -> Spectrum:
    knee = BREAK_HZ / BELOW_HZ
    above = BREAK_HZ * np.exp(LOG_STEP * (np.maximum(mel, knee) - knee))
    return np.where(mel < knee, mel * BELOW_HZ, above)
