"""How loud audio is (ITU-R BS.1770-4, EBU R 128), streaming. Knows no target and no gain.

Chapters are measured one by one as they are joined; gating, which needs the whole programme, is
done once at the end over the blocks of all of them.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyloudnorm
import scipy.signal
from numpy.typing import NDArray

from outputs.chapter import Loudness
from renderers.shard import Samples

# Samples that are weighted in one go. As float64 they are half a megabyte, which stays in a core's
# cache.
STEP = 60_000
HOPS_PER_BLOCK = 4  # blocks of 400 ms, one each 100 ms
HOP_S = 0.1
OFFSET_LU = -0.691  # so that a full-scale 997 Hz sine is at -3.01 LUFS
ABSOLUTE_GATE_LUFS = -70.0
RELATIVE_GATE_LU = -10.0
# Gain in dB, Q and frequency in Hz of the analogue filters behind BS.1770's table.
_SHELF = (3.99984385397, 0.7071752369554193, 1681.9744509555319)
_HIGH_PASS = (0.0, 0.5003270373253953, 38.13547087613982)


class LoudnessMeter:
    """Measures audio as it streams by. How it is cut into blocks makes no difference."""

    def __init__(self, sample_rate: int) -> None:
        self._filter = _k_weighting(sample_rate)
        self._state = np.zeros((len(self._filter), 2))
        self._hop = round(HOP_S * sample_rate)
        self._rest: NDArray[np.float64] = np.empty(0)  # weighted, short of a hop
        self._hop_sums = array("d")
        self._n_samples = 0

    def add(self, samples: Samples) -> None:
        """The next samples."""
        for start in range(0, samples.size, STEP):
            self._add(samples[start : start + STEP])

    def _add(self, samples: Samples) -> None:
        self._n_samples += samples.size
        weighted = np.concatenate((self._rest, self._weighted(samples)))
        whole = weighted.size // self._hop * self._hop
        hops = weighted[:whole].reshape(-1, self._hop)
        self._hop_sums.frombytes(np.einsum("ij,ij->i", hops, hops).tobytes())
        self._rest = weighted[whole:].copy()  # a view would keep all of it in memory

    def _weighted(self, samples: Samples) -> NDArray[np.float64]:
        filtered: Any = scipy.signal.sosfilt(
            self._filter, samples.astype(np.float64), zi=self._state
        )
        weighted, self._state = filtered
        return weighted

    def measured(self) -> Loudness:
        """Everything up to now."""
        return Loudness(self._block_powers(), self._n_samples)

    def _block_powers(self) -> NDArray[np.float64]:
        sums = np.array(self._hop_sums, np.float64)
        if sums.size >= HOPS_PER_BLOCK:
            blocks = np.convolve(sums, np.ones(HOPS_PER_BLOCK), "valid")
            return blocks / (HOPS_PER_BLOCK * self._hop)
        if not self._n_samples:
            return np.empty(0)
        # Too short for a single block: what there is of it counts as one.
        total = float(sums.sum()) + float(self._rest @ self._rest)
        return np.array([total / self._n_samples])


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


def _k_weighting(sample_rate: int) -> NDArray[np.float64]:
    """The two K-weighting stages for this rate as second-order sections, [2, 6].

    pyloudnorm's DeMan designs carry the analogue filters behind the standard's table over to any
    rate and agree with that table at 48 kHz; its default designs do so only roughly.
    """
    shelf: Any = pyloudnorm.IIRfilter(*_SHELF, sample_rate, "high_shelf_DeMan")
    high_pass: Any = pyloudnorm.IIRfilter(*_HIGH_PASS, sample_rate, "high_pass_DeMan")
    return np.array([[*stage.b, *stage.a] for stage in (shelf, high_pass)], np.float64)
