"""Faults that the samples of a stream show: clipping, tops that were cut off, channels that cancel.

Clipped samples are in flat tops at full scale. Sound that was clipped and then turned down has its
tops below full scale:

    samples of a level     ▇▆▅▄▃▂▂▁▁▁      ▇▆▅▄▃▂▂▁▁█
                           0 ─────▶ peak   0 ─────▶ peak
                           as it should be  clipped

Clipping brings whatever was higher to one level, so that many more samples are at it than just
below. A lossy codec makes ripples of flat tops, and still most of them are near that level.
A sine has the flattest tops of all that is not clipped, with 4.3 times as many samples in the top
2 % of its height as below. Limited speech had up to 2 times, speech that was clipped by 6 dB or
more, as WAV, MP3 and AAC, 8 times and more.

On one loudspeaker both channels of a stereo file are added. Channels that are the same keep their
power, different ones lose 3 dB. If one is the other upside down, nothing is left: one plug of the
recording was wired the wrong way round.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from audiomill.renderers.engine.protocol import Samples

# Three samples in a row at full scale are an overload (Bob Katz, "Mastering Audio", 2002).
CLIPPED_RUN = 3
FULL_SCALE = 1 - 2 / (1 << 15)  # two steps of 16 bits below: rounding may take one
# Flat tops, in windows.
LEVELS_WINDOW_S = 60.0  # clipping in one chapter is not lost among all others
LEVELS_LEAST_S = 2.0  # of a window that is not whole
N_LEVELS = 4096  # from 0 to full scale
LEVELS_STEP = 0.02  # of the highest level: how high one row of levels is
HIGHEST_SHARE = 1e-4  # of the samples that may be above what counts as the highest level
LEAST_SHARE = 2e-4  # of the samples that a flat top has at least
LOWEST_LEVEL = 200  # of N_LEVELS: sound that is softer has too few levels
ROWS_BELOW = (3, 6)  # rows below one with which it is compared
# Channels that cancel, in windows.
MONO_WINDOW_S = 3.0
LOST_DB = -15.0  # of the power of the mean, against the mean power; wide stereo has -6
QUIET_POWER = 10**-5.0  # noise is different in both channels, and may be wired in any way


class Windows:
    """Parts a stream into windows of `size` samples, wherever its blocks end."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.n_open = 0  # samples of the window that is not whole yet

    def pieces(self, block: Samples) -> Iterator[tuple[Samples, bool]]:
        """The next samples in pieces, and whether each is the last of its window."""
        while len(block):
            piece, block = block[: self._size - self.n_open], block[self._size - self.n_open :]
            self.n_open = (self.n_open + len(piece)) % self._size
            yield piece, not self.n_open


class ClippingCounter:
    """Counts the samples in runs of CLIPPED_RUN or more at full scale, of one channel."""

    def __init__(self) -> None:
        self._finished = 0
        self._open = 0  # the run that reaches the end of the stream so far

    def add(self, channel: Samples, peak: float) -> None:
        """Count in the next samples, whose largest absolute value is `peak`."""
        if peak < FULL_SCALE:
            if channel.size:
                self._close()
            return
        is_full = np.abs(channel) >= FULL_SCALE
        edges = np.flatnonzero(np.diff(is_full.astype(np.int8), prepend=0, append=0))
        starts, ends = edges[::2], edges[1::2]
        if starts[0] != 0:
            self._close()
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            self._open += end - start
            if end < channel.size:
                self._close()

    @property
    def n_clipped(self) -> int:
        """The clipped samples so far."""
        return self._finished + (self._open if self._open >= CLIPPED_RUN else 0)

    def _close(self) -> None:
        self._finished = self.n_clipped
        self._open = 0


class FlatTopMeter:
    """Counts the levels of a stream, of all channels."""

    def __init__(self, sample_rate: int) -> None:
        self._windows = Windows(round(LEVELS_WINDOW_S * sample_rate))
        self._least = LEVELS_LEAST_S * sample_rate
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
    if highest < LOWEST_LEVEL or n_levels < highest / 32:
        return 0.0
    n_row = round(LEVELS_STEP * highest)
    rows = counts[: (N_LEVELS - 1) // n_row * n_row].reshape(-1, n_row).sum(axis=1)
    first, last = ROWS_BELOW
    below = np.convolve(rows, np.ones(last - first + 1) / (last - first + 1), "valid")
    own, below = rows[last:], np.maximum(below[: rows.size - last], 1.0)
    at = np.arange(last, rows.size)
    is_top = (at * n_row >= highest / 2) & (own > LEAST_SHARE * n_samples)
    return float((own / below)[is_top].max(initial=0.0))


class MonoMeter:
    """Measures a stream of two channels; one of another number loses nothing."""

    def __init__(self, sample_rate: int, n_channels: int) -> None:
        self._sample_rate = sample_rate
        self._is_stereo = n_channels == 2
        self._windows = Windows(round(MONO_WINDOW_S * sample_rate))
        self._both = self._mono = 0.0
        self._n_lost = 0

    def add(self, block: Samples) -> None:
        """Measure the next samples, [n, channels]."""
        if not self._is_stereo:
            return
        for piece, is_last in self._windows.pieces(block):
            wide = piece.astype(np.float64)
            self._both += float(np.einsum("ij,ij->", wide, wide)) / 2
            mono = wide.mean(axis=1)
            self._mono += float(mono @ mono)
            if is_last:
                self._n_lost += self._lost(round(MONO_WINDOW_S * self._sample_rate))
                self._both = self._mono = 0.0

    def measured(self) -> float:
        """The seconds of sound that are lost, in windows of MONO_WINDOW_S."""
        n_open = self._windows.n_open
        return (self._n_lost + (self._lost(n_open) if n_open else 0)) / self._sample_rate

    def _lost(self, n_samples: int) -> int:
        is_loud = self._both > QUIET_POWER * n_samples
        return n_samples if is_loud and self._mono < self._both * 10 ** (LOST_DB / 10) else 0
