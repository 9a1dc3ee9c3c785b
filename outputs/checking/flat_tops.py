"""Finds sound that was clipped and then turned down: its tops are flat below full scale.

    samples of a level     ▇▆▅▄▃▂▂▁▁▁      ▇▆▅▄▃▂▂▁▁█
                           0 ─────▶ peak   0 ─────▶ peak
                           as it should be  clipped

Clipping brings whatever was higher to one level, so that many more samples are at it than just
below. A lossy codec makes ripples of flat tops, and still most of them are near that level.
A sine has the flattest tops of all that is not clipped, with 4.3 times as many samples in the top
2 % of its height as below. Limited speech had up to 2 times, speech that was clipped by 6 dB or
more, as WAV, MP3 and AAC, 8 times and more.
"""

from __future__ import annotations

import numpy as np

from audiomill.outputs.checking.windows import Windows
from audiomill.renderers.base import Samples

WINDOW_S = 60.0  # clipping in one chapter is not lost among all others
LEAST_S = 2.0  # of a window that is not whole
N_LEVELS = 4096  # from 0 to full scale
STEP = 0.02  # of the highest level: how high one row of levels is
HIGHEST_SHARE = 1e-4  # of the samples that may be above what counts as the highest level
LEAST_SHARE = 2e-4  # of the samples that a flat top has at least
LOWEST = 200  # of N_LEVELS: sound that is softer has too few levels
BELOW = (3, 6)  # rows below one with which it is compared


class FlatTopMeter:
    """Counts the levels of a stream, of all channels."""

    def __init__(self, sample_rate: int) -> None:
        self._windows = Windows(round(WINDOW_S * sample_rate))
        self._least = LEAST_S * sample_rate
        self._counts = np.zeros(N_LEVELS, np.int64)
        self._highest = 0.0

    def add(self, block: Samples) -> None:
        """Count the next samples, [n, channels]."""
        for piece, is_last in self._windows.pieces(block):
            levels = np.abs(piece.ravel() * np.float32(N_LEVELS)).astype(np.int32)
            levels = np.minimum(levels, N_LEVELS - 1)
            self._counts += np.bincount(levels, minlength=N_LEVELS)
            if is_last:
                self._highest = max(self._highest, excess(self._counts))
                self._counts[:] = 0

    def measured(self) -> float:
        """How many times as many samples a level has as those below it, at the most."""
        rest = excess(self._counts) if self._windows.n_open >= self._least else 0.0
        return max(self._highest, rest)


def excess(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    """The same of the counts [N_LEVELS] of one window; 0 for silence, and for full scale alone."""
    n_samples = int(counts.sum())
    above = np.flatnonzero(counts[::-1].cumsum() > HIGHEST_SHARE * n_samples)
    highest = N_LEVELS - 1 - int(above[0]) if above.size else 0
    # Sound of 8 bits that is soft has too few levels to tell: most of ours are empty.
    n_levels = np.count_nonzero(counts[highest // 2 : highest + 1])
    if highest < LOWEST or n_levels < highest / 32:
        return 0.0
    n_row = round(STEP * highest)
    rows = counts[: (N_LEVELS - 1) // n_row * n_row].reshape(-1, n_row).sum(axis=1)
    first, last = BELOW
    below = np.convolve(rows, np.ones(last - first + 1) / (last - first + 1), "valid")
    own, below = rows[last:], np.maximum(below[: rows.size - last], 1.0)
    at = np.arange(last, rows.size)
    is_top = (at * n_row >= highest / 2) & (own > LEAST_SHARE * n_samples)
    return float((own / below)[is_top].max(initial=0.0))
