"""A true-peak limiter that looks ahead. Knows samples and a ceiling, not loudness.

    needed   1 ───────┐  ┌─────────   the gain that keeps a peak under the ceiling
                      └──┘
    held     1 ────┐        ┌──────   the least of it within LOOK_S
                   └────────┘
    applied  1 ──╲            ╱────   smoothed over LOOK_S each way: never above what is needed
                   ╲________╱

Gain is only computed where the waveform, on or between its samples, is over the ceiling; anywhere
else samples pass through bit for bit.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.true_peak import SIDE, loud_peaks
from audiomill.renderers.base import Samples

LOOK_S = 0.010  # a period of a low voice, so that gain does not follow its single pulses
FRAME = 1 << 16  # samples worked on at a time, counted from the first sample of the stream
# The gain changes within the few samples that a point between two samples is made of, so such a
# point may come out a little higher than reckoned.
MARGIN_DB = 0.02


def limit(blocks: Iterable[Samples], ceiling: float, sample_rate: int) -> Iterator[Samples]:
    """The blocks with no true peak over `ceiling` (linear), sample for sample in place.

    As many samples come out as went in, cut into blocks of FRAME; where the input was cut makes
    no difference to any of them.
    """
    look = round(LOOK_S * sample_rate)
    margin = 2 * look + 2 * SIDE
    ceiling *= 10 ** (-MARGIN_DB / 20)
    for frame in _framed(blocks, margin):
        yield _limited(frame, margin, look, ceiling)


def _framed(blocks: Iterable[Samples], margin: int) -> Iterator[Samples]:
    """Consecutive frames, each with `margin` samples of its neighbours on both sides.

    The stream is taken to be silent before its start and after its end.
    """
    parts, held = [np.zeros(margin, np.float32)], margin
    for block in blocks:
        parts.append(block)
        held += block.size
        if held < FRAME + 2 * margin:
            continue
        pending = np.concatenate(parts)
        while pending.size >= FRAME + 2 * margin:
            yield pending[: FRAME + 2 * margin]
            pending = pending[FRAME:]
        parts, held = [pending], pending.size
    pending = np.concatenate((*parts, np.zeros(margin, np.float32)))
    for start in range(0, pending.size - 2 * margin, FRAME):
        yield pending[start : start + FRAME + 2 * margin]


def _limited(frame: Samples, margin: int, look: int, ceiling: float) -> Samples:
    inside = frame[margin : frame.size - margin]
    at, peaks = loud_peaks(frame, ceiling)
    over = peaks > ceiling
    if not over.any():
        return inside
    limited = inside.copy()
    # A cut is what gain lacks to 1. It ends where that is exactly 0.
    for start, cut in _cuts(at[over], 1 - ceiling / peaks[over].astype(np.float64), look):
        within = slice(max(0, margin - start), max(0, limited.size + margin - start))
        gain = (1 - cut[within]).astype(np.float32)
        first = max(0, start - margin)
        limited[first : first + gain.size] *= gain
    return limited


def _cuts(
    at: NDArray[np.intp], excess: NDArray[np.float64], look: int
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Where gain falls below 1, and by how much: from an index of the frame on, perhaps below 0.

    `excess` is by how much it must fall at the ascending indices `at`, from there to the next.
    """
    window = _window(look)
    # What is held reaches `look + 1` to each side, and what is smoothed `look` more.
    reach = 2 * look + 1
    last = (at[1:] - at[:-1] > 2 * reach).nonzero()[0]  # of each group but the last one
    for first, end in pairwise((0, *(last + 1).tolist(), at.size)):
        start = int(at[first]) - reach
        needed = np.zeros(int(at[end - 1]) + reach + 1 - start)
        needed[at[first:end] - start] = excess[first:end]
        held = highest_within(needed, look + 1)
        yield start, np.asarray(np.convolve(held, window, "same"), np.float64)


@functools.cache
def _window(look: int) -> NDArray[np.float64]:
    """What smooths: it reaches `look` to each side, and its sum is 1."""
    window = np.hanning(2 * look + 3)[1:-1]
    return window / window.sum()


def highest_within(values: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """For each of `values`, none below 0, the highest of it and of `reach` on either side."""
    highest = np.zeros(values.size + 2 * reach)
    highest[reach : reach + values.size] = values
    width = 1  # so many values from each place on are looked at by now
    while width < 2 * reach + 1:
        step = min(width, 2 * reach + 1 - width)
        highest = np.maximum(highest[:-step], highest[step:])
        width += step
    return highest
