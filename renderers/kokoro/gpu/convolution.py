"""Convolutions over packed rows. Knows filters, tiles and blocks; the kernel knows the rest.

    places (n, C_in) ─▶ taps x (C_in, C_out), summed in float32 ─▶ + bias + residuals ─▶ (n, C_out)
                                                                        └▶ moments of each tile

What is added to the result is added before it is rounded, and what the next instance norm must know
of it, mean and squared deviations of each tile, is found while it is still at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from renderers.kokoro.gpu.filters import Filter, block
from renderers.kokoro.gpu.kernels import convolve
from renderers.kokoro.gpu.launch import FUSED
from renderers.kokoro.gpu.layout import COLUMNS, TILE, Tiles

BLOCK_N = 128  # channels out of one program
BLOCK_BYTES = 128  # of channels in, at a time: a line of the cache
WARPS, STAGES = 8, 3  # of a program; loads under way
# Of a thread: so that two programs share a multiprocessor, and one computes while the other stores.
REGISTERS = 128


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How products are made. Sums are float32 always."""

    dtype: torch.dtype  # of what is stored between two steps, and of weights
    float32: str  # of products of float32 values: "ieee", or "tf32"


def convolution(
    x: Tensor,
    by: Filter,
    out: Tensor,
    tiles: Tiles,
    arithmetic: Arithmetic,
    *,
    residual: Tensor | None = None,
    more: Tensor | None = None,
    moments: Tensor | None = None,
) -> Tensor:
    """`out` (places, C_out), once it holds the convolution of `x` (places of the input, C_in).

    `tiles` are those of the output. Added to it are its bias and, like it in shape, `residual` and
    `more`; either may be `out` itself. `moments` (tiles, 2, C_out) gets what `norm.affine` needs.
    """
    taps, n_in, n_out = by.weight.shape
    block_n, block_k = block(n_out, BLOCK_N), block(n_in, BLOCK_BYTES // x.element_size())
    kernel: Any = convolve.convolve
    kernel[(tiles.n, n_out // block_n)](
        x,
        by.weight,
        by.bias,
        out,
        residual,
        more,
        moments,
        tiles.table,
        n_in,
        n_out,
        taps,
        by.dilation,
        by.stride,
        by.pad,
        HAS_RESIDUAL=residual is not None,
        HAS_MORE=more is not None,
        HAS_MOMENTS=moments is not None,
        PRECISION=arithmetic.float32,
        COLUMNS=COLUMNS,
        TILE=TILE,
        BLOCK_N=block_n,
        BLOCK_K=block_k,
        num_warps=WARPS,
        num_stages=STAGES,
        maxnreg=REGISTERS,
        **FUSED,
    )
    return out
