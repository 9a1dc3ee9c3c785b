"""A look-ahead true-peak limiter. Knows samples and a ceiling, not loudness.

    needed   1 ───────┐  ┌─────────   the gain that keeps a peak under the ceiling
                      └──┘
    held     1 ────┐        ┌──────   its minimum within LOOK_S on each side
                   └────────┘
    applied  1 ──╲            ╱────   smoothed over LOOK_S on each side: never above the needed gain
                   ╲________╱

Gain is computed only where the waveform exceeds the ceiling, on or between its samples. All other
samples pass through bit for bit.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.true_peak import SIDE, loud_peaks
from audiomill.renderers.engine.protocol import Samples

LOOK_S = 0.010  # one period of a low voice, so that gain does not follow single pulses
FRAME = 1 << 16  # samples processed at a time, counted from the first sample of the stream
# The gain changes within the few samples that a point between two samples is interpolated from,
# so that point may end up slightly higher than computed.
MARGIN_DB = 0.02


def limit(blocks: Iterable[Samples], ceiling: float, sample_rate: int) -> Iterator[Samples]:
    """The audio of `blocks` with no true peak above `ceiling` (linear).

    Every sample keeps its position. The output has as many samples as the input, in blocks of
    FRAME; how the input was cut changes none of them.
    """
    look = round(LOOK_S * sample_rate)
    margin = 2 * look + 2 * SIDE
    ceiling *= 10 ** (-MARGIN_DB / 20)
    for frame in _framed(blocks, margin):
        yield _limited(frame, margin, look, ceiling)


def highest_within(values: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """For each of `values` (none below 0), the maximum within `reach` entries on either side."""
    highest = np.zeros(values.size + 2 * reach)
    highest[reach : reach + values.size] = values
    width = 1  # entry i is the maximum of `width` entries from i on
    while width < 2 * reach + 1:
        step = min(width, 2 * reach + 1 - width)
        highest = np.maximum(highest[:-step], highest[step:])
        width += step
    return highest


def _framed(blocks: Iterable[Samples], margin: int) -> Iterator[Samples]:
    """Consecutive frames, each with `margin` samples of its neighbours on both sides.

    The stream counts as silent before its start and after its end.
    """
    buffered, n_buffered = [np.zeros(margin, np.float32)], margin
    for block in blocks:
        buffered.append(block)
        n_buffered += block.size
        if n_buffered < FRAME + 2 * margin:
            continue
        pending = np.concatenate(buffered)
        while pending.size >= FRAME + 2 * margin:
            yield pending[: FRAME + 2 * margin]
            pending = pending[FRAME:]
        buffered, n_buffered = [pending], pending.size
    pending = np.concatenate((*buffered, np.zeros(margin, np.float32)))
    for start in range(0, pending.size - 2 * margin, FRAME):
        yield pending[start : start + FRAME + 2 * margin]


def _limited(frame: Samples, margin: int, look: int, ceiling: float) -> Samples:
    """`frame` without its margins, limited."""
    inside = frame[margin : frame.size - margin]
    at, peaks = loud_peaks(frame, ceiling)
    over = peaks > ceiling
    if not over.any():
        return inside
    limited = inside.copy()
    excess = 1 - ceiling / peaks[over].astype(np.float64)
    for start, reduction in _gain_reductions(at[over], excess, look):
        within = slice(max(0, margin - start), max(0, limited.size + margin - start))
        gain = (1 - reduction[within]).astype(np.float32)
        first = max(0, start - margin)
        limited[first : first + gain.size] *= gain
    return limited


def _gain_reductions(
    at: NDArray[np.intp], excess: NDArray[np.float64], look: int
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Each range where gain is below 1: its first index in the frame, and 1 - gain from there on.

    The first index may be below 0. `excess` is the reduction needed from each of the ascending
    indices `at` up to the next sample. A range ends where the reduction is exactly 0.
    """
    window = _smoothing_window(look)
    # The held reduction reaches `look + 1` to each side, and smoothing adds `look`.
    reach = 2 * look + 1
    last = (at[1:] - at[:-1] > 2 * reach).nonzero()[0]  # of each group except the last one
    for first, end in pairwise((0, *(last + 1).tolist(), at.size)):
        start = int(at[first]) - reach
        needed = np.zeros(int(at[end - 1]) + reach + 1 - start)
        needed[at[first:end] - start] = excess[first:end]
        held = highest_within(needed, look + 1)
        yield start, np.asarray(np.convolve(held, window, "same"), np.float64)


@functools.cache
def _smoothing_window(look: int) -> NDArray[np.float64]:
    """A Hann window that reaches `look` to each side and sums to 1."""
    window = np.hanning(2 * look + 3)[1:-1]
    return window / window.sum()
