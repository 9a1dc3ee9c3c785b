"""The curves of a plot, measured of a stream of audio: its envelope, its loudness, its peak.

    blocks ─┬─▶ EnvelopeMeter   lowest, highest and mean of each short stretch
            └─▶ LevelMeter      loudness and true peak of all channels

Memory does not grow with the length, but for 80 bytes of loudness a second and channel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.loudness import (
    HOP_S,
    HOPS_PER_GATING_BLOCK,
    OFFSET_LU,
    integrated_lufs,
)
from audiomill.outputs.audio.mastering import LevelMeter
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.types import Levels, Loudness

Array = NDArray[np.float64]

MAX_BUCKETS = 1 << 14  # more than a picture has columns; even
_FIRST_STEP = 16  # samples a bucket
# EBU Tech 3341: short-term loudness is that of 3 s. Every second of 29 gating blocks counts: all
# hops of 3.2 s, but the first and the last two by half.
SHORT_TERM_S = 3.2
_WINDOW = np.zeros(round(SHORT_TERM_S / HOP_S) - HOPS_PER_GATING_BLOCK + 1)
_WINDOW[::2] = 1 / _WINDOW[::2].size


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """The lowest, the highest and the root mean square of n stretches of equal length, [n] each."""

    low: Array
    high: Array
    rms: Array


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The curves of a recording."""

    duration_s: float
    envelope: Envelope | None  # None: unknown
    short_term_lufs: Array  # -inf of digital silence; `short_term_at` has the times
    integrated_lufs: float  # -inf of silence
    true_peak_dbtp: float | None  # None: unknown

    @property
    def short_term_at(self) -> Array:
        """The middle of each short-term window in seconds."""
        n = self.short_term_lufs.size
        window_s = min(SHORT_TERM_S, self.duration_s)
        return window_s / 2 + HOP_S * np.arange(n, dtype=np.float64)


class EnvelopeMeter:
    """The envelope of a stream whose length is not known.

    Once there are MAX_BUCKETS stretches, each two become one: memory stays the same.
    """

    def __init__(self) -> None:
        self._low = np.empty(MAX_BUCKETS)
        self._high = np.empty(MAX_BUCKETS)
        self._power = np.empty(MAX_BUCKETS)
        self._n = 0
        self._step = _FIRST_STEP
        self._rest = np.empty((0, 1), np.float32)  # the beginning of the next stretch

    def add(self, samples: NDArray[np.float32]) -> None:
        """Measure the next samples, [n, channels]."""
        waiting = np.concatenate((self._rest, samples)) if self._rest.size else samples
        while len(waiting) >= self._step:
            n = min(len(waiting) // self._step, MAX_BUCKETS - self._n)
            self._append(waiting[: n * self._step].reshape(n, -1))
            waiting = waiting[n * self._step :]
            if self._n == MAX_BUCKETS:
                self._fold()
        self._rest = waiting.copy()

    def measured(self) -> Envelope:
        """The envelope of all samples so far. Its last stretch may be shorter."""
        if self._rest.size:
            # No room is needed for it: it would have been folded.
            self._put(self._n, self._rest.reshape(1, -1))
        n = self._n + bool(self._rest.size)
        return Envelope(self._low[:n].copy(), self._high[:n].copy(), np.sqrt(self._power[:n]))

    def _append(self, stretches: NDArray[np.float32]) -> None:
        self._put(self._n, stretches)
        self._n += len(stretches)

    def _put(self, first: int, stretches: NDArray[np.float32]) -> None:
        places = slice(first, first + len(stretches))
        self._low[places], self._high[places] = stretches.min(axis=1), stretches.max(axis=1)
        energies = np.einsum("ij,ij->i", stretches, stretches)
        self._power[places] = energies / stretches.shape[1]

    def _fold(self) -> None:
        self._n, self._step = MAX_BUCKETS // 2, 2 * self._step
        self._low[: self._n] = self._low.reshape(-1, 2).min(axis=1)
        self._high[: self._n] = self._high.reshape(-1, 2).max(axis=1)
        self._power[: self._n] = self._power.reshape(-1, 2).mean(axis=1)


def measure_curves(
    blocks: Iterable[NDArray[np.float32]],
    sample_rate: int,
    weights: Sequence[float] | None = None,
) -> Curves:
    """The curves of audio that comes as blocks [n, channels]. How it is cut makes no difference.

    `weights` are those of BS.1770 for each channel; None: all are equal.
    """
    envelope, n_samples = EnvelopeMeter(), 0
    meter: LevelMeter | None = None  # the first block tells how many channels there are
    for block in blocks:
        n_samples += len(block)
        envelope.add(block)
        if meter is None:
            meter = LevelMeter(sample_rate, block.shape[1], weights)
        meter.add(block)
    levels = meter.measured() if meter else Levels(Loudness(np.empty(0), 0), 0.0)
    return Curves(
        n_samples / sample_rate,
        envelope.measured(),
        short_term_lufs(levels.loudness.block_powers),
        integrated_lufs([levels.loudness]),
        true_peak_dbtp([levels.true_peak]),
    )


def curves_of_loudness(parts: Sequence[Loudness], sample_rate: int) -> Curves:
    """The curves of consecutive parts whose loudness was measured before."""
    n_samples = sum(part.n_samples for part in parts)
    lufs = short_term_lufs(_in_a_row(parts, sample_rate))
    return Curves(n_samples / sample_rate, None, lufs, integrated_lufs(parts), None)


def _in_a_row(parts: Sequence[Loudness], sample_rate: int) -> Array:
    """The powers of all parts, one every 100 ms of the whole.

    A part has none for its last 300 ms, where its last power stands; but not at the end of all.
    """
    hop, position, powers = HOP_S * sample_rate, 0, [np.empty(0)]
    for part in parts:
        first, position = round(position / hop), position + part.n_samples
        if part.block_powers.size:
            places = np.arange(round(position / hop) - first)
            powers.append(part.block_powers[np.minimum(places, part.block_powers.size - 1)])
    row = np.concatenate(powers)
    return row[: max(1, row.size - HOPS_PER_GATING_BLOCK + 1)]


def short_term_lufs(block_powers: Array) -> Array:
    """The loudness of 3 s, every 100 ms, of the powers of gating blocks; of less, if it is shorter.

    Shape [max(1, n_blocks - 28)], or [0] without blocks. -inf of digital silence.
    """
    if not block_powers.size:
        return np.empty(0)
    is_short = block_powers.size < _WINDOW.size
    powers = np.array([block_powers.mean()]) if is_short else _means(block_powers)
    with np.errstate(divide="ignore"):
        return OFFSET_LU + 10 * np.log10(powers)


def _means(block_powers: Array) -> Array:
    return np.convolve(block_powers, _WINDOW, "valid")
