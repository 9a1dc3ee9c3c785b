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

from typing import cast

import numpy as np
import torch
from torch import Tensor

from renderers.kokoro.blocks import SnakeBlock
from renderers.kokoro.fir import taps
from renderers.kokoro.layers import AdaIN, Conv1d
from renderers.kokoro.stretches import Moments, stretches, within
from renderers.kokoro.workspace import Workspace

_Parts = tuple[AdaIN, Tensor, Conv1d]


class BlockwiseSnakeBlock:
    """Does what the block it is made from does, in place."""

    def __init__(self, block: SnakeBlock, space: Workspace) -> None:
        self._space = space
        firsts = zip(block.adain1, block.alpha1, block.convs1, strict=True)
        seconds = zip(block.adain2, block.alpha2, block.convs2, strict=True)
        self._pairs = [
            (_Step(*cast(_Parts, first), space), _Step(*cast(_Parts, second), space))
            for first, second in zip(firsts, seconds, strict=True)
        ]

    def run(self, frames: Tensor, style: Tensor) -> None:
        """`frames` are (T, C) of one row, `style` is (1, style_dim)."""
        between = self._space.frames("between", *frames.shape)
        moments = Moments.of(frames)
        for first, second in self._pairs:
            inner = first.run(frames, moments, style, between, afresh=True)
            moments = second.run(between, inner, style, frames, afresh=False)


class _Step:
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
