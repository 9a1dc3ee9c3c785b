"""The source signal: noise from seeds, and harmonics of F0.

`model/source.py` defines both and explains the drawing of phases between values of F0.
"""
# pyright: basic

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n_samples"])
def noise_kernel(out_ptr, seeds_ptr, n_samples, BLOCK: tl.constexpr):
    """Standard normal noise, four samples from each Philox counter, as `model.source.normal_noise`.

    Program (row, block of counters).
    """
    row = tl.program_id(0).to(tl.int64)
    counter = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    zero = counter * 0
    a, b, c, d = tl.philox(tl.load(seeds_ptr + row), counter, zero, zero, zero)
    _pair(a, b, out_ptr + row * n_samples, 4 * counter, n_samples)
    _pair(c, d, out_ptr + row * n_samples, 4 * counter + 2, n_samples)


@triton.jit
def _pair(first, second, out_ptr, at, n_samples):
    """Store two samples: the Box-Muller transform of two words of 32 bits."""
    radius = tl.sqrt(-2.0 * tl.log(_uniform(first)))
    angle = 6.283185307179586 * _uniform(second)
    tl.store(out_ptr + at, (radius * tl.cos(angle)).to(tl.float32), mask=at < n_samples)
    tl.store(out_ptr + at + 1, (radius * tl.sin(angle)).to(tl.float32), mask=at + 1 < n_samples)


@triton.jit
def _uniform(word):
    """A word of 32 bits as a float64 in (0, 1)."""
    return (word.to(tl.uint32, bitcast=True).to(tl.float64) + 0.5) / 4294967296.0


@triton.jit(do_not_specialize=["n_values"])
def source_kernel(
    f0_ptr, slope_ptr, cycles_ptr, noise_ptr, weights_ptr, out_ptr, n_values, bias, noise_norm,
    HARMONICS: tl.constexpr, STEP: tl.constexpr, VOICED_HZ: tl.constexpr, SINE: tl.constexpr,
    VOICED: tl.constexpr, UNVOICED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The tanh of weighted harmonics plus noise. Program (row, block of samples).

    `cycles` (B, harmonics, T) is the phase after each value of F0, in turns; `slope` is what each
    sample adds to it. The phase advances between the middles of two values; before the middle of
    the first and after the middle of the last it is held.
    """
    row = tl.program_id(0).to(tl.int64)
    n = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    exists = n < n_values * STEP
    shifted = n + STEP // 2
    value = shifted // STEP
    within = (shifted % STEP).to(tl.float32) + 0.5
    advances = exists & (value > 0) & (value < n_values)
    hz = tl.load(f0_ptr + row * n_values + n // STEP, mask=exists, other=0.0)
    total = tl.zeros((BLOCK,), tl.float32)
    for harmonic in range(HARMONICS):
        line = (row * HARMONICS + harmonic) * n_values
        start = tl.load(cycles_ptr + line + tl.maximum(value - 1, 0), mask=exists, other=0.0)
        slope = tl.load(slope_ptr + line + value, mask=advances, other=0.0)
        turns = start + slope * within
        turns = turns - tl.floor(turns + 0.5)
        total += tl.load(weights_ptr + harmonic) * tl.sin(6.283185307179586 * turns)
    voiced = hz > VOICED_HZ
    amplitude = tl.where(voiced, VOICED, UNVOICED) * noise_norm
    noise = tl.load(noise_ptr + row * n_values * STEP + n, mask=exists, other=0.0)
    mixed = tl.where(voiced, SINE * total, 0.0) + amplitude * noise + bias
    # tanh, by an exponential that cannot overflow.
    decay = tl.exp(-2.0 * tl.abs(mixed))
    size = (1.0 - decay) / (1.0 + decay)
    tl.store(out_ptr + row * n_values * STEP + n, tl.where(mixed < 0, -size, size), mask=exists)
