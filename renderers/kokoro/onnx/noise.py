"""Normal noise that a seed decides, without PyTorch.

    seed ─▶ PCG64-DXSM ─▶ 16 random bits ─▶ table of 65,536 quantiles ─▶ float32

NumPy promises that a bit generator's stream stays as it is, but not its normal distribution's. The
table has no value beyond 4.3 standard deviations; Kokoro's noise lies 30 dB below its voice.
"""

from __future__ import annotations

from functools import cache
from statistics import NormalDist

import numpy as np

from audiomill.renderers.base import Samples

N_QUANTILES = 1 << 16
BLOCK = 1 << 16  # values at a time: they stay in the cache
PER_WORD = 4  # values from 64 random bits


def seeded_noise(seed: int, n_values: int) -> Samples:
    """Standard normal noise, float32 of (n_values). Less noise is the beginning of more."""
    n_words = -(-n_values // PER_WORD)
    words = np.random.PCG64DXSM(seed).random_raw(n_words)
    quantiles, places = _quantiles(), words.astype("<u8", copy=False).view("<u2")
    noise = np.empty(places.size, np.float32)
    for first in range(0, noise.size, BLOCK):
        block = slice(first, first + BLOCK)
        # Every place is in the table; without `mode`, NumPy copies the output to check them.
        np.take(quantiles, places[block], out=noise[block], mode="clip")
    return noise[:n_values]


@cache
def _quantiles() -> Samples:
    """The middle of each of N_QUANTILES parts that are equally likely."""
    quantile = NormalDist().inv_cdf
    lower = [quantile((n + 0.5) / N_QUANTILES) for n in range(N_QUANTILES // 2)]
    half = np.array(lower, np.float32)
    return np.concatenate((half, -half[::-1]))
