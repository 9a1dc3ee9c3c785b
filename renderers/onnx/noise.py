"""Noise that a seed decides, without PyTorch.

    seed ─▶ PCG64-DXSM ─▶ 16 random bits ─▶ table of 65,536 quantiles ─▶ float32
                       └▶ 24 random bits ─────────────────────────────▶ float32 in [0, 1)

NumPy promises that a bit generator's stream stays as it is, but not its normal distribution's. The
table has no value beyond 4.3 standard deviations; Kokoro's noise lies 30 dB below its voice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.base import Samples

N_QUANTILES = 1 << 16
BLOCK = 1 << 16  # values at a time: they stay in the cache
PER_WORD = 4  # normal values from 64 random bits
Seed = int | Sequence[int]  # numbers of up to 64 bits


def seeded_noise(seed: Seed, n_values: int) -> Samples:
    """Standard normal noise, float32 of (n_values). Less noise is the beginning of more."""
    quantiles, places = _quantiles(), _random_bits(seed, -(-n_values // PER_WORD)).view("<u2")
    noise = np.empty(places.size, np.float32)
    for first in range(0, noise.size, BLOCK):
        block = slice(first, first + BLOCK)
        # Every place is in the table; without `mode`, NumPy copies the output to check them.
        np.take(quantiles, places[block], out=noise[block], mode="clip")
    return noise[:n_values]


def seeded_uniform(seed: Seed, n_values: int) -> Samples:
    """Evenly distributed noise in [0, 1), float32 of (n_values)."""
    bits = _random_bits(seed, -(-n_values // 2)).view("<u4")[:n_values]
    return (bits >> 8).astype(np.float32) * np.float32(2.0**-24)


def _random_bits(seed: Seed, n_words: int) -> NDArray[np.uint64]:
    """Words of 64 random bits, with the low byte first on every machine."""
    return np.random.PCG64DXSM(seed).random_raw(n_words).astype("<u8", copy=False)


@cache
def _quantiles() -> Samples:
    """The middle of each of N_QUANTILES parts that are equally likely."""
    quantile = NormalDist().inv_cdf
    lower = [quantile((n + 0.5) / N_QUANTILES) for n in range(N_QUANTILES // 2)]
    half = np.array(lower, np.float32)
    return np.concatenate((half, -half[::-1]))
