"""Standard normal noise that is drawn from a seed alone: any row, any batch, any device.

Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) turns a counter
and a key into 128 random bits with multiplications of integers, so it gives the same everywhere;
Box and Muller's transform, in float64, turns pairs of them into normal values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from math import pi

import torch
from torch import Tensor

WORD = 0xFFFF_FFFF
MULTIPLIERS = (0xD251_1F53, 0xCD9E_8D57)
BUMPS = (0x9E37_79B9, 0xBB67_AE85)
N_ROUNDS = 10


def seed_of(key: str, part: int) -> int:
    """64 bits for a part of the segment with this shard key."""
    return int.from_bytes(hashlib.sha256(f"{key} {part}".encode()).digest()[:8], "little")


def normal_noise(
    seeds: Sequence[int], n_samples: int, device: torch.device, dtype: torch.dtype
) -> Tensor:
    """(B, n_samples), one row a seed; a shorter row is the beginning of a longer one."""
    n_blocks = -(-n_samples // 4)
    counter = torch.arange(n_blocks, device=device).expand(len(seeds), -1)
    zero = torch.zeros_like(counter)
    keys = torch.tensor([[seed & WORD, seed >> 32] for seed in seeds], device=device)
    bits = philox((counter, zero, zero, zero), (keys[:, :1], keys[:, 1:]))
    # In (0, 1): never 0, whose logarithm is not a number.
    uniform = (torch.stack(bits, -1).double() + 0.5) / (WORD + 1)
    radius = torch.sqrt(-2 * torch.log(uniform[..., 0::2]))
    angle = 2 * pi * uniform[..., 1::2]
    pairs = torch.stack((radius * torch.cos(angle), radius * torch.sin(angle)), -1)
    return pairs.flatten(1)[:, :n_samples].to(dtype)


def philox(
    counter: tuple[Tensor, Tensor, Tensor, Tensor], key: tuple[Tensor, Tensor]
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Four random words for each counter. A word is 32 bits in int64; tensors broadcast."""
    a, b, c, d = counter
    first, second = key
    for _ in range(N_ROUNDS):
        high_a, low_a = _product(a, MULTIPLIERS[0])
        high_c, low_c = _product(c, MULTIPLIERS[1])
        a, b, c, d = high_c ^ b ^ first, low_c, high_a ^ d ^ second, low_a
        first, second = (first + BUMPS[0]) & WORD, (second + BUMPS[1]) & WORD
    return a, b, c, d


def _product(x: Tensor, multiplier: int) -> tuple[Tensor, Tensor]:
    """The high and the low word of a product of two words.

    The multiplier's upper bit would make the product negative in int64, so that its upper half is
    added by itself.
    """
    low_half, high_half = multiplier & 0xFFFF, multiplier >> 16
    low = x * low_half
    middle = x * high_half + (low >> 16)
    return middle >> 16, ((middle & 0xFFFF) << 16) | (low & 0xFFFF)
