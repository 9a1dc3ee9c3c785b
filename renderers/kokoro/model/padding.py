"""Which frames of each row of a padded batch are real, and operations on only those.

    lengths (3, 5), size 5        real frames ■, padding ·

    row 0   ■ ■ ■ · ·             apply(x)      padding set to zero:  a b c 0 0
    row 1   ■ ■ ■ ■ ■             mean(x)       mean over ■ only:     (a + b + c) / 3
                                  reverse(x)    ■ reversed, · kept:   c b a · ·
    row 0 of x = a b c · ·        last_index()  index of the last ■:  2

Operations that treat each frame by itself may run over padding. Padding is set to zero right before
an operation that mixes frames, which is each convolution whose kernel reads padding for a real
frame, and in what the model returns. An operation that averages over time, reads it backwards or
reflects it at the end does so row by row. Without any one of these calls a test fails
(`tests/renderers/kokoro/model/test_masks.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def to_device(values: Sequence[float] | NDArray[np.generic], like: Tensor) -> Tensor:
    """`values` as a tensor with the dtype and device of `like`. The host does not wait for it."""
    on_host = torch.as_tensor(np.asarray(values)).to(like.dtype)
    if like.device.type != "cuda":
        return on_host.to(like.device)
    return on_host.pin_memory().to(like.device, non_blocking=True)


class PaddingMask:
    """Which frames of a batch are real; time is the last axis unless a method says otherwise.

    `lengths` holds the real length of each of the B rows; `size` is T, the padded length.
    """

    def __init__(self, lengths: Sequence[int], device: torch.device, size: int = 0) -> None:
        """`size` may be left out: it is at least the longest length."""
        self.lengths = tuple(lengths)
        self.size = max(size, *self.lengths)
        self._device = device

    @property
    def is_full(self) -> bool:
        """True if there is no padding, as in a batch of one row."""
        return min(self.lengths) == self.size

    def scaled(self, factor: int, extra: int = 0) -> PaddingMask:
        """The mask of the same rows at `factor` times the rate, each `extra` frames longer."""
        lengths = [length * factor + extra for length in self.lengths]
        return PaddingMask(lengths, self._device, self.size * factor + extra)

    def apply(self, x: Tensor) -> Tensor:
        """`x` (B, C, T) with zeros in the padding."""
        return x if self.is_full else x * self._is_real.to(x.dtype)

    def mean(self, x: Tensor) -> Tensor:
        """The mean of `x` (B, C, T) over each row's real frames, (B, C, 1).

        The padding of `x` must not hold NaN or infinity: it is multiplied by zero.
        """
        if self.is_full:
            return x.mean(-1, keepdim=True)
        return (x * self._is_real.to(x.dtype)).sum(-1, keepdim=True) / self._counts.to(x.dtype)

    def reverse(self, x: Tensor) -> Tensor:
        """`x` (B, T, C) with each row's real frames in reverse order; padding stays in place."""
        if self.is_full:
            return x.flip(1)
        return x.gather(1, self._reverse_index.unsqueeze(-1).expand_as(x))

    def attention_mask(self) -> Tensor | None:
        """The keys that attention may use, (B, 1, 1, T) bool; None if it may use all of them."""
        return None if self.is_full else self._is_real.unsqueeze(1)

    def last_index(self) -> Tensor:
        """The index of each row's last real frame, (B, 1) int64."""
        return self._counts.squeeze(1) - 1

    @cached_property
    def _counts(self) -> Tensor:
        """The lengths, (B, 1, 1) int64."""
        like = torch.empty(0, dtype=torch.long, device=self._device)
        return to_device(self.lengths, like).view(-1, 1, 1)

    @cached_property
    def _is_real(self) -> Tensor:
        """True at real frames, (B, 1, T) bool."""
        return self._indices < self._counts

    @cached_property
    def _indices(self) -> Tensor:
        """0 to T - 1, (1, 1, T)."""
        return torch.arange(self.size, device=self._device).view(1, 1, -1)

    @cached_property
    def _reverse_index(self) -> Tensor:
        """For each frame the index that `reverse` reads, (B, T)."""
        index = torch.where(self._is_real, self._counts - 1 - self._indices, self._indices)
        return index.squeeze(1)
