"""Instance norm, style and activation over packed rows. Knows moments, gains and offsets.

    x (positions, C) ─▶ moments (tiles, 2, C) ─┐
                        style (B, 2 C) ────────┴─▶ affine (B, 2, C)
                                                        │
    x (positions, C) ───────────────────────────────────┴─▶ activate(gain * x + offset)
                                                            zero in the gaps

Source: `AdaIN1d` of hexgrad/kokoro, `kokoro/istftnet.py`. The moments of a row's tiles are merged
by Chan's formula (Chan, Golub, LeVeque, "Algorithms for computing the sample variance", 1983).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.conv import block_width, padded_width
from audiomill.renderers.kokoro.gpu.layout import COMPILE_OPTIONS, TILE, TILE_COLUMNS, Tiles
from audiomill.renderers.kokoro.gpu.norm_kernels import (
    affine_kernel,
    moments_kernel,
    norm_activation_kernel,
)
from audiomill.renderers.kokoro.model.layers import NORM_EPS, AdaIN

# sin(pi r), for r from -1/2 to 1/2, as r times a polynomial in r²; the error is at most 6e-7.
# Fitted by least squares, with weights that make the errors even. It takes a tenth of the time of
# an exact sine.
SINE = (3.14158202, -5.16714279, 2.54189896, -0.55463604)
BLOCK_T, BLOCK_C = 64, 128  # positions and channels of one program
MERGE_TILES, MERGE_C = 64, 32  # tiles and channels that `affine` merges at a time


class StyleLayers:
    """Collects the style layers of all instance norms, to compute them in one matrix product."""

    def __init__(self) -> None:
        self._weights: list[Tensor] = []
        self._biases: list[Tensor] = []
        self._width = 0

    def add(self, norm: AdaIN) -> slice:
        """Add a norm. Returns where its gain and offset, each `padded_width` wide, will be."""
        weight, bias = norm.fc.weight.detach(), norm.fc.bias.detach()
        channels = weight.shape[0] // 2
        missing = padded_width(channels) - channels
        for half in (slice(0, channels), slice(channels, None)):
            self._weights.append(nn.functional.pad(weight[half], (0, 0, 0, missing)))
            self._biases.append(nn.functional.pad(bias[half], (0, missing)))
        begin, self._width = self._width, self._width + 2 * padded_width(channels)
        return slice(begin, self._width)

    def merged(self) -> nn.Linear:
        """One layer from style (B, style_dim) to all gains and offsets (B, their total width)."""
        weight, bias = torch.cat(self._weights), torch.cat(self._biases)
        layer = nn.Linear(weight.shape[1], weight.shape[0], device="meta")
        layer.weight = nn.Parameter(weight, requires_grad=False)
        layer.bias = nn.Parameter(bias, requires_grad=False)
        return layer


def new_moments(tiles: Tiles, channels: int) -> Tensor:
    """An empty buffer for the moments of each tile, (tiles, 2, C)."""
    return torch.empty((tiles.n, 2, channels), dtype=torch.float32, device=tiles.table.device)


def tile_moments(x: Tensor, tiles: Tiles) -> Tensor:
    """Mean and sum of squared deviations of each tile of `x` (positions, C): (tiles, 2, C).

    For an `x` that is not the output of `convolution`, which computes its own.
    """
    channels = x.shape[1]
    moments, block_c = new_moments(tiles, channels), block_width(channels, BLOCK_C)
    kernel: Any = moments_kernel
    kernel[(tiles.n, channels // block_c)](
        x,
        moments,
        tiles.table,
        channels,
        COLUMNS=TILE_COLUMNS,
        TILE=TILE,
        BLOCK_C=block_c,
        **COMPILE_OPTIONS,
    )
    return moments


def affine(moments: Tensor, style: Tensor, tiles: Tiles) -> Tensor:
    """Norm and style of each row as one gain and offset, (B, 2, C).

    `style` (B, 2 C) is this norm's slice of the output of `StyleLayers.merged`.
    """
    n_rows, channels = tiles.rows.shape[0], moments.shape[2]
    result, block_c = moments.new_empty(n_rows, 2, channels), block_width(channels, MERGE_C)
    kernel: Any = affine_kernel
    kernel[(n_rows, channels // block_c)](
        moments,
        style,
        result,
        tiles.rows,
        style.stride(0),
        channels,
        EPS=NORM_EPS,
        TILE=TILE,
        BLOCK_C=block_c,
        BLOCK_M=MERGE_TILES,
        **COMPILE_OPTIONS,
    )
    return result


def activate(
    x: Tensor,
    out: Tensor,
    tiles: Tiles,
    *,
    by: Tensor | None = None,
    alpha: Tensor | None = None,
    slope: float = 0.0,
) -> Tensor:
    """Write snake or leaky ReLU of `x` (positions, C) to `out`, with zeros in the gaps.

    `by` comes from `affine` and is applied first. `alpha` (2, C) comes from `snake_params`; without
    it the activation is leaky ReLU of `slope`. Returns `out`.
    """
    channels = x.shape[1]
    block_c = block_width(channels, BLOCK_C)
    kernel: Any = norm_activation_kernel
    kernel[(tiles.n, channels // block_c, TILE // BLOCK_T)](
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
        BLOCK_C=block_c,
        S0=SINE[0],
        S1=SINE[1],
        S2=SINE[2],
        S3=SINE[3],
        num_warps=8,
        **COMPILE_OPTIONS,
    )
    return out


def snake_params(alpha: Tensor) -> Tensor:
    """Snake's alpha (1, C, 1) as the kernel reads it: alpha / pi and 1 / alpha, (2, C)."""
    flat = alpha.detach().float().flatten()
    wide = nn.functional.pad(flat, (0, padded_width(flat.numel()) - flat.numel()), value=1.0)
    return torch.stack((wide / torch.pi, 1 / wide))
