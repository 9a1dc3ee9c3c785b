"""The short-time Fourier transforms at both ends of the generator, for windows of a few samples.

    samples   ├─────────── n_fft ───────────┤
    frame 0   ╭─────────────────────────────╮
    frame 1   ├ hop ┤ ╭─────────────────────────────╮
    frame 2           ├ hop ┤ ╭─────────────────────────────╮

`stft_kernel` multiplies the samples of a frame by a basis (n_fft, 2, bins), `frames_kernel` the
bins by another one. `overlap_kernel` gathers: for each sample it sums the n_fft / hop frames that
overlap there.
"""
# pyright: basic, reportArgumentType=false

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["row_stride"])
def stft_kernel(
    x_ptr, basis_ptr, out_ptr, tiles_ptr, rows_ptr, row_stride,
    N_FFT: tl.constexpr, HOP: tl.constexpr, BINS: tl.constexpr, WIDE: tl.constexpr,
    COLUMNS: tl.constexpr, BLOCK_T: tl.constexpr, BLOCK_B: tl.constexpr,
    A0: tl.constexpr, A1: tl.constexpr, A2: tl.constexpr, A3: tl.constexpr, A4: tl.constexpr,
    A5: tl.constexpr, A6: tl.constexpr, A7: tl.constexpr,
):  # fmt: skip
    """Magnitude and phase of a row's frames, as channels. Program (tile, part of the tile).

    Rows are reflected at both ends. So the first frame is symmetric and its bins are real; their
    imaginary part is set to +0. Channels past the bins, and the gap after the row, are set to zero.
    """
    tile = tl.program_id(0).to(tl.int64)
    start = tl.load(tiles_ptr + COLUMNS * tile).to(tl.int64)
    n_own = tl.load(tiles_ptr + COLUMNS * tile + 1)
    n_slot = tl.load(tiles_ptr + COLUMNS * tile + 2)
    row = tl.load(tiles_ptr + COLUMNS * tile + 3).to(tl.int64)
    row_start = tl.load(rows_ptr + 3 * row + 1)
    n_frames = tl.load(rows_ptr + 3 * row + 2)
    last = (n_frames - 1) * HOP - 1
    t = tl.program_id(1) * BLOCK_T + tl.arange(0, BLOCK_T)
    frame = (start - row_start).to(tl.int32) + t
    own = t < n_own
    b = tl.arange(0, BLOCK_B)
    real = tl.zeros((BLOCK_T, BLOCK_B), tl.float32)
    imaginary = tl.zeros((BLOCK_T, BLOCK_B), tl.float32)
    for i in range(N_FFT):
        sample = tl.abs(frame * HOP + (i - N_FFT // 2))
        sample = tl.maximum(last - tl.abs(last - sample), 0)
        x = tl.load(x_ptr + row * row_stride + sample, mask=own, other=0.0)
        real += x[:, None] * tl.load(basis_ptr + i * 2 * BLOCK_B + b)[None, :]
        imaginary += x[:, None] * tl.load(basis_ptr + (i * 2 + 1) * BLOCK_B + b)[None, :]
    size = tl.sqrt(real * real + imaginary * imaginary)
    imaginary = tl.where((frame == 0)[:, None], 0.0, imaginary)
    # The angle of (real, imaginary): atan r = r p(r²) for a ratio r of at most 1, then mirrored
    # into the right octant.
    wide, high = tl.abs(real), tl.abs(imaginary)
    ratio = tl.minimum(wide, high) / tl.maximum(tl.maximum(wide, high), 1e-38)
    s = ratio * ratio
    angle = A4 + s * (A5 + s * (A6 + s * A7))
    angle = ratio * (A0 + s * (A1 + s * (A2 + s * (A3 + s * angle))))
    angle = tl.where(high > wide, 1.5707963267948966 - angle, angle)
    angle = tl.where(real < 0, 3.141592653589793 - angle, angle)
    angle = tl.where(imaginary < 0, -angle, angle)
    out = out_ptr + start * WIDE + ((t * WIDE)[:, None] + b[None, :])
    in_slot = (t < n_slot)[:, None]
    is_bin = (b < BINS)[None, :]
    is_own = own[:, None]
    tl.store(out, tl.where(is_own, size, 0.0), mask=in_slot & is_bin)
    tl.store(out + BINS, tl.where(is_own, angle, 0.0), mask=in_slot & is_bin)
    for unused in range(2 * BINS, WIDE, BLOCK_B):
        tl.store(out + unused, tl.zeros_like(size), mask=in_slot & (b < WIDE - unused)[None, :])


@triton.jit
def frames_kernel(
    bins_ptr, basis_ptr, tiles_ptr,
    BINS: tl.constexpr, WIDE: tl.constexpr, COLUMNS: tl.constexpr,
    BLOCK_T: tl.constexpr, BLOCK_B: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """Log magnitudes and phases of each frame to its windowed samples, in place.

    Program (tile, part of the tile). `basis` (2, BLOCK_B, BLOCK_N) holds what the real and the
    imaginary part of each bin add to each sample.
    """
    tile = tl.program_id(0).to(tl.int64)
    start = tl.load(tiles_ptr + COLUMNS * tile).to(tl.int64)
    n_own = tl.load(tiles_ptr + COLUMNS * tile + 1)
    t = tl.program_id(1) * BLOCK_T + tl.arange(0, BLOCK_T)
    b = tl.arange(0, BLOCK_B)
    n = tl.arange(0, BLOCK_N)
    own = (t < n_own)[:, None]
    row = bins_ptr + start * WIDE + (t * WIDE)[:, None]
    valid = own & (b < BINS)[None, :]
    magnitude = tl.exp(tl.load(row + b[None, :], mask=valid, other=0.0))
    turns = tl.load(row + BINS + b[None, :], mask=valid, other=0.0) * 0.15915494309189535
    phase = tl.sin(6.283185307179586 * (turns - tl.floor(turns + 0.5)))
    basis = basis_ptr + b[:, None] * BLOCK_N + n[None, :]
    # The rows of the basis past the last bin are zero.
    wave = tl.dot(magnitude * tl.cos(phase), tl.load(basis), input_precision="ieee")
    imaginary = magnitude * tl.sin(phase)
    wave = tl.dot(imaginary, tl.load(basis + BLOCK_B * BLOCK_N), wave, input_precision="ieee")
    tl.debug_barrier()  # other threads may still read what is overwritten
    tl.store(row + n[None, :], wave, mask=own & (n < WIDE)[None, :])


@triton.jit(do_not_specialize=["n_samples"])
def overlap_kernel(
    frames_ptr, hann_ptr, out_ptr, rows_ptr, n_samples,
    N_FFT: tl.constexpr, HOP: tl.constexpr, WIDE: tl.constexpr, BLOCK_S: tl.constexpr,
):  # fmt: skip
    """Overlap-add of the frames that `frames_kernel` gives. Program (block of samples, row).

    Each sample is divided by the sum of the squared windows that overlap there. Samples after the
    row's end are zero.
    """
    row = tl.program_id(1).to(tl.int64)
    start = tl.load(rows_ptr + 3 * row + 1).to(tl.int64)
    n_frames = tl.load(rows_ptr + 3 * row + 2)
    n = tl.program_id(0) * BLOCK_S + tl.arange(0, BLOCK_S)
    shifted = n + N_FFT // 2
    total = tl.zeros((BLOCK_S,), tl.float32)
    windows = tl.zeros((BLOCK_S,), tl.float32)
    for i in range(N_FFT // HOP):
        frame = shifted // HOP - i
        offset = shifted - frame * HOP
        exists = (frame >= 0) & (frame < n_frames)
        total += tl.load(frames_ptr + start * WIDE + frame * WIDE + offset, mask=exists, other=0.0)
        window = tl.load(hann_ptr + offset)
        windows += tl.where(exists, window * window, 0.0)
    in_row = n < (n_frames - 1) * HOP
    total = tl.where(in_row, total / tl.maximum(windows, 1e-11), 0.0)
    tl.store(out_ptr + row * n_samples + n, total, mask=n < n_samples)
