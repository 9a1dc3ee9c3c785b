"""How high audio reaches, on and between its samples (ITU-R BS.1770-4, annex 2), streaming."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.base import Samples

# The waveform between the samples, four points to each.

FACTOR = 4
SIDE = 12  # samples on each side that a point between two samples is made of
STRETCH = 128  # samples that are judged quiet together
WINDOW = STRETCH + 2 * SIDE - 1  # samples that the points after them are made of
MOST_AT_ONCE = 4096  # places that are interpolated together: 1.2 MB of products


def _phases() -> NDArray[np.float32]:
    """Kaiser-windowed sinc for the three points between two samples, [3, 2 * SIDE]."""
    offsets = np.arange(1 - SIDE, SIDE + 1) - np.arange(1, FACTOR)[:, None] / FACTOR
    inside: NDArray[np.float64] = np.clip(1 - (offsets / SIDE) ** 2, 0, 1)
    taps = np.sinc(offsets) * np.i0(5.0 * np.sqrt(inside)) / np.i0(5.0)
    return (taps / taps.sum(axis=1, keepdims=True)).astype(np.float32)


def _bounds() -> tuple[float, float]:
    """How far a point is off the line at most: per second difference, and per sample.

    Summed by parts twice, the taps less those of the line weigh second differences. What is left
    over, because a windowed sinc does not keep a straight line quite straight, weighs samples; the
    last of it is what float32 may round.
    """
    at = np.arange(1, FACTOR) / FACTOR
    taps = PHASES.astype(np.float64)
    taps[:, SIDE - 1] -= 1 - at
    taps[:, SIDE] -= at
    once = taps.cumsum(axis=1)
    twice = once.cumsum(axis=1)
    left = np.abs(once[:, -1]) + 2 * np.abs(twice[:, -2]) + 1e-5
    return float(np.abs(twice[:, :-2]).sum(axis=1).max()), float(left.max())


PHASES = _phases()
OFFSETS = np.arange(1 - SIDE, SIDE + 1)[:, None]
OVERSHOOT = float(np.abs(PHASES).sum(axis=1).max()) + 1e-5
BEND, LEFT = _bounds()


def highest(samples: Samples) -> float:
    """The largest absolute value; 0 of nothing. Makes no copy, as `np.abs` would."""
    return max(float(samples.max()), -float(samples.min())) if samples.size else 0.0


def loud_peaks(samples: Samples, threshold: float) -> tuple[NDArray[np.intp], Samples]:
    """Every place where the waveform may be over `threshold`, and how high it is there.

    The places are indices of `samples`, ascending; a peak is the largest absolute value from its
    sample up to the next. That all others are under `threshold` is proved and not measured, so many
    of these may be too. None is among the edges, where points lack samples they are made of.
    """
    at = _may_be_loud(samples, threshold)
    groups = (at[first : first + MOST_AT_ONCE] for first in range(0, at.size, MOST_AT_ONCE))
    peaks = [_peaks_at(samples, group) for group in groups]
    return at, np.concatenate([np.zeros(0, np.float32), *peaks])


def _peaks_at(samples: Samples, at: NDArray[np.intp]) -> Samples:
    """The largest absolute value from each sample of `at` up to the next."""
    # One place more than there are: NumPy adds up in another order where there is a single one.
    windows = samples[np.concatenate((at, at[-1:])) + OFFSETS]
    # Added one after the other: the same for every sample, wherever it stands, and on any machine.
    # A library's product of matrices is not.
    between = (PHASES[:, :, None] * windows).sum(axis=1)[:, : at.size]
    return np.maximum(np.abs(between, out=between).max(axis=0), np.abs(samples[at]))


def _may_be_loud(samples: Samples, threshold: float) -> NDArray[np.intp]:
    """The samples after which, up to the next one, a point may be over it."""
    # Silence after the end, so that the last stretches have a whole window too.
    padded = np.concatenate((samples, np.zeros(WINDOW, np.float32)))
    tops = _highest_of_each(STRETCH, np.abs(padded))
    # A window reaches into the next stretch, and no farther.
    high = np.maximum(tops[:-1], tops[1:])
    loud = (high * OVERSHOOT > threshold).nonzero()[0]
    if not loud.size:
        return loud
    rows, columns = _loud_in(_windows(padded)[loud], high[loud], threshold)
    at = STRETCH * loud[rows] + columns
    return at[at < samples.size - SIDE]


def _windows(samples: Samples) -> Samples:
    """Windows that begin STRETCH apart, as many as there are, without copying [n, WINDOW]."""
    n, size = (samples.size - WINDOW) // STRETCH + 1, samples.itemsize
    return np.ndarray((n, WINDOW), samples.dtype, samples, strides=(STRETCH * size, size))


def _loud_in(
    windows: Samples, high: Samples, threshold: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The same for windows [n, WINDOW], as rows and columns; `high` is their highest values."""
    slopes = windows[:, 1:] - windows[:, :-1]
    bends = slopes[:, 1:] - slopes[:, :-1]
    bend = _highest_of_each(WINDOW - 2, np.abs(bends, out=bends).reshape(-1))
    off_line = BEND * bend + LEFT * high
    near = (high + off_line > threshold).nonzero()[0]
    ends = np.abs(windows[near, SIDE - 1 : SIDE + STRETCH])
    on_line = np.maximum(ends[:, :-1], ends[:, 1:])
    rows, columns = (on_line + off_line[near, None] > threshold).nonzero()
    return near[rows], columns + (SIDE - 1)


def _highest_of_each(n: int, values: Samples) -> Samples:
    """The largest of each `n` in a row; the last may be fewer. NumPy's `max` by rows is slow."""
    return np.maximum.reduceat(values, np.arange(0, values.size, n))


class PeakMeter:
    """Measures audio as it streams by. How it is cut into blocks makes no difference."""

    def __init__(self) -> None:
        self._highest = 0.0
        self._before: Samples = np.zeros(2 * SIDE - 1, np.float32)

    def add(self, samples: Samples) -> None:
        """The next samples."""
        if not samples.size:
            return
        # A sample is a peak too, and where it is the highest, much need not be looked at closely.
        self._highest = max(self._highest, highest(samples))
        window = np.concatenate((self._before, samples), dtype=np.float32)
        self._highest = _true_peak(window, self._highest)
        self._before = window[window.size - self._before.size :].copy()

    def measured(self) -> float:
        """The true peak of everything up to now; linear, full scale 1."""
        ending = np.concatenate((self._before, np.zeros(SIDE, np.float32)))
        return _true_peak(ending, self._highest)


def _true_peak(window: Samples, floor: float) -> float:
    """The window's largest value on or between samples, or `floor` if that is larger."""
    _, peaks = loud_peaks(window, floor)
    return max(floor, float(peaks.max(initial=0.0)))


def true_peak_dbtp(peaks: Iterable[float]) -> float:
    """The highest of all linear `peaks` in dB full scale; -inf for silence."""
    highest = max(peaks, default=0.0)
    return 20 * math.log10(highest) if highest > 0 else -math.inf
