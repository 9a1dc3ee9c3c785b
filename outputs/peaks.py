"""How high audio reaches, on and between its samples (ITU-R BS.1770-4, annex 2), streaming."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from outputs.oversampling import SIDE, highest, loud_peaks
from renderers.shard import Samples


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
