"""Instance norm, style and activation over packed rows. Knows moments, gains and offsets.

    moments (tiles, 2, C) ─┐
    style (B, 2 C) ────────┴▶ affine (B, 2, C) ─▶ activate(x · gain + offset), zero in the gaps

Source: `AdaIN1d` of hexgrad/kokoro, `kokoro/istftnet.py`; tiles are put together by Chan's formula
(Chan, Golub, LeVeque, "Algorithms for computing the sample variance", 1983).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.conv import block_width, padded_width
from audiomill.renderers.kokoro.gpu.kernels import norm as normalise
from audiomill.renderers.kokoro.gpu.layout import TILE_COLUMNS, COMPILE_OPTIONS, TILE, Tiles
from audiomill.renderers.kokoro.model.layers import AdaIN

EPS = 1e-5
# sin(pi r), r from -1/2 to 1/2, as r times a polynomial in r²; off by 6e-7 at most. Fitted by least
# squares, weighted until the errors are even. A tenth of the time that an exact sine takes.
SINE = (3.14158202, -5.16714279, 2.54189896, -0.55463604)
BLOCK_T, BLOCK_C = 64, 128
MERGED, MERGED_C = 64, 32  # tiles and channels at a time


class StyleLayers:
    """What all instance norms of a decoder make of a style, in one product."""

    def __init__(self) -> None:
        self._weights: list[Tensor] = []
        self._biases: list[Tensor] = []
        self._width = 0

    def add(self, norm: AdaIN) -> slice:
        """Where this norm's gain and offset, each `padded` wide, will be among all."""
        weight, bias = norm.fc.weight.detach(), norm.fc.bias.detach()
        channels = weight.shape[0] // 2
        room = padded_width(channels) - channels
        for half in (slice(0, channels), slice(channels, None)):
            self._weights.append(nn.functional.pad(weight[half], (0, 0, 0, room)))
            self._biases.append(nn.functional.pad(bias[half], (0, room)))
        begin, self._width = self._width, self._width + 2 * padded_width(channels)
        return slice(begin, self._width)

    def finished(self) -> nn.Linear:
        """A layer from style (B, style_dim) to all gains and offsets."""
        weight, bias = torch.cat(self._weights), torch.cat(self._biases)
        layer = nn.Linear(weight.shape[1], weight.shape[0], device="meta")
        layer.weight = nn.Parameter(weight, requires_grad=False)
        layer.bias = nn.Parameter(bias, requires_grad=False)
        return layer


def new_moments(tiles: Tiles, channels: int) -> Tensor:
    """Room for the moments of each tile, (tiles, 2, C)."""
    return torch.empty((tiles.n, 2, channels), dtype=torch.float32, device=tiles.table.device)


def tile_moments(x: Tensor, tiles: Tiles) -> Tensor:
    """The moments of what no convolution has made, (tiles, 2, C)."""
    channels = x.shape[1]
    moments, of_channels = new_moments(tiles, channels), block_width(channels, BLOCK_C)
    kernel: Any = normalise.moments_kernel
    kernel[(tiles.n, channels // of_channels)](
        x, moments, tiles.table, channels, COLUMNS=TILE_COLUMNS, TILE=TILE, BLOCK_C=of_channels, **COMPILE_OPTIONS
    )
    return moments


def affine(moments: Tensor, style: Tensor, tiles: Tiles) -> Tensor:
    """Gain and offset of each row and channel, (B, 2, C).

    `style` is this norm's part of what `Styles` gives, (B, 2 C).
    """
    n_rows, channels = tiles.rows.shape[0], moments.shape[2]
    made, of_channels = moments.new_empty(n_rows, 2, channels), block_width(channels, MERGED_C)
    kernel: Any = normalise.affine_kernel
    kernel[(n_rows, channels // of_channels)](
        moments,
        style,
        made,
        tiles.rows,
        style.stride(0),
        channels,
        EPS=EPS,
        TILE=TILE,
        BLOCK_C=of_channels,
        BLOCK_M=MERGED,
        **COMPILE_OPTIONS,
    )
    return made


def activate(
    x: Tensor,
    out: Tensor,
    tiles: Tiles,
    *,
    by: Tensor | None = None,
    alpha: Tensor | None = None,
    slope: float = 0.0,
) -> Tensor:
    """`out`, once it holds snake or, without `alpha`, leaky ReLU of `x` (places, C).

    `by` is what `affine` gives; `alpha` (2, C) what `snake_of` does.
    """
    channels = x.shape[1]
    of_channels = block_width(channels, BLOCK_C)
    kernel: Any = normalise.norm_activation_kernel
    kernel[(tiles.n, channels // of_channels, TILE // BLOCK_T)](
        x,
        out,
        by,
        alpha,
        tiles.table,
        channels,
        slope,
        HAS_AFFINE=by is not None,
        IS_SNAKE=alpha is not None,
        COLUMNS=TILE_COLUMNS,
        BLOCK_T=BLOCK_T,
        BLOCK_C=of_channels,
        S0=SINE[0],
        S1=SINE[1],
        S2=SINE[2],
        S3=SINE[3],
        num_warps=8,
        **COMPILE_OPTIONS,
    )
    return out


def snake_params(alpha: Tensor) -> Tensor:
    """Snake's alpha (1, C, 1) as the kernel reads it: (2, C), alpha / pi and 1 / alpha."""
    flat = alpha.detach().float().flatten()
    wide = nn.functional.pad(flat, (0, padded_width(flat.numel()) - flat.numel()), value=1.0)
    return torch.stack((wide / torch.pi, 1 / wide))
