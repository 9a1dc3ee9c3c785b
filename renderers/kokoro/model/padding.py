"""How much of each row of a padded batch is real. The only file that knows padding.

    lengths (3, 5), size 5        real frames ■, padding ·

    row 0   ■ ■ ■ · ·             clear(x)      zero where ·
    row 1   ■ ■ ■ ■ ■             mean(x)       over ■ only
                                  reversed(x)   3 2 1 · · and 5 4 3 2 1

Padding is let through wherever nothing mixes frames, and is cleared right before what does: every
convolution whose kernel is wider than one frame. What averages over time, reads it backwards or
reflects it at its end does so row by row. Removing any one of these makes a test fail
(`tests/test_kokoro_masks.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def to_device(values: Sequence[float] | NDArray[np.generic], like: Tensor) -> Tensor:
    """Numbers as a tensor of `like`'s type on its device. The host does not wait for the copy."""
    here = torch.as_tensor(np.asarray(values)).to(like.dtype)
    if like.device.type != "cuda":
        return here.to(like.device)
    return here.pin_memory().to(like.device, non_blocking=True)


class PaddingMask:
    """The real lengths (B) of a batch whose time axis is last and has `size` places."""

    def __init__(self, lengths: Sequence[int], device: torch.device, size: int = 0) -> None:
        self.lengths = tuple(lengths)
        self.size = max(size, *self.lengths)
        self._device = device

    @property
    def are_full(self) -> bool:
        """Whether there is no padding at all, as in a batch of one."""
        return min(self.lengths) == self.size

    def times(self, factor: int, extra: int = 0) -> PaddingMask:
        """The same rows at `factor` times the rate, with `extra` more places each."""
        longer = [length * factor + extra for length in self.lengths]
        return PaddingMask(longer, self._device, self.size * factor + extra)

    def clear(self, x: Tensor) -> Tensor:
        """`x` (…, T) of a batch, zero in the padding."""
        return x if self.are_full else x * self._mask.to(x.dtype)

    def mean(self, x: Tensor) -> Tensor:
        """The mean of `x` (B, C, T) over each row's own frames, (B, C, 1)."""
        if self.are_full:
            return x.mean(-1, keepdim=True)
        return (x * self._mask.to(x.dtype)).sum(-1, keepdim=True) / self._counts.to(x.dtype)

    def reversed(self, x: Tensor) -> Tensor:
        """`x` (B, T, C) with each row's own frames in reverse; what comes after them stays."""
        if self.are_full:
            return x.flip(1)
        return x.gather(1, self._backwards.unsqueeze(-1).expand_as(x))

    def keys(self) -> Tensor | None:
        """What attention may look at, (B, 1, 1, T); None where it may look at everything."""
        return None if self.are_full else self._mask.unsqueeze(1)

    def last(self) -> Tensor:
        """The index of each row's last place, (B, 1)."""
        return self._counts.squeeze(1) - 1

    @cached_property
    def _counts(self) -> Tensor:
        """(B, 1, 1)."""
        like = torch.empty(0, dtype=torch.long, device=self._device)
        return to_device(self.lengths, like).view(-1, 1, 1)

    @cached_property
    def _mask(self) -> Tensor:
        """True where a place is real, (B, 1, T)."""
        return self._places < self._counts

    @cached_property
    def _places(self) -> Tensor:
        return torch.arange(self.size, device=self._device).view(1, 1, -1)

    @cached_property
    def _backwards(self) -> Tensor:
        back = torch.where(self._mask, self._counts - 1 - self._places, self._places)
        return back.squeeze(1)
