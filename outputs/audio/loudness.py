"""Loudness of streamed audio (ITU-R BS.1770-4, EBU R 128). Knows no target and no gain.

Each chapter is measured as it is joined. Gating needs the whole programme, so it is done once at
the end over the gating blocks of all chapters.

K-weighting is two recursive filters. They run as a block filter: matrix products filter many
samples at a time, and only the 4 filter states pass from one filter block to the next.
"""

from __future__ import annotations

import functools
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.audio.true_peak import highest
from audiomill.outputs.types import Loudness
from audiomill.renderers.engine.protocol import Samples

Array = NDArray[np.float64]
Weighted = NDArray[np.float32]
Real = TypeVar("Real", np.float32, np.float64)

HOP_S = 0.1
HOPS_PER_GATING_BLOCK = 4  # gating blocks of 400 ms, one every 100 ms
HOPS_PER_SHORT_TERM = 30  # windows of 3 s, one every 100 ms
OFFSET_LU = -0.691  # so that a full-scale 997 Hz sine is at -3.01 LUFS
ABSOLUTE_GATE_LUFS = -70.0
RELATIVE_GATE_LU = -10.0
# EBU Tech 3342: the gate of the loudness range, and the share of windows below either end of it.
RANGE_GATE_LU = -20.0
RANGE_SHARES = (0.10, 0.95)

# The analogue filters behind BS.1770's table of coefficients, which is for 48 kHz only, from Brecht
# De Man, "Evaluation of Implementations of the EBU R128 Loudness Measurement", 2018: frequency in
# Hz, Q, and the gains of s^2, s / Q and 1, with s relative to that frequency.
_HIGH_GAIN = 10 ** (3.99984385397 / 20)
SHELF = (1681.9744509555319, 0.7071752369554193, (_HIGH_GAIN, _HIGH_GAIN**0.499666774155, 1.0))
HIGH_PASS = (38.13547087613982, 0.5003270373253953, (1.0, 0.0, 0.0))
# The standard's second stage has these zeros unscaled, not normalised to 0 dB at high frequencies.
HIGH_PASS_ZEROS = np.array([1.0, -2.0, 1.0])
N_STATES = 4
# Samples per filter block. Longer blocks cost more multiplications, shorter ones more states.
MAX_FILTER_BLOCK = 32
STATE_GROUP = 8  # states computed in one product
# Filter blocks processed at a time: a quarter of a megabyte, which stays in a core's cache, and so
# few groups of states that OpenBLAS multiplies them in the calling thread. With more it uses its
# own threads, which wait by spinning.
MAX_FILTER_BLOCKS = 2048


class LoudnessMeter:
    """Measures the loudness of a stream; how it is cut makes no difference."""

    def __init__(self, sample_rate: int) -> None:
        hop = round(HOP_S * sample_rate)
        self._filter = k_weighting(sample_rate, hop)
        self._state = np.zeros(N_STATES)
        self._buffer = np.zeros((self._filter.n_rows, hop), np.float32)
        self._hop_energies = array("d")
        self._n_samples, self._sum_squares, self._peak = 0, 0.0, 0.0

    def add(self, samples: Samples) -> None:
        """Measure the next samples."""
        buffer = self._buffer.reshape(-1)
        while samples.size:
            at = self._n_samples % buffer.size
            taken = samples[: buffer.size - at]
            buffer[at : at + taken.size] = taken
            self._n_samples += taken.size
            if at + taken.size == buffer.size:
                weighted, self._state = self._weighted()
                self._hop_energies.frombytes(_energies(weighted).tobytes())
                self._sum_squares += float(_energies(self._buffer).sum())
                self._peak = max(self._peak, highest(buffer))
            samples = samples[taken.size :]

    def measured(self) -> Loudness:
        """The loudness of all samples so far."""
        rest = self._buffer.reshape(-1)[: self._n_samples % self._buffer.size]
        return Loudness(
            self._window_powers(HOPS_PER_GATING_BLOCK),
            self._n_samples,
            self._sum_squares + float(np.square(rest, dtype=np.float64).sum()),
            max(self._peak, highest(rest)),
        )

    def short_term_powers(self) -> Array:
        """The mean square of each K-weighted window of 3 s so far, for `loudness_range`."""
        return self._window_powers(HOPS_PER_SHORT_TERM)

    def _weighted(self) -> tuple[Weighted, Array]:
        # Always the whole buffer: a product of another size could round differently, and then the
        # result would depend on how the stream was cut.
        return self._filter.weighted(self._buffer, self._state)

    def _window_powers(self, hops_per_window: int) -> Array:
        """The mean square of each window of so many hops so far, one every hop."""
        hop = self._buffer.shape[1]
        n_hops, n_over = divmod(self._n_samples % self._buffer.size, hop)
        weighted, _ = self._weighted()
        energies = np.concatenate((self._hop_energies, _energies(weighted[:n_hops])))
        if energies.size >= hops_per_window:
            windows = np.convolve(energies, np.ones(hops_per_window), "valid")
            return windows / (hops_per_window * hop)
        if not self._n_samples:
            return np.empty(0)
        # Shorter than one window: all of it counts as one.
        over = _energies(weighted[n_hops : n_hops + 1, :n_over])
        return np.array([(energies.sum() + over.sum()) / self._n_samples])


def integrated_lufs(parts: Iterable[Loudness]) -> float:
    """Gated loudness of all parts as one programme; -inf if nothing passes the gate."""
    powers = np.concatenate([np.empty(0), *(part.block_powers for part in parts)])
    powers = powers[powers >= _power(ABSOLUTE_GATE_LUFS)]
    if not powers.size:
        return -math.inf
    gate = powers.mean() * 10 ** (RELATIVE_GATE_LU / 10)
    return OFFSET_LU + 10 * math.log10(powers[powers > gate].mean())


def rms_db(parts: Iterable[Loudness]) -> float:
    """The RMS level of all parts, pauses included, in dB relative to full scale; -inf if silent."""
    every = tuple(parts)
    power = sum(one.sum_squares for one in every) / max(1, sum(one.n_samples for one in every))
    return 10 * math.log10(power) if power > 0 else -math.inf


def of_channels(parts: Sequence[Loudness], weights: Sequence[float]) -> Loudness:
    """The channels of one programme together, each with its weight (BS.1770-4, table 3).

    RMS and the highest sample are of all channels alike.
    """
    powers = [weight * one.block_powers for one, weight in zip(parts, weights, strict=True)]
    return Loudness(
        np.sum(powers, axis=0),
        parts[0].n_samples,
        sum(one.sum_squares for one in parts) / len(parts),
        max(one.sample_peak for one in parts),
    )


def loudness_range(short_term_powers: Array) -> float:
    """The loudness range in LU (EBU Tech 3342); 0 if nothing passes the gate."""
    powers = short_term_powers[short_term_powers >= _power(ABSOLUTE_GATE_LUFS)]
    if not powers.size:
        return 0.0
    powers = powers[powers >= powers.mean() * 10 ** (RANGE_GATE_LU / 10)]
    low, high = np.quantile(powers, RANGE_SHARES)
    return float(10 * np.log10(high / low))


def _power(lufs: float) -> float:
    return 10 ** ((lufs - OFFSET_LU) / 10)


def _energies(hops: Weighted) -> Array:
    """The sum of squares of each hop."""
    return np.einsum("ij,ij->i", hops, hops).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class BlockFilter(Generic[Real]):
    """x' = A x + B u, y = C x + D u for `length` inputs u, as matrices to the right of row vectors.

    `direct` [length, length] maps inputs to outputs, `from_state` [4, length] the state to outputs,
    `to_state` [length, 4] inputs to their part of the next state.
    """

    direct: NDArray[Real]
    from_state: NDArray[Real]
    to_state: NDArray[Real]

    def rounded(self) -> BlockFilter[np.float32]:
        """The filter in float32."""
        matrices = (self.direct, self.from_state, self.to_state)
        return BlockFilter(*(matrix.astype(np.float32) for matrix in matrices))


@dataclass(frozen=True, slots=True, eq=False)
class KWeighting:
    """Both K-weighting stages for `n_rows` rows at a time.

    Samples are multiplied in float32, which is twice as fast, with an error 100 dB below what is
    audible. The state, where errors would accumulate, is float64.
    """

    n_rows: int
    block_filter: BlockFilter[np.float32]
    # Filters over the states: each level combines STATE_GROUP blocks of the level below.
    levels: tuple[BlockFilter[np.float64], ...]
    last: Array  # A of the last level, transposed

    def weighted(self, rows: Weighted, state: Array) -> tuple[Weighted, Array]:
        """Consecutive rows [n, row] filtered, and the state after them, [4]."""
        blocks = rows.reshape(len(rows), -1, len(self.block_filter.direct))
        inputs = (blocks @ self.block_filter.to_state).reshape(-1, N_STATES)
        states = self._states(inputs, state, self.levels)
        before = states[:-1].astype(np.float32).reshape(len(rows), -1, N_STATES)
        weighted = blocks @ self.block_filter.direct
        weighted += before @ self.block_filter.from_state
        return weighted.reshape(rows.shape), states[-1]

    def _states(
        self, inputs: Array | Weighted, state: Array, levels: Sequence[BlockFilter[np.float64]]
    ) -> Array:
        """The state before each of n blocks and after the last, [n + 1, 4].

        `inputs` [n, 4] is what each block's samples add to the state.
        """
        if not levels:
            return np.array([*accumulate(inputs, lambda x, u: x @ self.last + u, initial=state)])
        level, *above = levels
        groups = np.zeros((-(-len(inputs) // STATE_GROUP), STATE_GROUP * N_STATES))
        groups.reshape(-1, N_STATES)[: len(inputs)] = inputs
        starts = self._states(groups @ level.to_state, state, above)
        inside = groups @ level.direct + starts[:-1] @ level.from_state
        return np.concatenate((inside.reshape(-1, N_STATES), starts[-1:]))[: len(inputs) + 1]


@functools.cache
def k_weighting(sample_rate: int, row: int) -> KWeighting:
    """Both K-weighting stages at a sample rate, for rows of `row` samples."""
    shelf, (_, poles) = biquad(*SHELF, sample_rate), biquad(*HIGH_PASS, sample_rate)
    a, b, c, d = _in_series(_state_space(*shelf), _state_space(HIGH_PASS_ZEROS, poles))
    length = max(n for n in range(1, MAX_FILTER_BLOCK + 1) if row % n == 0)
    n_rows = max(1, MAX_FILTER_BLOCKS * length // row)
    levels: list[BlockFilter[np.float64]] = []
    step, n = np.linalg.matrix_power(a, length), n_rows * row // length
    identity, zeros = np.eye(N_STATES), np.zeros((N_STATES, N_STATES))
    while n > STATE_GROUP:  # the output is the state before the block's own input is added
        levels.append(_block_filter(step, identity, identity, zeros, STATE_GROUP))
        step, n = np.linalg.matrix_power(step, STATE_GROUP), -(-n // STATE_GROUP)
    block_filter = _block_filter(a, b, c, d, length).rounded()
    return KWeighting(n_rows, block_filter, tuple(levels), step.T)


def biquad(
    frequency_hz: float, q: float, gains: tuple[float, float, float], sample_rate: int
) -> tuple[Array, Array]:
    """Coefficients b and a (a[0] = 1) of an analogue filter, by the bilinear transform."""
    k = math.tan(math.pi * frequency_hz / sample_rate)

    def digital(square: float, linear: float, constant: float) -> Array:
        linear, constant = linear * k / q, constant * k * k
        return np.array(
            [square + linear + constant, 2 * (constant - square), square - linear + constant]
        )

    numerator, denominator = digital(*gains), digital(1.0, 1.0, 1.0)
    return numerator / denominator[0], denominator / denominator[0]


def _state_space(b: Array, a: Array) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of a second-order filter, in transposed direct form II."""
    (b0, b1, b2), (_, a1, a2) = b, a
    a = np.array([[-a1, 1.0], [-a2, 0.0]])
    return a, np.array([[b1 - a1 * b0], [b2 - a2 * b0]]), np.array([[1.0, 0.0]]), np.array([[b0]])


def _in_series(
    first: tuple[Array, Array, Array, Array], second: tuple[Array, Array, Array, Array]
) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of the second filter applied to the output of the first."""
    (a1, b1, c1, d1), (a2, b2, c2, d2) = first, second
    a = np.block([[a1, np.zeros((len(a1), len(a2)))], [b2 @ c1, a2]])
    return a, np.vstack((b1, b2 @ d1)), np.hstack((d2 @ c1, c2)), d2 @ d1


def _block_filter(a: Array, b: Array, c: Array, d: Array, length: int) -> BlockFilter[np.float64]:
    """The filter A, B, C, D for `length` inputs at a time."""
    powers = [*accumulate(repeat(a, length - 1), np.matmul, initial=np.eye(len(a)))]
    impulse_response = [d, *(c @ power @ b for power in powers[:-1])]
    zero = np.zeros_like(d)
    direct = np.block(
        [
            [impulse_response[row - column] if row >= column else zero for column in range(length)]
            for row in range(length)
        ]
    )
    from_state = np.vstack([c @ power for power in powers])
    to_state = np.hstack([power @ b for power in reversed(powers)])
    matrices = (direct, from_state, to_state)
    return BlockFilter(*(np.ascontiguousarray(matrix.T) for matrix in matrices))


def finite_level(level: float | None) -> float | None:
    """A level in decibels for JSON, which knows no infinity: None for silence."""
    return round(level, 2) if level is not None and math.isfinite(level) else None
