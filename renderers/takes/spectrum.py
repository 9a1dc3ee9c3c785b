"""The spectrum of a take over time, as coarse as is needed to find repetition and hiss.

`levels_db` has the levels of up to N_BANDS bands, which are spaced as hearing spaces them. Two
moments that sound alike have nearly equal ones, however their phases lie. `flatness` is the
geometric mean of a frame's power spectrum divided by its arithmetic mean: 0.56 for white noise,
whose powers are distributed exponentially, and near 0 for a tone (Johnston, "Transform coding of
audio signals using perceptual noise criteria", 1988).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.protocol import Samples

HOP_S, FRAME_S = 0.020, 0.060  # so much overlap that a repetition may begin between two frames
N_BANDS = 24
LOWEST_HZ, HIGHEST_HZ = 100.0, 7000.0  # most engines have little above
FLOOR_DB = -50.0  # relative to the loudest band: what is softer is silence


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Frames of 60 ms, one every 20 ms; frame t begins at sample t * hop."""

    hop: int  # samples
    levels_db: NDArray[np.float32]  # [n_frames, n_bands], from FLOOR_DB to 0
    powers: NDArray[np.float32]  # [n_frames]
    flatness: NDArray[np.float32]  # [n_frames], 0 to 1


def spectrum_of(samples: Samples, sample_rate: int) -> Spectrum:
    """The spectrum of a take. One that is shorter than a frame has none."""
    size, hop = round(FRAME_S * sample_rate), round(HOP_S * sample_rate)
    if samples.size < size:
        nothing = np.zeros(0, np.float32)
        return Spectrum(hop, np.zeros((0, N_BANDS), np.float32), nothing, nothing)
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]
    spectra = np.abs(np.fft.rfft(frames * np.hanning(size).astype(np.float32))) ** 2
    first, last = (round(hz * size / sample_rate) for hz in (LOWEST_HZ, HIGHEST_HZ))
    powers = spectra[:, first : last + 1].astype(np.float32) + np.float32(1e-12)
    bands = powers @ _bands(powers.shape[1])
    levels_db = np.maximum(10 * np.log10(bands / bands.max()), FLOOR_DB)
    flatness = np.exp(np.log(powers).mean(axis=1)) / powers.mean(axis=1)
    return Spectrum(hop, levels_db, powers.mean(axis=1), flatness)


@cache
def _bands(n_bins: int) -> NDArray[np.float32]:
    """[n_bins, n_bands]: which bins each band adds; each band is wider than the one below."""
    edges = np.unique(np.geomspace(1, n_bins + 1, N_BANDS + 1).round().astype(int)) - 1
    bands = np.zeros((n_bins, edges.size - 1), np.float32)
    for number, (first, end) in enumerate(pairwise(edges)):
        bands[first:end, number] = 1 / (end - first)
    return bands
