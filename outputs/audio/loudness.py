"""How loud audio is (ITU-R BS.1770-4, EBU R 128), streaming. Knows no target and no gain.

Chapters are measured one by one as they are joined; gating, which needs the whole programme, is
done once at the end over the blocks of all of them.
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

from audiomill.outputs.types import Loudness
from audiomill.renderers.base import Samples

# The K-weighting filters of ITU-R BS.1770-4, many samples at a time.

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
class BlockFilter(Generic[Real]):
    """x' = A x + B u, y = C x + D u for a row of inputs, as matrices that stand right of rows.

    `direct` [length, length] is what the inputs do to the outputs, `held` [4, length] what the
    state does to them, `left` [length, 4] what the inputs leave in the state.
    """

    direct: NDArray[Real]
    held: NDArray[Real]
    left: NDArray[Real]

    def rounded(self) -> BlockFilter[np.float32]:
        """The same in float32."""
        return BlockFilter(*(one.astype(np.float32) for one in (self.direct, self.held, self.left)))


@dataclass(frozen=True, slots=True, eq=False)
class KWeighting:
    """Both filters for `n_rows` rows at a time.

    Samples are multiplied as float32, which is twice as fast and 100 dB under what is heard; the
    state, in which errors would add up, is float64.
    """

    n_rows: int
    stretch: BlockFilter[np.float32]
    levels: tuple[BlockFilter[np.float64], ...]  # stretches of states, each of the level before
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
        self, left: Array | Weighted, state: Array, levels: Sequence[BlockFilter[np.float64]]
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
    levels: list[BlockFilter[np.float64]] = []
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


def _rows(a: Array, b: Array, c: Array, d: Array, length: int) -> BlockFilter[np.float64]:
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
    return BlockFilter(*(np.ascontiguousarray(one.T) for one in (direct, held, left)))


HOPS_PER_BLOCK = 4  # blocks of 400 ms, one each 100 ms
HOP_S = 0.1
OFFSET_LU = -0.691  # so that a full-scale 997 Hz sine is at -3.01 LUFS
ABSOLUTE_GATE_LUFS = -70.0
RELATIVE_GATE_LU = -10.0


class LoudnessMeter:
    """Measures audio as it streams by. How it is cut into blocks makes no difference."""

    def __init__(self, sample_rate: int) -> None:
        hop = round(HOP_S * sample_rate)
        self._filter = k_weighting(sample_rate, hop)
        self._state = np.zeros(N_STATES)
        self._waiting = np.zeros((self._filter.n_rows, hop), np.float32)
        self._hop_sums = array("d")
        self._n_samples = 0

    def add(self, samples: Samples) -> None:
        """The next samples."""
        waiting = self._waiting.reshape(-1)
        while samples.size:
            at = self._n_samples % waiting.size
            taken = samples[: waiting.size - at]
            waiting[at : at + taken.size] = taken
            self._n_samples += taken.size
            if at + taken.size == waiting.size:
                weighted, self._state = self._weighted()
                self._hop_sums.frombytes(_energies(weighted).tobytes())
            samples = samples[taken.size :]

    def _weighted(self) -> tuple[Weighted, NDArray[np.float64]]:
        # Always as many at a time, whatever came: so how it came makes no difference to any bit.
        return self._filter.weighted(self._waiting, self._state)

    def measured(self) -> Loudness:
        """Everything up to now."""
        return Loudness(self._block_powers(), self._n_samples)

    def _block_powers(self) -> NDArray[np.float64]:
        hop = self._waiting.shape[1]
        n_hops, n_over = divmod(self._n_samples % self._waiting.size, hop)
        weighted, _ = self._weighted()
        sums = np.concatenate((self._hop_sums, _energies(weighted[:n_hops])))
        if sums.size >= HOPS_PER_BLOCK:
            blocks = np.convolve(sums, np.ones(HOPS_PER_BLOCK), "valid")
            return blocks / (HOPS_PER_BLOCK * hop)
        if not self._n_samples:
            return np.empty(0)
        # Too short for a single block: what there is of it counts as one.
        over = _energies(weighted[n_hops : n_hops + 1, :n_over])
        return np.array([(sums.sum() + over.sum()) / self._n_samples])


def _energies(hops: Weighted) -> NDArray[np.float64]:
    """The sum of squares of each hop."""
    return np.einsum("ij,ij->i", hops, hops).astype(np.float64)


def integrated_lufs(parts: Iterable[Loudness]) -> float:
    """Gated loudness of all parts as one programme; -inf where nothing passes the gate."""
    powers = np.concatenate([np.empty(0), *(part.block_powers for part in parts)])
    powers = powers[powers >= _power(ABSOLUTE_GATE_LUFS)]
    if not powers.size:
        return -math.inf
    gate = powers.mean() * 10 ** (RELATIVE_GATE_LU / 10)
    return OFFSET_LU + 10 * math.log10(powers[powers > gate].mean())


def _power(lufs: float) -> float:
    return 10 ** ((lufs - OFFSET_LU) / 10)
