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
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from typing import Any

import numpy as np
import pyloudnorm
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Gain in dB, Q and frequency in Hz of the analogue filters behind BS.1770's table.
_SHELF = (3.99984385397, 0.7071752369554193, 1681.9744509555319)
_HIGH_PASS = (0.0, 0.5003270373253953, 38.13547087613982)
N_STATES = 4
# Longer stretches are more to multiply, shorter ones more states to go through.
LONGEST_STRETCH = 32
GROUP = 8  # states that are gone through in one product
# At a time: as float64 half a megabyte, which stays in a core's cache, and groups of states so few
# that OpenBLAS multiplies them by itself. With more it calls its threads, which wait by spinning.
MOST_STRETCHES = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """x' = A x + B u, y = C x + D u for a row of inputs, as matrices that stand right of rows.

    `direct` [length, length] is what the inputs do to the outputs, `held` [4, length] what the
    state does to them, `left` [length, 4] what the inputs leave in the state.
    """

    direct: Array
    held: Array
    left: Array


@dataclass(frozen=True, slots=True, eq=False)
class KWeighting:
    """Both filters for `n_rows` rows at a time."""

    n_rows: int
    stretch: Rows
    levels: tuple[Rows, ...]  # stretches of states, each of the level before
    last: Array  # A of the last level, transposed

    def weighted(self, rows: Array, state: Array) -> tuple[Array, Array]:
        """Filtered rows, one after the other, [n, row]; and the state behind them, [4]."""
        stretches = rows.reshape(len(rows), -1, len(self.stretch.direct))
        left = (stretches @ self.stretch.left).reshape(-1, N_STATES)
        states = self._states(left, state, self.levels)
        before = states[:-1].reshape(len(rows), -1, N_STATES)
        weighted = stretches @ self.stretch.direct
        weighted += before @ self.stretch.held
        return weighted.reshape(rows.shape), states[-1]

    def _states(self, left: Array, state: Array, levels: Sequence[Rows]) -> Array:
        """The state before each of n stretches and behind the last, [n + 1, 4]."""
        if not levels:
            return np.array([*accumulate(left, lambda x, u: x @ self.last + u, initial=state)])
        level, *above = levels
        groups = np.zeros((-(-len(left) // GROUP), GROUP * N_STATES))
        groups.reshape(-1, N_STATES)[: len(left)] = left
        starts = self._states(groups @ level.left, state, above)
        inside = groups @ level.direct + starts[:-1] @ level.held
        return np.vstack((inside.reshape(-1, N_STATES), starts[-1:]))[: len(left) + 1]


@functools.cache
def k_weighting(sample_rate: int, row: int) -> KWeighting:
    """Both stages at a rate, for rows of `row` samples.

    pyloudnorm's DeMan designs carry the analogue filters behind the standard's table over to any
    rate and agree with that table at 48 kHz; its default designs do so only roughly.
    """
    shelf: Any = pyloudnorm.IIRfilter(*_SHELF, sample_rate, "high_shelf_DeMan")
    high_pass: Any = pyloudnorm.IIRfilter(*_HIGH_PASS, sample_rate, "high_pass_DeMan")
    a, b, c, d = _in_series(_section(shelf), _section(high_pass))
    length = max(n for n in range(1, LONGEST_STRETCH + 1) if row % n == 0)
    n_rows = max(1, MOST_STRETCHES * length // row)
    levels: list[Rows] = []
    step, n = np.linalg.matrix_power(a, length), n_rows * row // length
    identity, nothing = np.eye(N_STATES), np.zeros((N_STATES, N_STATES))
    while n > GROUP:  # each state is its own output, before what its stretch leaves is added
        levels.append(_rows(step, identity, identity, nothing, GROUP))
        step, n = np.linalg.matrix_power(step, GROUP), -(-n // GROUP)
    return KWeighting(n_rows, _rows(a, b, c, d, length), tuple(levels), step.T)


def _section(stage: Any) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of a second-order filter, its direct form II transposed."""
    (b0, b1, b2), (_, a1, a2) = stage.b / stage.a[0], stage.a / stage.a[0]
    a = np.array([[-a1, 1.0], [-a2, 0.0]])
    return a, np.array([[b1 - a1 * b0], [b2 - a2 * b0]]), np.array([[1.0, 0.0]]), np.array([[b0]])


def _in_series(
    first: tuple[Array, Array, Array, Array], second: tuple[Array, Array, Array, Array]
) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of one filter behind the other."""
    (a1, b1, c1, d1), (a2, b2, c2, d2) = first, second
    a = np.block([[a1, np.zeros((len(a1), len(a2)))], [b2 @ c1, a2]])
    return a, np.vstack((b1, b2 @ d1)), np.hstack((d2 @ c1, c2)), d2 @ d1


def _rows(a: Array, b: Array, c: Array, d: Array, length: int) -> Rows:
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
