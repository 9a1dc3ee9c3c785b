"""`SnakeBlock` on a CPU, a stretch of frames at a time. Knows one row and no padding.

    frames ──┬── scale, shift, snake ── convolve ──┬── frames of the next step
             └─ a stretch, and as much around it   └─ mean and variance on the way
                as the kernel reaches

Done one after the other over a whole row, the dozen operations between two convolutions take twice
as long as those. AdaIN's gain, the snake's alpha and the weights after it are made one: with
w = alpha z, the convolution of z + sin²(alpha z) / alpha is that of w + sin² w with weights divided
by alpha.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

import numpy as np
import torch
from torch import Tensor

from audiomill.renderers.kokoro.cpu.conv import Workspace, taps
from audiomill.renderers.kokoro.model.layers import AdaIN, Conv1d, SnakeBlock

# A row's frames a stretch at a time.

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


_Parts = tuple[AdaIN, Tensor, Conv1d]


class BlockwiseSnakeBlock:
    """Does what the block it is made from does, in place."""

    def __init__(self, block: SnakeBlock, space: Workspace) -> None:
        self._space = space
        firsts = zip(block.adain1, block.alpha1, block.convs1, strict=True)
        seconds = zip(block.adain2, block.alpha2, block.convs2, strict=True)
        self._pairs = [
            (_BlockStep(*cast(_Parts, first), space), _BlockStep(*cast(_Parts, second), space))
            for first, second in zip(firsts, seconds, strict=True)
        ]

    def run(self, frames: Tensor, style: Tensor) -> None:
        """`frames` are (T, C) of one row, `style` is (1, style_dim)."""
        between = self._space.frames("between", *frames.shape)
        moments = Moments.of(frames)
        for first, second in self._pairs:
            inner = first.run(frames, moments, style, between, afresh=True)
            moments = second.run(between, inner, style, frames, afresh=False)


class _BlockStep:
    """AdaIN, snake and convolution."""

    def __init__(self, norm: AdaIN, alpha: Tensor, conv: Conv1d, space: Workspace) -> None:
        self._space = space
        self._fc = norm.fc
        self._alpha = alpha.flatten()
        self._reach = cast(int, conv.padding[0])  # frames to either side
        weight = conv.weight.double() / self._alpha.double().unsqueeze(-1)
        self._conv = taps(weight.to(conv.weight.dtype), conv.bias, conv.dilation[0])

    def run(
        self, x: Tensor, moments: Moments, style: Tensor, out: Tensor, *, afresh: bool
    ) -> Moments:
        """Adds what comes of `x` to `out`, each (T, C), or puts it there; the moments of `out`."""
        scale, shift = self._affine(style, moments)
        after = Moments()
        for start, stop in stretches(len(x)):
            part = out[start:stop].zero_() if afresh else out[start:stop]
            self._conv.add(self._snaked(x, start, stop, scale, shift), part, self._space)
            after.add(part)
        return after

    def _affine(self, style: Tensor, moments: Moments) -> tuple[Tensor, Tensor]:
        """What AdaIN multiplies by and adds, times alpha."""
        gain, offset = self._fc(style)[0].chunk(2)
        mean, variance = moments.whole()
        scale = self._alpha * (1 + gain) * torch.rsqrt(variance + 1e-5)
        return scale, self._alpha * offset - mean * scale

    def _snaked(self, x: Tensor, start: int, stop: int, scale: Tensor, shift: Tensor) -> Tensor:
        """What the convolution makes the frames from `start` to `stop` of."""
        out = self._space.frames("snaked", self._conv.frames_for(stop - start), x.shape[1])
        inside, angle = within(x, start - self._reach, out)
        sine = self._space.frames("sine", *angle.shape)
        torch.addcmul(shift, inside, scale, out=angle)
        # NumPy's sine takes two fifths of the time of PyTorch's, which is MKL's most exact one.
        np.sin(angle.numpy(), out=sine.numpy())
        angle.addcmul_(sine, sine)
        return out
