"""Convolutions over packed rows. Knows filters and tiles; `conv_kernel.py` computes one tile.

    x (positions, C_in)       ─── taps · (C_out, C_in), summed in float32
                                      │
                                      ├── + bias + residual + more, before rounding
                                      ▼
    out (positions, C_out)    ─── rounded and stored
                                      │
                                      ▼
    moments (tiles, 2, C_out)     mean and sum of squared deviations, for the next instance norm

The moments are computed while the output is still in registers, which saves a pass over memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn

from audiomill.renderers.kokoro.gpu.conv_kernel import conv_kernel
from audiomill.renderers.kokoro.gpu.layout import COMPILE_OPTIONS, TILE, TILE_COLUMNS, Tiles

BLOCK_N = 128  # output channels of one program
BLOCK_BYTES = 128  # of input channels at a time
N_WARPS, N_STAGES = 8, 3  # of a program: warps, and loads in flight
# Registers of a thread. With 128, two programs share a multiprocessor, and one computes while the
# other stores.
MAX_REGISTERS = 128


@dataclass(frozen=True, slots=True)
class Filter:
    """A convolution's weights as the kernel reads them.

    `weight` is (taps, C_out, C_in), `bias` is (C_out) in float32. Both numbers of channels are
    padded to `padded_width`, with zeros.
    """

    weight: Tensor
    bias: Tensor
    dilation: int = 1
    stride: int = 1
    pad: int = 0  # positions before the first, at the input's rate

    @property
    def n_out(self) -> int:
        """C_out, with its padding."""
        return self.weight.shape[1]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How products are computed. Sums are always float32."""

    dtype: torch.dtype  # of weights, and of what is stored between two steps
    dot_precision: str  # of products of float32 values: "ieee" or "tf32"


def padded_width(channels: int) -> int:
    """`channels` rounded up to a width that blocks divide: 16, 32, or a multiple of 64."""
    return -(-channels // 64) * 64 if channels > 64 else max(16, 1 << (channels - 1).bit_length())


def block_width(width: int, most: int) -> int:
    """Channels of one program: the largest power of two that divides `width`, up to `most`."""
    return min(width & -width, most)


def filter_of(
    conv: nn.Conv1d, dtype: torch.dtype, *, gain: float = 1.0, n_summed: int = 1
) -> Filter:
    """The filter of a convolution.

    The output is multiplied by `gain`. The input is a sum of `n_summed` values where `conv` expects
    their mean.
    """
    weight = conv.weight.detach().permute(2, 0, 1) * (gain / n_summed)
    bias = weight.new_zeros(weight.shape[1]) if conv.bias is None else gain * conv.bias.detach()
    return Filter(
        _pad_channels(weight).to(dtype).contiguous(),
        _pad_channels(bias).float(),
        conv.dilation[0],
        conv.stride[0],
        cast(int, conv.padding[0]),
    )


def filter_of_transposed(
    conv: nn.ConvTranspose1d, dtype: torch.dtype, *, n_summed: int = 1
) -> Filter:
    """The filter of a transposed convolution of stride s, as a convolution of stride 1.

    It gives s positions of C_out channels for each input position, side by side as s * C_out
    channels. Reading the buffer as (positions * s, C_out) then needs no copy.

        out[s q + phase] = Σ_shift w[phase + padding - s shift] x[q + shift]
    """
    stride, padding = conv.stride[0], cast(int, conv.padding[0])
    weight = _pad_channels(conv.weight.detach().permute(2, 0, 1) / n_summed)
    kernel, n_in, n_out = weight.shape  # (kernel, C_in, C_out)
    first, last = -((kernel - 1 - padding) // stride), (stride - 1 + padding) // stride
    taps = weight.new_zeros(last - first + 1, n_in, stride, n_out)
    for phase in range(stride):
        for tap, shift in enumerate(range(first, last + 1)):
            index = phase + padding - stride * shift
            if 0 <= index < kernel:
                taps[tap, :, phase] = weight[index]
    bias = _pad_channels(cast(Tensor, conv.bias).detach()).float().repeat(stride)
    weight = taps.flatten(2).transpose(1, 2)
    return Filter(weight.to(dtype).contiguous(), bias, pad=-first)


def _pad_channels(weight: Tensor) -> Tensor:
    """A weight (…, C, C) or a bias (C_out) with zeros up to `padded_width`."""
    missing = [padded_width(size) - size for size in weight.shape[-2:]]
    return nn.functional.pad(
        weight, (0, missing[-1], 0, missing[0]) if len(missing) > 1 else (0, missing[0])
    )


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
    """Write the convolution of `x` (input positions, C_in) to `out` (positions, C_out).

    `tiles` are those of the output. The bias, `residual` and `more` are added; both have the shape
    of `out` and may be `out` itself. `moments` (tiles, 2, C_out) receives the moments of `out` for
    `norm.affine`. Returns `out`; its gaps are not written.
    """
    n_taps, n_out, n_in = by.weight.shape
    block_n = block_width(n_out, BLOCK_N)
    block_k = block_width(n_in, BLOCK_BYTES // x.element_size())
    kernel: Any = conv_kernel
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
        n_taps,
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
        num_warps=N_WARPS,
        num_stages=N_STAGES,
        maxnreg=MAX_REGISTERS,
        **COMPILE_OPTIONS,
    )
    return out
