"""The voice's source: harmonics of F0 where it is voiced, noise where it is not, and its spectrum.

Source: `SineGen`, `SourceModuleHnNSF` and `TorchSTFT` of hexgrad/kokoro, `kokoro/istftnet.py`; the
neural source-filter model is arXiv 1904.12088. Phases are kept in float64 and only their fractions
used: upstream's float32 loses some of them on long rows.

    F0, 80 values a second      f_0        f_1        f_2
    phase, held at both ends    └─ c_0 ─┬─ slope ─┬─ slope ─┬─ c_2 ─┘     300 samples a value
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from math import pi

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.config import SAMPLE_RATE, VocoderConfig
from audiomill.renderers.kokoro.model.padding import PaddingMask

N_HARMONICS = 9  # F0 itself and eight above it
VOICED_HZ = 10.0  # F0 above this is a voice
SINE_LEVEL = 0.1
VOICED_NOISE = 0.003  # beside the harmonics
UNVOICED_NOISE = SINE_LEVEL / 3  # where there are none


class Source(nn.Module):
    """The excitation, as a waveform."""

    def __init__(self, config: VocoderConfig) -> None:
        super().__init__()
        self.l_linear = nn.Linear(N_HARMONICS, 1)
        self._step = config.samples_per_f0

    def forward(self, f0: Tensor, noise: Tensor, rows: PaddingMask) -> Tensor:
        """F0 in Hz (B, T), standard normal noise (B, T * 300) to (B, T * 300).

        Upstream adds noise to each harmonic and then sums them with fixed weights: that is one
        noise, as loud as the weights are long.
        """
        weights = self.l_linear.weight[0]
        voiced = (f0 > VOICED_HZ).to(f0.dtype).repeat_interleave(self._step, -1)
        level = voiced * VOICED_NOISE + (1 - voiced) * UNVOICED_NOISE
        sines = sum(
            weight * self._sine(f0 * harmonic, rows) for harmonic, weight in enumerate(weights, 1)
        )
        mixed = voiced * SINE_LEVEL * sines + level * weights.norm() * noise
        return torch.tanh(mixed + self.l_linear.bias)

    def _sine(self, hz: Tensor, rows: PaddingMask) -> Tensor:
        """The sine of a frequency curve (B, T), in samples (B, T * 300)."""
        slope = rows.clear((hz / SAMPLE_RATE).unsqueeze(1) % 1).squeeze(1)  # cycles a sample
        cycles = (self._step * slope.double().cumsum(-1)) % 1
        # Half a value's samples lie before the first: the phase is held there, and after the last.
        start = torch.cat((cycles[:, :1], cycles), -1).to(hz.dtype)
        slope = F.pad(slope[:, 1:], (1, 1))
        within = torch.arange(self._step, dtype=hz.dtype, device=hz.device) + 0.5
        grid = start.unsqueeze(-1) + slope.unsqueeze(-1) * within
        half = self._step // 2
        return torch.sin(2 * pi * grid.flatten(1)[:, half:-half])


def spectrum(x: Tensor, rows: PaddingMask, config: VocoderConfig) -> Tensor:
    """Magnitude and phase of the source (B, T) as channels, (B, n_fft + 2, T / hop + 1).

    Reflected at both ends of each row, as `torch.stft(center=True)` does with one. A row's first
    frame is symmetric then, and its bins real: what is left of an imaginary part is rounding, and
    would decide between phases of pi and -pi. It is taken to be +0. (The last frame is symmetric
    about the sample before its middle, so that its bins are not real.)
    """
    frames = _reflected(x, rows, config.n_fft // 2).unfold(-1, config.n_fft, config.hop)
    bins = torch.fft.rfft(frames * window(config, x)).transpose(1, 2)
    imaginary = bins.imag.clone()
    imaginary[..., 0] = 0
    return torch.cat((bins.abs(), torch.atan2(imaginary, bins.real)), 1)


def _reflected(x: Tensor, rows: PaddingMask, n_places: int) -> Tensor:
    """`x` (B, T) with more places before its start and after each row's end, mirrored there."""
    last = rows.last()
    places = torch.arange(-n_places, x.shape[-1] + n_places, device=x.device).abs()
    return x.gather(1, (last - (last - places).abs()).clamp(min=0))


def window(config: VocoderConfig, like: Tensor) -> Tensor:
    """A periodic Hann window, (n_fft)."""
    return torch.hann_window(config.n_fft, dtype=like.dtype, device=like.device)


# Standard normal noise that is drawn from a seed alone:

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
