"""True peak of streamed audio, on and between its samples (ITU-R BS.1770-4, annex 2).

Interpolating every sample is slow. `loud_peaks` first computes an upper bound for the waveform and
interpolates only where the bound exceeds a threshold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.protocol import Samples

OVERSAMPLING = 4  # points per sample
SIDE = 12  # samples on each side that a point between two samples is interpolated from
BLOCK = 128  # samples that share one upper bound
WINDOW = BLOCK + 2 * SIDE - 1  # samples that the points of a block are interpolated from
MAX_POSITIONS = 4096  # positions interpolated at a time: 1.2 MB of products


class PeakMeter:
    """Measures the true peak of a stream; how it is cut makes no difference."""

    def __init__(self) -> None:
        self._highest = 0.0
        self._tail: Samples = np.zeros(2 * SIDE - 1, np.float32)

    def add(self, samples: Samples) -> None:
        """Measure the next samples."""
        if not samples.size:
            return
        # The highest sample is a lower bound, so most positions need no interpolation.
        self._highest = max(self._highest, highest(samples))
        window = np.concatenate((self._tail, samples), dtype=np.float32)
        self._highest = _true_peak(window, self._highest)
        self._tail = window[window.size - self._tail.size :].copy()

    def measured(self) -> float:
        """The true peak of all samples so far; linear, full scale 1."""
        ending = np.concatenate((self._tail, np.zeros(SIDE, np.float32)))
        return _true_peak(ending, self._highest)


def true_peak_dbtp(peaks: Iterable[float]) -> float:
    """The highest of the linear `peaks` in dB relative to full scale; -inf for silence."""
    highest_peak = max(peaks, default=0.0)
    return 20 * math.log10(highest_peak) if highest_peak > 0 else -math.inf


def inner_peak(samples: Samples) -> float:
    """The true peak of a piece of a stream; between samples only where it has those around."""
    return _true_peak(np.ascontiguousarray(samples, np.float32), highest(samples))


def _true_peak(window: Samples, floor: float) -> float:
    """The window's largest value on or between samples, or `floor` if that is larger."""
    _, peaks = loud_peaks(window, floor)
    return max(floor, float(peaks.max(initial=0.0)))


def _phases() -> NDArray[np.float32]:
    """Kaiser-windowed sinc taps for the three points between two samples, [3, 2 * SIDE]."""
    offsets = np.arange(1 - SIDE, SIDE + 1) - np.arange(1, OVERSAMPLING)[:, None] / OVERSAMPLING
    inside: NDArray[np.float64] = np.clip(1 - (offsets / SIDE) ** 2, 0, 1)
    taps = np.sinc(offsets) * np.i0(5.0 * np.sqrt(inside)) / np.i0(5.0)
    return (taps / taps.sum(axis=1, keepdims=True)).astype(np.float32)


def _bounds() -> tuple[float, float]:
    """The largest distance of a point from the line between its neighbours, as two factors.

    The first factor applies to the largest second difference, the second to the largest sample.
    Summation by parts, done twice, turns the taps minus those of linear interpolation into weights
    of second differences. The remainder is weighted by samples: a windowed sinc does not reproduce
    a straight line exactly. The last term covers float32 rounding.
    """
    at = np.arange(1, OVERSAMPLING) / OVERSAMPLING
    taps = PHASES.astype(np.float64)
    taps[:, SIDE - 1] -= 1 - at
    taps[:, SIDE] -= at
    once = taps.cumsum(axis=1)
    twice = once.cumsum(axis=1)
    remainder = np.abs(once[:, -1]) + 2 * np.abs(twice[:, -2]) + 1e-5
    return float(np.abs(twice[:, :-2]).sum(axis=1).max()), float(remainder.max())


PHASES = _phases()
OFFSETS = np.arange(1 - SIDE, SIDE + 1)[:, None]
MAX_GAIN = float(np.abs(PHASES).sum(axis=1).max()) + 1e-5  # of a point over the highest sample
BEND_FACTOR, SAMPLE_FACTOR = _bounds()


def highest(samples: Samples) -> float:
    """The largest absolute value; 0 for no samples. Makes no copy, unlike `np.abs`."""
    return max(float(samples.max()), -float(samples.min())) if samples.size else 0.0


def loud_peaks(samples: Samples, threshold: float) -> tuple[NDArray[np.intp], Samples]:
    """Every position where the waveform may exceed `threshold`, and the peak there.

    Positions are ascending indices of `samples`; a peak is the largest absolute value from its
    sample up to the next. At all other positions an upper bound proves that the waveform is below
    `threshold`, so returned peaks may be below it too. Positions near the edges, where points lack
    samples to interpolate from, are never returned.
    """
    at = _may_be_loud(samples, threshold)
    groups = (at[first : first + MAX_POSITIONS] for first in range(0, at.size, MAX_POSITIONS))
    peaks = [_peaks_at(samples, group) for group in groups]
    return at, np.concatenate([np.zeros(0, np.float32), *peaks])


def _peaks_at(samples: Samples, at: NDArray[np.intp]) -> Samples:
    """The largest absolute value from each sample of `at` up to the next."""
    # One extra position: NumPy sums in another order if there is only one.
    windows = samples[np.concatenate((at, at[-1:])) + OFFSETS]
    # Summed one by one: the same result at every position and on every machine, unlike a BLAS
    # matrix product.
    between = (PHASES[:, :, None] * windows).sum(axis=1)[:, : at.size]
    return np.maximum(np.abs(between, out=between).max(axis=0), np.abs(samples[at]))


def _may_be_loud(samples: Samples, threshold: float) -> NDArray[np.intp]:
    """The samples after which a point, up to the next sample, may exceed the threshold."""
    # Silence after the end, so that the last blocks have a whole window too.
    padded = np.concatenate((samples, np.zeros(WINDOW, np.float32)))
    block_peaks = _highest_of_each(BLOCK, np.abs(padded))
    # A window reaches into the next block, and no farther.
    high = np.maximum(block_peaks[:-1], block_peaks[1:])
    loud = (high * MAX_GAIN > threshold).nonzero()[0]
    if not loud.size:
        return loud
    rows, columns = _loud_in(_windows(padded)[loud], high[loud], threshold)
    at = BLOCK * loud[rows] + columns
    return at[at < samples.size - SIDE]


def _windows(samples: Samples) -> Samples:
    """All windows that start BLOCK apart, [n, WINDOW], as a view without copying."""
    n, size = (samples.size - WINDOW) // BLOCK + 1, samples.itemsize
    return np.ndarray((n, WINDOW), samples.dtype, samples, strides=(BLOCK * size, size))


def _loud_in(
    windows: Samples, high: Samples, threshold: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of `windows` [n, WINDOW] that may be loud; `high` [n] are their peaks."""
    slopes = windows[:, 1:] - windows[:, :-1]
    bends = slopes[:, 1:] - slopes[:, :-1]
    max_bend = _highest_of_each(WINDOW - 2, np.abs(bends, out=bends).reshape(-1))
    off_line = BEND_FACTOR * max_bend + SAMPLE_FACTOR * high
    near = (high + off_line > threshold).nonzero()[0]
    ends = np.abs(windows[near, SIDE - 1 : SIDE + BLOCK])
    on_line = np.maximum(ends[:, :-1], ends[:, 1:])
    rows, columns = (on_line + off_line[near, None] > threshold).nonzero()
    return near[rows], columns + (SIDE - 1)


def _highest_of_each(n: int, values: Samples) -> Samples:
    """The maximum of each `n` consecutive values; the last group may be shorter.

    Faster than NumPy's `max` over rows.
    """
    return np.maximum.reduceat(values, np.arange(0, values.size, n))
