"""The two residual blocks of `model/layers.py`, on packed rows. Knows filters, norms and tiles.

    x ─┬─▶ norm, activate ─▶ conv ─▶ norm, activate ─▶ conv ─▶ + ─▶ x
       │   └─ reads x        └─ writes y and its moments          │   and its moments
       └──────────────────────────────────────────────────────────┘

Each convolution takes two passes over memory: one normalises and activates, one convolves.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.conv import (
    Arithmetic,
    Filter,
    convolution,
    filter_of,
    padded_width,
)
from audiomill.renderers.kokoro.gpu.layout import Layout, Tiles
from audiomill.renderers.kokoro.gpu.norm import (
    StyleLayers,
    activate,
    affine,
    new_moments,
    snake_params,
    tile_moments,
)
from audiomill.renderers.kokoro.model.layers import AdaIN, SnakeBlock, StyledBlock, doubled

GAIN = 1 / sqrt(2)  # of the sum of both branches of a styled block


@dataclass(frozen=True, slots=True)
class Stage:
    """A batch at one rate.

    `styles` holds the gains and offsets of every norm, (B, their total width): the output of
    `StyleLayers.merged`.
    """

    layout: Layout
    rate: int  # positions a frame
    tiles: Tiles
    styles: Tensor
    arithmetic: Arithmetic

    def empty(self, channels: int) -> Tensor:
        """A buffer (positions, channels) in the dtype of `arithmetic`."""
        return self.layout.empty(self.rate, channels, self.arithmetic.dtype)


@dataclass(frozen=True, slots=True)
class Activations:
    """Values (positions, C) and their moments (tiles, 2, C)."""

    x: Tensor
    moments: Tensor


def packed(x: Tensor, stage: Stage, size: int) -> Tensor:
    """Padded rows (B, C, size) to (positions, C), zero in the gaps."""
    index = stage.layout.gather_index(1, size)
    flat = x.transpose(1, 2).flatten(0, 1)
    return torch.where((index >= 0).unsqueeze(1), flat[index.clamp(min=0)], 0.0)


def concatenated(stage: Stage, *parts: Tensor) -> Tensor:
    """The channels of all parts, with zeros up to `padded_width`, in the stage's dtype."""
    width = sum(part.shape[1] for part in parts)
    zeros = parts[0].new_zeros(parts[0].shape[0], padded_width(width) - width)
    dtype = stage.arithmetic.dtype
    return torch.cat([part.to(dtype) for part in (*parts, zeros)], 1)


@dataclass(frozen=True, slots=True)
class _NormConv:
    """The weights of one norm, snake and convolution."""

    style: slice  # of `Stage.styles`
    alpha: Tensor
    filter: Filter

    @classmethod
    def of(
        cls,
        norm: nn.Module,
        alpha: Tensor,
        conv: nn.Module,
        styles: StyleLayers,
        dtype: torch.dtype,
    ) -> _NormConv:
        return cls(
            styles.add(cast(AdaIN, norm)),
            snake_params(alpha),
            filter_of(cast(nn.Conv1d, conv), dtype),
        )

    def run(
        self,
        features: Activations,
        stage: Stage,
        active: Tensor,
        out: Activations,
        *,
        residual: Tensor | None = None,
        more: Tensor | None = None,
    ) -> None:
        """Write values and moments to `out`; `active` is a scratch buffer like `features.x`."""
        by = affine(features.moments, stage.styles[:, self.style], stage.tiles)
        activate(features.x, active, stage.tiles, by=by, alpha=self.alpha)
        convolution(
            active,
            self.filter,
            out.x,
            stage.tiles,
            stage.arithmetic,
            residual=residual,
            more=more,
            moments=out.moments,
        )


class FusedSnakeBlock:
    """A `SnakeBlock` with the same weights, on packed rows."""

    def __init__(self, block: SnakeBlock, styles: StyleLayers, dtype: torch.dtype) -> None:
        firsts = zip(block.adain1, block.alpha1, block.convs1, strict=True)
        seconds = zip(block.adain2, block.alpha2, block.convs2, strict=True)
        self._pairs = [
            tuple(_NormConv.of(*parts, styles, dtype) for parts in pair)
            for pair in zip(firsts, seconds, strict=True)
        ]

    def __call__(
        self, features: Activations, stage: Stage, out: Tensor, *, more: Tensor | None = None
    ) -> Activations:
        """Write the block's result plus `more` to `out`, and return it with its moments.

        Both are (positions, C). `more` may be `out`.
        """
        channels = features.x.shape[1]
        active, between, sums = (stage.empty(channels) for _ in range(3))
        inner = Activations(between, new_moments(stage.tiles, channels))
        # A later pair overwrites the sums of the one before, but never `features`: other blocks
        # need them too.
        running = Activations(sums, new_moments(stage.tiles, channels))
        x = features
        for first, second in self._pairs[:-1]:
            first.run(x, stage, active, inner)
            second.run(inner, stage, active, running, residual=x.x)
            x = running
        first, second = self._pairs[-1]
        first.run(x, stage, active, inner)
        result = Activations(out, running.moments)
        second.run(inner, stage, active, result, residual=x.x, more=more)
        return result


class FusedStyledBlock:
    """A `StyledBlock` with the same weights, on packed rows.

    The division by the square root of two is part of the filters, where there are any.
    """

    def __init__(self, block: StyledBlock, styles: StyleLayers, dtype: torch.dtype) -> None:
        self._norm1, self._norm2 = styles.add(block.norm1), styles.add(block.norm2)
        self._conv1 = filter_of(block.conv1, dtype)
        self._conv2 = filter_of(block.conv2, dtype, gain=GAIN)
        shortcut = block.conv1x1
        self._shortcut = None if shortcut is None else filter_of(shortcut, dtype, gain=GAIN)
        self._pool = None if block.pool is None else _Doubling(block.pool)

    @property
    def doubles(self) -> bool:
        """Whether the result has twice the rate."""
        return self._pool is not None

    def __call__(self, x: Tensor, stage: Stage, doubled: Stage) -> Tensor:
        """(positions, C_in) at `stage` to (positions, C_out) at `stage`, or at `doubled`.

        It is at `doubled`, which has twice the rate, if the block doubles its frames.
        """
        by = affine(tile_moments(x, stage.tiles), stage.styles[:, self._norm1], stage.tiles)
        active = activate(x, stage.empty(x.shape[1]), stage.tiles, by=by, slope=0.2)
        shortcut = x * GAIN if self._shortcut is None else self._convolved(x, self._shortcut, stage)
        if self._pool is not None:
            active, stage = self._pool(active, doubled), doubled
            shortcut = shortcut.repeat_interleave(2, 0)
        moments = new_moments(stage.tiles, self._conv1.n_out)
        y = self._convolved(active, self._conv1, stage, moments=moments)
        by = affine(moments, stage.styles[:, self._norm2], stage.tiles)
        active = activate(y, stage.empty(y.shape[1]), stage.tiles, by=by, slope=0.2)
        return self._convolved(active, self._conv2, stage, residual=shortcut)

    def _convolved(
        self,
        x: Tensor,
        by: Filter,
        stage: Stage,
        *,
        residual: Tensor | None = None,
        moments: Tensor | None = None,
    ) -> Tensor:
        return convolution(
            x,
            by,
            stage.empty(by.n_out),
            stage.tiles,
            stage.arithmetic,
            residual=residual,
            moments=moments,
        )


class _Doubling:
    """The `Doubling` of `model/layers.py`, on packed rows."""

    def __init__(self, pool: nn.ConvTranspose1d) -> None:
        weight = pool.weight.detach().float().squeeze(1)  # (C, 3)
        missing = padded_width(weight.shape[0]) - weight.shape[0]
        self._taps = F.pad(weight.t(), (0, missing)).contiguous()
        self._bias = F.pad(cast(Tensor, pool.bias).detach().float(), (0, missing))

    def __call__(self, x: Tensor, stage: Stage) -> Tensor:
        """(positions, C) to (positions, C) at `stage`, of twice the rate, zero in the gaps."""
        out = stage.empty(x.shape[1])
        interleaved = doubled(x.float(), self._taps, self._bias).to(out.dtype)
        # A slope of 1 and no gain: this only sets the gaps to zero.
        return activate(interleaved, out, stage.tiles, slope=1.0)
