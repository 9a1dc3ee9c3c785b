"""Convolution of one tile of positions, as matrix products summed in float32.

    taps (of C_out, C_in)       x
    ┌─────────┐                 ┌───────────────┐           out
    │ tap 0   │ ─▶ · ◀───────── │ t - pad …     │ ─┐        BLOCK_N channels
    │ tap 1   │ ─▶ · ◀───────── │   + dilation  │ ─┼─▶ + ─▶ x TILE positions,
    │ tap 2   │ ─▶ · ◀───────── │   + 2 dilation│ ─┘        of one program
    └─────────┘                 └───────────────┘
      BLOCK_K input channels at a time

In registers, a channel's positions lie within a few threads of one warp. So its moments cost next
to nothing; the other way round, they took a third of the time of a kernel of three taps. Both
factors have the summed channels side by side in memory, as tensor cores need values of 32 bits.

Kernels are GPU programs in Triton's dialect of Python, one program for each tile or part of a tile.
Their arguments are explained where they are launched: those of `conv_kernel.py` in `conv.py`, of
`lstm_kernel.py` in `prosody.py`, of `norm_kernels.py` in `norm.py`, of `source_kernels.py` and
`stft_kernels.py` in `source.py`. They have files of their own because other checks hold for this
dialect. In plain PyTorch, `tests/support/kokoro_plain.py` computes the same.
"""
# pyright: basic

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def saturated(x, dtype: tl.constexpr):
    """`x` in `dtype`. What float16 cannot hold becomes its largest value, and not infinity."""
    if dtype == tl.float16:
        x = tl.clamp(x, -65504.0, 65504.0)
    return x.to(dtype)


@triton.jit(do_not_specialize=["taps", "dilation", "stride", "pad"])
def conv_kernel(
    x_ptr, w_ptr, bias_ptr, out_ptr, residual_ptr, more_ptr, moments_ptr, tiles_ptr,
    n_in, n_out, taps, dilation, stride, pad,
    HAS_RESIDUAL: tl.constexpr, HAS_MORE: tl.constexpr, HAS_MOMENTS: tl.constexpr,
    PRECISION: tl.constexpr, COLUMNS: tl.constexpr,
    TILE: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Compute out = conv(x) + bias + residual + more, and the moments of out.

    Program (tile, block of output channels). Reads of x are not masked: the gaps between rows are
    zero, and longer than a kernel reaches. Widths and the number of taps are arguments and not
    constants, so that a few compiled programs serve all layers.
    """
    tile = tl.program_id(0).to(tl.int64)
    start = tl.load(tiles_ptr + COLUMNS * tile).to(tl.int64)
    n_own = tl.load(tiles_ptr + COLUMNS * tile + 1)
    if n_own > 0:
        t = tl.arange(0, TILE)
        n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
        k = tl.arange(0, BLOCK_K)
        x = x_ptr + (start * stride - pad) * n_in + ((t * (stride * n_in))[None, :] + k[:, None])
        w = w_ptr + (n[:, None] * n_in + k[None, :])
        own = (t < n_own)[None, :]
        at = (t * n_out)[None, :] + n[:, None]
        total = tl.zeros((BLOCK_N, TILE), tl.float32) + tl.load(bias_ptr + n)[:, None]
        if HAS_RESIDUAL:
            total += tl.load(residual_ptr + start * n_out + at, mask=own, other=0.0).to(tl.float32)
        if HAS_MORE:
            total += tl.load(more_ptr + start * n_out + at, mask=own, other=0.0).to(tl.float32)
        to_next_block = BLOCK_K - (taps - 1) * dilation * n_in
        to_next_weights = BLOCK_K - (taps - 1) * n_out * n_in
        tap = 0
        for _ in range(taps * (n_in // BLOCK_K)):
            total = tl.dot(tl.load(w), tl.load(x), total, input_precision=PRECISION)
            tap += 1
            is_last = tap == taps
            x += tl.where(is_last, to_next_block, dilation * n_in)
            w += tl.where(is_last, to_next_weights, n_out * n_in)
            tap = tl.where(is_last, 0, tap)
        rounded = saturated(total, out_ptr.dtype.element_ty)
        tl.store(out_ptr + start * n_out + at, rounded, mask=own)
        if HAS_MOMENTS:
            # Moments of the stored values: after rounding, not before.
            y = tl.where(own, rounded.to(tl.float32), 0.0)
            mean = tl.sum(y, 1) / n_own
            deviation = tl.where(own, y - mean[:, None], 0.0)
            moments = moments_ptr + tile * (2 * n_out) + n
            tl.store(moments, mean)
            tl.store(moments + n_out, tl.sum(deviation * deviation, 1))
