"""Convolution of one tile of places, as matrix products summed in float32.

Like its neighbours a program for a GPU, in Triton's dialect of Python: it knows its tile and no
more. What it takes is described where it is started, one level up; what it is held to is written
plainly in `tests/kokoro_plain.py`.
"""
# pyright: basic

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["taps", "dilation", "stride", "pad"])
def conv_kernel(
    x_ptr, w_ptr, bias_ptr, out_ptr, residual_ptr, more_ptr, moments_ptr, tiles_ptr,
    n_in, n_out, taps, dilation, stride, pad,
    HAS_RESIDUAL: tl.constexpr, HAS_MORE: tl.constexpr, HAS_MOMENTS: tl.constexpr,
    PRECISION: tl.constexpr, COLUMNS: tl.constexpr,
    TILE: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Out = conv(x) + bias + residual + more, and the moments of out.

    Program (tile, block of output channels). Nothing is masked where it is read: what lies between
    rows is zero, and longer than a kernel reaches. Widths and taps are arguments and not constants,
    so that a handful of compiled programs serve all layers.
    """
    tile = tl.program_id(0).to(tl.int64)
    start = tl.load(tiles_ptr + COLUMNS * tile).to(tl.int64)
    n_own = tl.load(tiles_ptr + COLUMNS * tile + 1)
    if n_own > 0:
        t = tl.arange(0, TILE)
        n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
        k = tl.arange(0, BLOCK_K)
        x = x_ptr + (start * stride - pad) * n_in + ((t * (stride * n_in))[:, None] + k[None, :])
        w = w_ptr + (k[:, None] * n_out + n[None, :])
        own = (t < n_own)[:, None]
        at = (t * n_out)[:, None] + n[None, :]
        total = tl.zeros((TILE, BLOCK_N), tl.float32) + tl.load(bias_ptr + n)[None, :]
        if HAS_RESIDUAL:
            total += tl.load(residual_ptr + start * n_out + at, mask=own, other=0.0).to(tl.float32)
        if HAS_MORE:
            total += tl.load(more_ptr + start * n_out + at, mask=own, other=0.0).to(tl.float32)
        # All taps of a block of channels, then the next block: they read nearly the same of x, and
        # the first level of cache holds it meanwhile, if it is told to.
        to_next_block = BLOCK_K - (taps - 1) * dilation * n_in
        to_next_weights = (BLOCK_K - (taps - 1) * n_in) * n_out
        tap = 0
        for _ in range(taps * (n_in // BLOCK_K)):
            seen = tl.load(x, cache_modifier=".ca")
            total = tl.dot(seen, tl.load(w), total, input_precision=PRECISION)
            tap += 1
            is_last = tap == taps
            x += tl.where(is_last, to_next_block, dilation * n_in)
            w += tl.where(is_last, to_next_weights, n_in * n_out)
            tap = tl.where(is_last, 0, tap)
        kept = total.to(out_ptr.dtype.element_ty)
        tl.store(out_ptr + start * n_out + at, kept, mask=own)
        if HAS_MOMENTS:
            # Of what was stored, not of what it was before it was rounded.
            y = tl.where(own, kept.to(tl.float32), 0.0)
            mean = tl.sum(y, 0) / n_own
            off = tl.where(own, y - mean[None, :], 0.0)
            to = moments_ptr + tile * (2 * n_out) + n
            tl.store(to, mean)
            tl.store(to + n_out, tl.sum(off * off, 0))
