"""The K-weighting filters of ITU-R BS.1770-4, many samples at a time. Knows no loudness.

A recursive filter takes its samples one after the other; a library's loop over them was a sixth of
what the mill takes beside the encoder. But a filter is linear: what comes out of a stretch of L
samples is a product of those samples and a matrix, and of the four numbers that the filter holds
before it and another. Those four numbers, stretch by stretch, are such a filter again, so the same
is done with a few stretches in a row, and again, until few are left to go through one by one.

    samples   ▁▂▃▅▆▇▆▅ ▃▂▁▁▂▃▅▆ ▇▆▅▃▂▁▁▂    each stretch by itself: one product for all
    states    s₀       s₁       s₂          sₙ₊₁ = A sₙ + what stretch n leaves
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weighted = NDArray[np.float32]
Real = TypeVar("Real", np.float32, np.float64)

# The analogue filters behind BS.1770's table of coefficients, which is for 48 kHz only, as Brecht
# De Man found them ("Evaluation of Implementations of the EBU R128 Loudness Measurement", 2018):
# frequency in Hz, Q, and the gains of s^2, s / Q and 1, s being relative to that frequency.
_HIGH_GAIN = 10 ** (3.99984385397 / 20)
SHELF = (1681.9744509555319, 0.7071752369554193, (_HIGH_GAIN, _HIGH_GAIN**0.499666774155, 1.0))
HIGH_PASS = (38.13547087613982, 0.5003270373253953, (1.0, 0.0, 0.0))
# The standard's second stage has these zeros as they are, not brought to 0 dB at high frequencies.
HIGH_PASS_ZEROS = np.array([1.0, -2.0, 1.0])
N_STATES = 4
# Longer stretches are more to multiply, shorter ones more states to go through.
LONGEST_STRETCH = 32
GROUP = 8  # states that are gone through in one product
# At a time: a quarter of a megabyte, which stays in a core's cache, and groups of states so few
# that OpenBLAS multiplies them by itself. With more it calls its threads, which wait by spinning.
MOST_STRETCHES = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Rows(Generic[Real]):
    """x' = A x + B u, y = C x + D u for a row of inputs, as matrices that stand right of rows.

    `direct` [length, length] is what the inputs do to the outputs, `held` [4, length] what the
    state does to them, `left` [length, 4] what the inputs leave in the state.
    """

    direct: NDArray[Real]
    held: NDArray[Real]
    left: NDArray[Real]

    def rounded(self) -> Rows[np.float32]:
        """The same in float32."""
        return Rows(*(one.astype(np.float32) for one in (self.direct, self.held, self.left)))


@dataclass(frozen=True, slots=True, eq=False)
class KWeighting:
    """Both filters for `n_rows` rows at a time.

    Samples are multiplied as float32, which is twice as fast and 100 dB under what is heard; the
    state, in which errors would add up, is float64.
    """

    n_rows: int
    stretch: Rows[np.float32]
    levels: tuple[Rows[np.float64], ...]  # stretches of states, each of the level before
    last: Array  # A of the last level, transposed

    def weighted(self, rows: Weighted, state: Array) -> tuple[Weighted, Array]:
        """Filtered rows, one after the other, [n, row]; and the state behind them, [4]."""
        stretches = rows.reshape(len(rows), -1, len(self.stretch.direct))
        left = (stretches @ self.stretch.left).reshape(-1, N_STATES)
        states = self._states(left, state, self.levels)
        before = states[:-1].astype(np.float32).reshape(len(rows), -1, N_STATES)
        weighted = stretches @ self.stretch.direct
        weighted += before @ self.stretch.held
        return weighted.reshape(rows.shape), states[-1]

    def _states(
        self, left: Array | Weighted, state: Array, levels: Sequence[Rows[np.float64]]
    ) -> Array:
        """The state before each of n stretches and behind the last, [n + 1, 4]."""
        if not levels:
            return np.array([*accumulate(left, lambda x, u: x @ self.last + u, initial=state)])
        level, *above = levels
        groups = np.zeros((-(-len(left) // GROUP), GROUP * N_STATES))
        groups.reshape(-1, N_STATES)[: len(left)] = left
        starts = self._states(groups @ level.left, state, above)
        inside = groups @ level.direct + starts[:-1] @ level.held
        return np.concatenate((inside.reshape(-1, N_STATES), starts[-1:]))[: len(left) + 1]


@functools.cache
def k_weighting(sample_rate: int, row: int) -> KWeighting:
    """Both stages at a rate, for rows of `row` samples."""
    shelf, (_, poles) = biquad(*SHELF, sample_rate), biquad(*HIGH_PASS, sample_rate)
    a, b, c, d = _in_series(_section(*shelf), _section(HIGH_PASS_ZEROS, poles))
    length = max(n for n in range(1, LONGEST_STRETCH + 1) if row % n == 0)
    n_rows = max(1, MOST_STRETCHES * length // row)
    levels: list[Rows[np.float64]] = []
    step, n = np.linalg.matrix_power(a, length), n_rows * row // length
    identity, nothing = np.eye(N_STATES), np.zeros((N_STATES, N_STATES))
    while n > GROUP:  # each state is its own output, before what its stretch leaves is added
        levels.append(_rows(step, identity, identity, nothing, GROUP))
        step, n = np.linalg.matrix_power(step, GROUP), -(-n // GROUP)
    return KWeighting(n_rows, _rows(a, b, c, d, length).rounded(), tuple(levels), step.T)


def biquad(
    frequency_hz: float, q: float, gains: tuple[float, float, float], sample_rate: int
) -> tuple[Array, Array]:
    """An analogue second-order filter at a rate: b and a, by the bilinear transform, a[0] = 1."""
    k = math.tan(math.pi * frequency_hz / sample_rate)

    def digital(square: float, linear: float, constant: float) -> Array:
        linear, constant = linear * k / q, constant * k * k
        return np.array(
            [square + linear + constant, 2 * (constant - square), square - linear + constant]
        )

    above, below = digital(*gains), digital(1.0, 1.0, 1.0)
    return above / below[0], below / below[0]


def _section(b: Array, a: Array) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of a second-order filter, its direct form II transposed."""
    (b0, b1, b2), (_, a1, a2) = b, a
    a = np.array([[-a1, 1.0], [-a2, 0.0]])
    return a, np.array([[b1 - a1 * b0], [b2 - a2 * b0]]), np.array([[1.0, 0.0]]), np.array([[b0]])


def _in_series(
    first: tuple[Array, Array, Array, Array], second: tuple[Array, Array, Array, Array]
) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of one filter behind the other."""
    (a1, b1, c1, d1), (a2, b2, c2, d2) = first, second
    a = np.block([[a1, np.zeros((len(a1), len(a2)))], [b2 @ c1, a2]])
    return a, np.vstack((b1, b2 @ d1)), np.hstack((d2 @ c1, c2)), d2 @ d1


def _rows(a: Array, b: Array, c: Array, d: Array, length: int) -> Rows[np.float64]:
    """The filter for `length` steps at a time."""
    powers = [*accumulate(repeat(a, length - 1), np.matmul, initial=np.eye(len(a)))]
    answers = [d, *(c @ power @ b for power in powers[:-1])]
    none = np.zeros_like(d)
    direct = np.block(
        [
            [answers[out - to] if out >= to else none for to in range(length)]
            for out in range(length)
        ]
    )
    held = np.vstack([c @ power for power in powers])
    left = np.hstack([power @ b for power in reversed(powers)])
    return Rows(*(np.ascontiguousarray(one.T) for one in (direct, held, left)))
