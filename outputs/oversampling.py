"""The waveform between the samples, four points to each. Knows a filter, not what peaks are for.

A signal's true peak lies between its samples (ITU-R BS.1770-4, annex 2). Interpolating everything
is slow, and nearly always needless. Two things bound a point between two samples, and each is
cheap: it is at most `OVERSHOOT` times as high as the samples around it; and it lies as far from
the straight line between its neighbours as the waveform bends there, times `BEND`.

    samples   ●           ●     on the line: no higher than the higher of the two
              ╰──●──●──●──╯     off it: by second differences, which are small in speech
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderers.shard import Samples

FACTOR = 4
SIDE = 12  # samples on each side that a point between two samples is made of
STRETCH = 128  # samples that are judged quiet together


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
    starts = STRETCH * np.flatnonzero(_may_be_loud(samples, threshold))
    at = starts[:, None] + np.arange(1 - SIDE, STRETCH + SIDE)
    # All at once: some hundred short sums for each stretch would take longer than the sums.
    peaks = peaks_between(samples[at.clip(0, samples.size - 1)])
    at = at[:, SIDE - 1 : SIDE - 1 + STRETCH]
    whole = (at >= SIDE - 1) & (at < samples.size - SIDE)
    return at[whole], peaks[whole]


def peaks_between(samples: Samples) -> Samples:
    """The largest absolute value from each sample up to the next, for all but the edges.

    [..., n] -> [..., n - 2 * SIDE + 1]: entry i belongs to samples[..., i + SIDE - 1].
    """
    n_peaks = samples.shape[-1] - 2 * SIDE + 1
    # Tap by tap over all samples and phases: a library's correlation works sample by sample and
    # takes four times as long. The order of the sums is the same for every sample, wherever it
    # stands, and on any machine.
    between = np.zeros((FACTOR - 1, *samples.shape[:-1], n_peaks), np.float32)
    product = np.empty_like(between)
    for first, taps in enumerate(PHASES.T):
        by_phase = taps.reshape(-1, *[1] * samples.ndim)
        between += np.multiply(samples[..., first : first + n_peaks], by_phase, out=product)
    highest_between = np.abs(between, out=between).max(axis=0)
    return np.maximum(highest_between, np.abs(samples[..., SIDE - 1 : SIDE - 1 + n_peaks]))


def _may_be_loud(samples: Samples, threshold: float) -> NDArray[np.bool_]:
    """For each stretch, whether a point from one of its samples to the next may be over it."""
    if highest(samples) * OVERSHOOT <= threshold:
        return np.zeros(0, np.bool_)
    high = _nearby(_highest_in_stretches(samples))
    loud = high * OVERSHOOT > threshold
    bent = _nearby(_highest_in_stretches(np.diff(samples, 2)))
    loud[: bent.size] &= high[: bent.size] * (1 + LEFT) + BEND * bent > threshold
    return loud


def _highest_in_stretches(samples: Samples) -> Samples:
    """The largest absolute value of each STRETCH; the last may be shorter."""
    starts = np.arange(0, samples.size, STRETCH)
    if not starts.size:
        return np.zeros(0, np.float32)
    return np.maximum.reduceat(np.abs(samples), starts)


def _nearby(values: Samples) -> Samples:
    """For each stretch, the largest of its own value and its neighbours'."""
    near = values.copy()
    np.maximum(near[1:], values[:-1], out=near[1:])
    np.maximum(near[:-1], values[1:], out=near[:-1])
    return near
