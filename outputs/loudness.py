"""How loud audio is (ITU-R BS.1770-4, EBU R 128), streaming. Knows no target and no gain.

Chapters are measured one by one as they are joined; gating, which needs the whole programme, is
done once at the end over the blocks of all of them.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from outputs.chapter import Loudness
from outputs.k_weighting import N_STATES, Weighted, k_weighting
from renderers.shard import Samples

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
