"""Convolutions over packed rows. Knows filters, tiles and blocks; the kernel knows the rest.

    places (n, C_in) ─▶ taps x (C_in, C_out), summed in float32 ─▶ + bias + residuals ─▶ (n, C_out)
                                                                        └▶ moments of each tile

What is added to the result is added before it is rounded, and what the next instance norm must know
of it, mean and squared deviations of each tile, is found while it is still at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.kernels import conv as convolve
from audiomill.renderers.kokoro.gpu.layout import TILE_COLUMNS, COMPILE_OPTIONS, TILE, Tiles

# Weights of convolutions as the kernels read them, (taps, C_in, C_out).


@dataclass(frozen=True, slots=True)
class Filter:
    """A convolution: `weight` (taps, C_in, C_out), `bias` (C_out) in float32.

    Both C are widths as `padded` gives them; what is added to them is zero.
    """

    weight: Tensor
    bias: Tensor
    dilation: int = 1
    stride: int = 1
    pad: int = 0  # places before the first, at the input's rate

    @property
    def n_out(self) -> int:
        """C_out."""
        return self.weight.shape[2]


def padded_width(channels: int) -> int:
    """A width that blocks of channels divide: a power of two from 16 to 64, or so many 64s."""
    return -(-channels // 64) * 64 if channels > 64 else max(16, 1 << (channels - 1).bit_length())


def block_width(width: int, most: int) -> int:
    """Channels of one program: the largest power of two that divides `width`, up to `most`."""
    return min(width & -width, most)


def filter_of(
    conv: nn.Conv1d, dtype: torch.dtype, *, gain: float = 1.0, n_summed: int = 1
) -> Filter:
    """A convolution of a mean of `n_summed`, given as their sum; its output times `gain`."""
    weight = conv.weight.detach().permute(2, 1, 0) * (gain / n_summed)
    bias = weight.new_zeros(weight.shape[2]) if conv.bias is None else gain * conv.bias.detach()
    return Filter(
        _wide(weight).to(dtype).contiguous(),
        _wide(bias).float(),
        conv.dilation[0],
        conv.stride[0],
        cast(int, conv.padding[0]),
    )


def filter_of_transposed(
    conv: nn.ConvTranspose1d, dtype: torch.dtype, *, n_summed: int = 1
) -> Filter:
    """A transposed one: `stride` places of C_out channels, side by side as channels of one."""
    stride, padding = conv.stride[0], cast(int, conv.padding[0])
    weight = _wide(conv.weight.detach().permute(2, 0, 1) / n_summed)  # (kernel, C_in, C_out)
    kernel, n_in, n_out = weight.shape
    first, last = -((kernel - 1 - padding) // stride), (stride - 1 + padding) // stride
    taps = weight.new_zeros(last - first + 1, n_in, stride, n_out)
    for phase in range(stride):
        for tap, shift in enumerate(range(first, last + 1)):
            place = phase + padding - stride * shift
            if 0 <= place < kernel:
                taps[tap, :, phase] = weight[place]
    bias = _wide(cast(Tensor, conv.bias).detach()).float().repeat(stride)
    return Filter(taps.flatten(2).to(dtype).contiguous(), bias, pad=-first)


def _wide(weight: Tensor) -> Tensor:
    """With zeros up to widths that are `padded`: (…, C_in, C_out), or a bias (C_out)."""
    room = [padded_width(size) - size for size in weight.shape[-2:]]
    return nn.functional.pad(weight, (0, room[-1], 0, room[0]) if len(room) > 1 else (0, room[0]))


BLOCK_N = 128  # channels out of one program
BLOCK_BYTES = 128  # of channels in, at a time: a line of the cache
WARPS, STAGES = 8, 3  # of a program; loads under way
# Of a thread: so that two programs share a multiprocessor, and one computes while the other stores.
REGISTERS = 128


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How products are made. Sums are float32 always."""

    dtype: torch.dtype  # of what is stored between two steps, and of weights
    dot_precision: str  # of products of float32 values: "ieee", or "tf32"


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
    block_n, block_k = block_width(n_out, BLOCK_N), block_width(n_in, BLOCK_BYTES // x.element_size())
    kernel: Any = convolve.conv_kernel
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
        PRECISION=arithmetic.dot_precision,
        COLUMNS=TILE_COLUMNS,
        TILE=TILE,
        BLOCK_N=block_n,
        BLOCK_K=block_k,
        num_warps=WARPS,
        num_stages=STAGES,
        maxnreg=REGISTERS,
        **COMPILE_OPTIONS,
    )
    return out
