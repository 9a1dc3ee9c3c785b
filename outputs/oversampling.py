"""The waveform between the samples, four points to each. Knows a filter, not what peaks are for.

A signal's true peak lies between its samples (ITU-R BS.1770-4, annex 2). Interpolating everything
is slow, and nearly always needless: between samples that are all below p the waveform stays below
`OVERSHOOT * p`, so quiet stretches need not be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from renderers.shard import Samples

FACTOR = 4
SIDE = 12  # samples on each side that a point between two samples is made of
STRETCH = 256  # samples that are judged quiet together


def _phases() -> NDArray[np.float32]:
    """Kaiser-windowed sinc for the three points between two samples, [3, 2 * SIDE]."""
    offsets = np.arange(1 - SIDE, SIDE + 1) - np.arange(1, FACTOR)[:, None] / FACTOR
    inside: NDArray[np.float64] = np.clip(1 - (offsets / SIDE) ** 2, 0, 1)
    taps = np.sinc(offsets) * np.i0(5.0 * np.sqrt(inside)) / np.i0(5.0)
    return (taps / taps.sum(axis=1, keepdims=True)).astype(np.float32)


PHASES = _phases()
OVERSHOOT = float(np.abs(PHASES).sum(axis=1).max())


def peaks_between(samples: Samples) -> Samples:
    """The largest absolute value from each sample up to the next, for all but the edges.

    [n] -> [n - 2 * SIDE + 1]: entry i belongs to samples[i + SIDE - 1].
    """
    at = np.abs(samples[SIDE - 1 : samples.size - SIDE])
    # Tap by tap over all samples: a library's correlation works sample by sample and takes four
    # times as long. The order of the sums is the same for every sample, wherever it stands.
    between, product = np.empty_like(at), np.empty_like(at)
    for phase in PHASES:
        between.fill(0)
        for first, tap in enumerate(phase):
            between += np.multiply(samples[first : first + at.size], tap, out=product)
        np.maximum(at, np.abs(between, out=between), out=at)
    return at


def loud_stretches(samples: Samples, threshold: float) -> Iterator[tuple[int, int]]:
    """Ranges [start, end) of `samples` outside of which its waveform stays below `threshold`."""
    starts = np.arange(0, samples.size, STRETCH)
    if not starts.size:
        return
    loud = np.maximum.reduceat(np.abs(samples), starts) * OVERSHOOT > threshold
    edges = np.flatnonzero(np.diff(np.concatenate(([False], loud, [False]))))
    reach = SIDE  # a loud sample is heard that far into its quiet neighbours
    end = 0
    for first, last in edges.reshape(-1, 2) * STRETCH:
        start, last = max(int(first) - reach, end), min(int(last) + reach, samples.size)
        yield start, last
        end = last
