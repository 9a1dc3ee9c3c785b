"""The two residual blocks of `kokoro/blocks.py`, on packed rows. Knows filters, norms and tiles.

x ─▶ norm, activate ─▶ conv ─▶ norm, activate ─▶ conv, + x ─▶        two passes a convolution
     reads x           writes y, its moments     writes x, its moments
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.conv import Arithmetic, Filter, convolution, filter_of, padded_width
from audiomill.renderers.kokoro.gpu.layout import Layout, Tiles
from audiomill.renderers.kokoro.gpu.norm import (
    StyleLayers,
    activate,
    affine,
    tile_moments,
    new_moments,
    snake_params,
)
from audiomill.renderers.kokoro.model.layers import AdaIN, SnakeBlock, StyledBlock


@dataclass(frozen=True, slots=True)
class Stage:
    """A batch at one rate: where its rows are, and all styles of it, (B, of every norm)."""

    layout: Layout
    rate: int
    tiles: Tiles
    styles: Tensor
    arithmetic: Arithmetic

    def empty(self, channels: int) -> Tensor:
        """Room for so many channels of each place."""
        return self.layout.empty(self.rate, channels, self.arithmetic.dtype)


@dataclass(frozen=True, slots=True)
class Activations:
    """Places (n, C), and their moments (tiles, 2, C)."""

    x: Tensor
    moments: Tensor


@dataclass(frozen=True, slots=True)
class _Half:
    """Norm, snake and convolution."""

    style: slice
    alpha: Tensor
    by: Filter


def _half_of(
    norm: nn.Module, alpha: Tensor, conv: nn.Module, styles: StyleLayers, dtype: torch.dtype
) -> _Half:
    return _Half(
        styles.add(cast(AdaIN, norm)), snake_params(alpha), filter_of(cast(nn.Conv1d, conv), dtype)
    )


class FusedSnakeBlock:
    """Of the same weights as a `SnakeBlock`."""

    def __init__(self, block: SnakeBlock, styles: StyleLayers, dtype: torch.dtype) -> None:
        firsts = zip(block.adain1, block.alpha1, block.convs1, strict=True)
        seconds = zip(block.adain2, block.alpha2, block.convs2, strict=True)
        self._pairs = [
            tuple(_half_of(*half, styles, dtype) for half in pair)
            for pair in zip(firsts, seconds, strict=True)
        ]

    def __call__(
        self, given: Activations, stage: Stage, out: Tensor, *, more: Tensor | None = None
    ) -> Activations:
        """`out`, once it holds what the block makes of `given`, and `more`, which may be `out`."""
        channels = given.x.shape[1]
        active, between, sums = (stage.empty(channels) for _ in range(3))
        halfway = Activations(between, new_moments(stage.tiles, channels))
        # A sum goes over the one before, but not over what was given: other blocks need it too.
        onward = Activations(sums, new_moments(stage.tiles, channels))
        stream = given
        for first, second in self._pairs[:-1]:
            _half(stream, first, stage, active, halfway)
            _half(halfway, second, stage, active, onward, residual=stream.x)
            stream = onward
        first, second = self._pairs[-1]
        _half(stream, first, stage, active, halfway)
        made = Activations(out, onward.moments)
        _half(halfway, second, stage, active, made, residual=stream.x, more=more)
        return made


def _half(
    given: Activations,
    half: _Half,
    stage: Stage,
    active: Tensor,
    made: Activations,
    *,
    residual: Tensor | None = None,
    more: Tensor | None = None,
) -> None:
    by = affine(given.moments, stage.styles[:, half.style], stage.tiles)
    activate(given.x, active, stage.tiles, by=by, alpha=half.alpha)
    convolution(
        active,
        half.by,
        made.x,
        stage.tiles,
        stage.arithmetic,
        residual=residual,
        more=more,
        moments=made.moments,
    )


class FusedStyledBlock:
    """Of the same weights as a `StyledBlock` whose widths differ. The root of two is in them."""

    def __init__(self, block: StyledBlock, styles: StyleLayers, dtype: torch.dtype) -> None:
        if block.conv1x1 is None:
            raise ValueError("a block that leaves the width as it is has no place in a decoder")
        self._norm1, self._norm2 = styles.add(block.norm1), styles.add(block.norm2)
        self._conv1 = filter_of(block.conv1, dtype)
        self._conv2 = filter_of(block.conv2, dtype, gain=1 / sqrt(2))
        self._shortcut = filter_of(block.conv1x1, dtype, gain=1 / sqrt(2))
        self._pool = None if block.pool is None else _Doubling(block.pool)

    def __call__(self, x: Tensor, stage: Stage, doubled: Stage) -> Tensor:
        """(places, C_in) at `stage` to (places, C_out) at it or, if it doubles, at `doubled`."""
        by = affine(tile_moments(x, stage.tiles), stage.styles[:, self._norm1], stage.tiles)
        active = activate(x, stage.empty(x.shape[1]), stage.tiles, by=by, slope=0.2)
        past = self._convolved(x, self._shortcut, stage)
        if self._pool is not None:
            active, past, stage = self._pool(active, doubled), past.repeat_interleave(2, 0), doubled
        moments = new_moments(stage.tiles, self._conv1.n_out)
        y = self._convolved(active, self._conv1, stage, moments=moments)
        by = affine(moments, stage.styles[:, self._norm2], stage.tiles)
        active = activate(y, stage.empty(y.shape[1]), stage.tiles, by=by, slope=0.2)
        return self._convolved(active, self._conv2, stage, residual=past)

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
    """A transposed convolution of three taps and stride 2, channel by channel.

    out[2 q] = w1 in[q],  out[2 q + 1] = w2 in[q] + w0 in[q + 1], and a bias where a row is.
    """

    def __init__(self, pool: nn.ConvTranspose1d) -> None:
        weight = pool.weight.detach().float().squeeze(1)  # (C, 3)
        room = padded_width(weight.shape[0]) - weight.shape[0]
        self._taps = F.pad(weight.t(), (0, room)).contiguous()
        self._bias = F.pad(cast(Tensor, pool.bias).detach().float(), (0, room))

    def __call__(self, x: Tensor, doubled: Stage) -> Tensor:
        before, at, after = self._taps
        here = x.float()
        following = F.pad(here[1:], (0, 0, 0, 1))
        pairs = torch.stack((at * here, after * here + before * following), 1) + self._bias
        out = doubled.empty(x.shape[1])
        # With a slope of one, and no gain: nothing but the zeros in the gaps.
        wide = pairs.flatten(0, 1).to(out.dtype)
        return activate(wide, out, doubled.tiles, slope=1.0)
