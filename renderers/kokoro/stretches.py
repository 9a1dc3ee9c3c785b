"""A row's frames a stretch at a time. Knows not what is done to them.

    frames        ■ ■ ■ ■ ■ ■ ■ ■ ■       from -2 on, within 5 places    · · ■ ■ ■
    stretches     ■ ■ ■│■ ■ ■│■ ■ ■       from 6 on, within 5 places     ■ ■ ■ · ·

A stretch is small enough to stay in the cache while several things are done to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import torch
from torch import Tensor

STRETCH = 2048  # frames, of 1 MiB with 128 channels


def stretches(n_frames: int) -> Iterator[tuple[int, int]]:
    """Where each begins and ends, all of about the same length."""
    count = -(-n_frames // STRETCH)
    return pairwise(n_frames * index // count for index in range(count + 1))


def within(frames: Tensor, first: int, out: Tensor) -> tuple[Tensor, Tensor]:
    """What there is of `frames` from `first` on, as far as `out` has room, and its places there.

    Places of `out` before the first of `frames` and after the last become zero.
    """
    start = max(first, 0)
    stop = max(start, min(first + len(out), len(frames)))
    out[: start - first] = 0
    out[stop - first :] = 0
    return frames[start:stop], out[start - first : stop - first]


class Moments:
    """Mean and variance of each channel over time, gathered stretch by stretch."""

    def __init__(self) -> None:
        self._counts: list[int] = []
        self._means: list[Tensor] = []
        self._variances: list[Tensor] = []

    @classmethod
    def of(cls, frames: Tensor) -> Moments:
        """Those of (T, C)."""
        moments = cls()
        for start, stop in stretches(len(frames)):
            moments.add(frames[start:stop])
        return moments

    def add(self, frames: Tensor) -> None:
        """One more stretch (n, C), read twice: first the mean, then how far all is from it."""
        image = frames.t().unsqueeze(0).unsqueeze(2)
        # Made for training, and the only kernel of PyTorch's that does this at the memory's speed:
        # a thirtieth of the time that var_mean takes over the first axis.
        mean, variance = torch.batch_norm_update_stats(image, None, None, 0.0)
        self._counts.append(len(frames))
        self._means.append(mean)
        self._variances.append(variance)

    def whole(self) -> tuple[Tensor, Tensor]:
        """Mean and variance (C) of all stretches together."""
        means, variances = torch.stack(self._means), torch.stack(self._variances)
        shares = torch.tensor(self._counts, dtype=means.dtype).unsqueeze(1) / sum(self._counts)
        mean = (shares * means).sum(0)
        return mean, (shares * (variances + (means - mean) ** 2)).sum(0)
