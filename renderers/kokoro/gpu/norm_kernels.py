"""Instance norm, style and activation of packed rows, in as few passes over memory as possible.

    tiles of a row      │ mean, M2 │ mean, M2 │ mean, M2 │        `moments_kernel`, one per tile
                              └──────────┼──────────┘
    the row                   scale, shift, per channel           `affine_kernel`, one per row
                              ┌──────────┼──────────┐
    tiles of the row    │ act(scale * x + shift) │ 0 in the gap   `norm_activation_kernel`

M2 is the sum of squared deviations from the tile's mean.
"""
# pyright: basic

from __future__ import annotations

import triton
import triton.language as tl

from audiomill.renderers.kokoro.gpu.conv_kernel import saturated


@triton.jit
def moments_kernel(
    x_ptr, moments_ptr, tiles_ptr, width,
    COLUMNS: tl.constexpr, TILE: tl.constexpr, BLOCK_C: tl.constexpr,
):  # fmt: skip
    """Mean and M2 of a tile, by channel: the moments that `conv_kernel` computes of its output.

    Program (tile, block of channels).
    """
    tile = tl.program_id(0).to(tl.int64)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    start = tl.load(tiles_ptr + COLUMNS * tile).to(tl.int64)
    n_own = tl.load(tiles_ptr + COLUMNS * tile + 1)
    if n_own > 0:
        t = tl.arange(0, TILE)
        own = (t < n_own)[:, None]
        at = start * width + ((t * width)[:, None] + c[None, :])
        y = tl.load(x_ptr + at, mask=own, other=0.0).to(tl.float32)
        mean = tl.sum(y, 0) / n_own
        deviation = tl.where(own, y - mean[None, :], 0.0)
        moments = moments_ptr + tile * (2 * width) + c
        tl.store(moments, mean)
        tl.store(moments + width, tl.sum(deviation * deviation, 0))


@triton.jit
def affine_kernel(
    moments_ptr, style_ptr, affine_ptr, rows_ptr, style_stride, width,
    EPS: tl.constexpr, TILE: tl.constexpr, BLOCK_C: tl.constexpr,
    BLOCK_M: tl.constexpr,
):  # fmt: skip
    """Instance norm and style of one row as one scale and one shift, by channel.

    Program (row, block of channels). Chan's formula merges the moments of the row's tiles:

        mean = Σ count mean_i / Σ count
        M2   = Σ M2_i + count (mean_i - mean)²

    It takes two passes over the moments, which are few.
    """
    row = tl.program_id(0).to(tl.int64)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    first = tl.load(rows_ptr + 3 * row).to(tl.int64)
    length = tl.load(rows_ptr + 3 * row + 2)
    n_tiles = (length + TILE - 1) // TILE
    m = tl.arange(0, BLOCK_M)
    at = moments_ptr + first * (2 * width) + (m * (2 * width))[:, None] + c[None, :]
    total = tl.zeros((BLOCK_C,), tl.float32)
    for begin in range(0, n_tiles, BLOCK_M):
        count = tl.minimum(tl.maximum(length - (begin + m) * TILE, 0), TILE).to(tl.float32)
        exists = (begin + m < n_tiles)[:, None]
        mean = tl.load(at + begin * (2 * width), mask=exists, other=0.0)
        total += tl.sum(mean * count[:, None], 0)
    row_mean = total / length
    squares = tl.zeros((BLOCK_C,), tl.float32)
    for begin in range(0, n_tiles, BLOCK_M):
        count = tl.minimum(tl.maximum(length - (begin + m) * TILE, 0), TILE).to(tl.float32)
        exists = (begin + m < n_tiles)[:, None]
        mean = tl.load(at + begin * (2 * width), mask=exists, other=0.0)
        tile_squares = tl.load(at + begin * (2 * width) + width, mask=exists, other=0.0)
        deviation = tl.where(exists, mean - row_mean[None, :], 0.0)
        squares += tl.sum(tile_squares + deviation * deviation * count[:, None], 0)
    gain = tl.load(style_ptr + row * style_stride + c)
    offset = tl.load(style_ptr + row * style_stride + width + c)
    scale = (1 + gain) / tl.sqrt(squares / length + EPS)
    tl.store(affine_ptr + row * (2 * width) + c, scale)
    tl.store(affine_ptr + row * (2 * width) + width + c, offset - row_mean * scale)


@triton.jit(do_not_specialize=["slope"])
def norm_activation_kernel(
    x_ptr, out_ptr, affine_ptr, alpha_ptr, tiles_ptr, width, slope,
    HAS_AFFINE: tl.constexpr, IS_SNAKE: tl.constexpr, COLUMNS: tl.constexpr,
    BLOCK_T: tl.constexpr, BLOCK_C: tl.constexpr,
    S0: tl.constexpr, S1: tl.constexpr, S2: tl.constexpr, S3: tl.constexpr,
):  # fmt: skip
    """Scale, shift, then snake or leaky ReLU; zeros in the gap after the row.

    Program (tile, block of channels, part of the tile). `alpha_ptr` holds two rows: alpha / pi and
    1 / alpha. The sine of snake is a polynomial in the distance to the nearest half turn.
    """
    tile = tl.program_id(0).to(tl.int64)
    start = tl.load(tiles_ptr + COLUMNS * tile).to(tl.int64)
    n_own = tl.load(tiles_ptr + COLUMNS * tile + 1)
    n_slot = tl.load(tiles_ptr + COLUMNS * tile + 2)
    row = tl.load(tiles_ptr + COLUMNS * tile + 3).to(tl.int64)
    t = tl.program_id(2) * BLOCK_T + tl.arange(0, BLOCK_T)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    at = start * width + ((t * width)[:, None] + c[None, :])
    own = (t < n_own)[:, None]
    y = tl.load(x_ptr + at, mask=own, other=0.0).to(tl.float32)
    if HAS_AFFINE:
        scale = tl.load(affine_ptr + row * (2 * width) + c)
        shift = tl.load(affine_ptr + row * (2 * width) + width + c)
        y = y * scale[None, :] + shift[None, :]
    if IS_SNAKE:
        half_turns = y * tl.load(alpha_ptr + c)[None, :]
        r = half_turns - tl.floor(half_turns + 0.5)
        s = r * r
        sine = r * (S0 + s * (S1 + s * (S2 + s * S3)))
        y = y + sine * sine * tl.load(alpha_ptr + width + c)[None, :]
    else:
        y = tl.where(y > 0, y, y * slope)
    y = tl.where(own, y, 0.0)
    tl.store(out_ptr + at, saturated(y, out_ptr.dtype.element_ty), mask=(t < n_slot)[:, None])
