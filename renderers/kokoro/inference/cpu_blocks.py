"""`SnakeBlock` on a CPU, one block of frames at a time. Knows one row and no padding.

    x (T, C)      ┌──────────┬──────────┬──────────┐
                  └──────────┴──────────┴──────────┘
                          └────┬────┘              a block, and the frames around it
                               │                   that the kernel reaches
                               ▼
                  scale, shift, snake, convolve    while the block is in the cache
                               │
                               ├──▶ mean and variance, for the next step's norm
                               ▼
    out (T, C)    ┌──────────┬──────────┬──────────┐
                  └──────────┴──────────┴──────────┘

Over a whole row, one after the other, the dozen elementwise operations between two convolutions
would take twice as long as the convolutions. AdaIN's gain, the snake's alpha and the convolution's
weights are merged: with w = alpha z, convolving z + sin²(alpha z) / alpha is the same as convolving
w + sin² w with weights divided by alpha.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar, cast

import numpy as np
import torch
from torch import Tensor

from audiomill.renderers.kokoro.inference.cpu_convolution import BlockTaps, Workspace
from audiomill.renderers.kokoro.model.layers import NORM_EPS, AdaIN, Conv1d, SnakeBlock

BLOCK_FRAMES = 2048  # frames of a block at most: 1 MiB with 128 channels

_StepParts = tuple[AdaIN, Tensor, Conv1d]  # norm, alpha, convolution
T = TypeVar("T")
R = TypeVar("R")


class MapBlocks(Protocol):
    """Computes blocks, perhaps several at a time. No block depends on another."""

    def __call__(self, function: Callable[[T], R], items: Sequence[T], /) -> list[R]:
        """`function` of each item, in their order."""
        ...


class MakeTaps(Protocol):
    """Makes the convolution of a step: `fastest_taps`, `TiledTaps` or `RoundedTaps`."""

    def __call__(self, weight: Tensor, bias: Tensor | None, dilation: int, /) -> BlockTaps:
        """That of a kernel (C_out, C_in, K), with stride 1 and without padding."""
        ...


def one_by_one(function: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """Implement `MapBlocks` in this thread."""
    return [function(item) for item in items]


def frame_blocks(n_frames: int) -> Iterator[tuple[int, int]]:
    """Split `n_frames` into blocks [start, stop) of at most BLOCK_FRAMES, about equally long."""
    count = -(-n_frames // BLOCK_FRAMES)
    return pairwise(n_frames * index // count for index in range(count + 1))


def overlap(frames: Tensor, first: int, out: Tensor) -> tuple[Tensor, Tensor]:
    """The part of `frames` that a window overlaps, and the part of `out` where it belongs.

    The window starts at frame `first` and is as long as `out`. Frames of `out` outside `frames` are
    set to zero; the caller fills the rest.

        frames              0 1 2 3 4
        window at -2    · · 0 1 2         returns frames[0:3] and out[2:5]; out[0:2] = 0
    """
    start = max(first, 0)
    stop = max(start, min(first + len(out), len(frames)))
    out[: start - first] = 0
    out[stop - first :] = 0
    return frames[start:stop], out[start - first : stop - first]


BlockMoments = tuple[int, Tensor, Tensor]  # frames, mean, variance


def block_moments(frames: Tensor) -> BlockMoments:
    """Those of a block (n, C). It is read twice: for the mean, then for the deviations from it."""
    image = frames.t().unsqueeze(0).unsqueeze(2)
    # A kernel for training, and the only one in PyTorch that does this at the speed of memory: it
    # takes a thirtieth of the time of `var_mean` over the first axis.
    mean, variance = torch.batch_norm_update_stats(image, None, None, 0.0)
    return len(frames), mean, variance


class Moments:
    """Mean and variance of each channel over time, from those of blocks, in their order."""

    def __init__(self, blocks: Iterable[BlockMoments]) -> None:
        self._counts, self._means, self._variances = zip(*blocks, strict=True)

    @classmethod
    def of(cls, frames: Tensor) -> Moments:
        """The moments of `frames` (T, C)."""
        return cls(block_moments(frames[start:stop]) for start, stop in frame_blocks(len(frames)))

    def total(self) -> tuple[Tensor, Tensor]:
        """Mean and population variance over all blocks, (C) each."""
        means, variances = torch.stack(self._means), torch.stack(self._variances)
        shares = torch.tensor(self._counts, dtype=means.dtype).unsqueeze(1) / sum(self._counts)
        mean = (shares * means).sum(0)
        return mean, (shares * (variances + (means - mean) ** 2)).sum(0)


class BlockwiseSnakeBlock:
    """A `SnakeBlock` with the same weights that works in place."""

    def __init__(
        self,
        block: SnakeBlock,
        workspace: Workspace,
        map_blocks: MapBlocks,
        make_taps: MakeTaps,
    ) -> None:
        self._workspace = workspace
        firsts = zip(block.adain1, block.alpha1, block.convs1, strict=True)
        seconds = zip(block.adain2, block.alpha2, block.convs2, strict=True)
        self._pairs = [
            (
                _BlockStep(*cast(_StepParts, first), workspace, map_blocks, make_taps),
                _BlockStep(*cast(_StepParts, second), workspace, map_blocks, make_taps),
            )
            for first, second in zip(firsts, seconds, strict=True)
        ]

    def run(self, frames: Tensor, style: Tensor) -> None:
        """Overwrite `frames` (T, C) of one row with the result; `style` is (1, style_dim)."""
        between = self._workspace.frames("between", *frames.shape)
        moments = Moments.of(frames)
        for first, second in self._pairs:
            between_moments = first.run(frames, moments, style, between, overwrites=True)
            moments = second.run(between, between_moments, style, frames, overwrites=False)


class _BlockStep:
    """AdaIN, snake and convolution of one row, block by block."""

    def __init__(
        self,
        norm: AdaIN,
        alpha: Tensor,
        conv: Conv1d,
        workspace: Workspace,
        map_blocks: MapBlocks,
        make_taps: MakeTaps,
    ) -> None:
        self._workspace, self._map = workspace, map_blocks
        self._fc = norm.fc
        self._alpha = alpha.flatten()
        self._reach = cast(int, conv.padding[0])  # frames that the kernel reads to either side
        weight = conv.weight.double() / self._alpha.double().unsqueeze(-1)
        self._conv = make_taps(weight.to(conv.weight.dtype), conv.bias, conv.dilation[0])

    def run(
        self, x: Tensor, moments: Moments, style: Tensor, out: Tensor, *, overwrites: bool
    ) -> Moments:
        """Apply the step to `x` (T, C) and return the moments of `out` (T, C).

        The result is added to `out`, or replaces it if `overwrites`. `moments` are those of `x`.
        """
        scale, shift = self._affine(style, moments)
        write = self._conv.put if overwrites else self._conv.add

        def write_block(ends: tuple[int, int]) -> BlockMoments:
            start, stop = ends
            block = out[start:stop]
            write(self._snaked(x, start, stop, scale, shift), block, self._workspace)
            return block_moments(block)

        return Moments(self._map(write_block, [*frame_blocks(len(x))]))

    def _affine(self, style: Tensor, moments: Moments) -> tuple[Tensor, Tensor]:
        """AdaIN's scale and shift (C), times alpha."""
        gain, offset = self._fc(style)[0].chunk(2)
        mean, variance = moments.total()
        scale = self._alpha * (1 + gain) * torch.rsqrt(variance + NORM_EPS)
        return scale, self._alpha * offset - mean * scale

    def _snaked(self, x: Tensor, start: int, stop: int, scale: Tensor, shift: Tensor) -> Tensor:
        """The input of the convolution for output frames [start, stop): w + sin² w, w = alpha z."""
        n_frames = self._conv.frames_for(stop - start)
        out = self._workspace.frames("snaked", n_frames, x.shape[1])
        inside, angle = overlap(x, start - self._reach, out)
        sine = self._workspace.frames("sine", *angle.shape)
        torch.addcmul(shift, inside, scale, out=angle)
        # NumPy's sine takes two fifths of the time of PyTorch's, which is MKL's most accurate one.
        np.sin(angle.numpy(), out=sine.numpy())
        angle.addcmul_(sine, sine)
        return out
