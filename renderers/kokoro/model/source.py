"""The source signal: harmonics of F0 where voiced, noise elsewhere; its spectrum; and the noise.

Source: `SineGen`, `SourceModuleHnNSF` and `TorchSTFT` of hexgrad/kokoro, `kokoro/istftnet.py`; the
neural source-filter model is arXiv 1904.12088. Phases are summed in float64 and only their
fractions are kept: upstream's float32 loses digits of them on long rows.

    F0, 80 values a second      f_0       f_1       f_2
    phase, held at both ends    ├── c_0 ──┼─ slope ─┼─ slope ─┼── c_2 ──┤     300 samples a value

Noise is a function of a seed and nothing else. It comes from the counter-based generator
Philox-4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.config import SAMPLE_RATE, VocoderConfig
from audiomill.renderers.kokoro.model.padding import PaddingMask

N_HARMONICS = 9  # F0 itself and eight overtones
VOICED_HZ = 10.0  # above this, F0 is voiced
SINE_LEVEL = 0.1
VOICED_NOISE = 0.003  # standard deviation of the noise where F0 is voiced
UNVOICED_NOISE = SINE_LEVEL / 3  # and where it is not

# Philox-4x32 with 10 rounds. The constants are those of Random123.
WORD_MASK = 0xFFFF_FFFF
MULTIPLIERS = (0xD251_1F53, 0xCD9E_8D57)
KEY_INCREMENTS = (0x9E37_79B9, 0xBB67_AE85)
N_ROUNDS = 10


class Source(nn.Module):
    """The excitation signal that the vocoder filters, as a waveform."""

    def __init__(self, config: VocoderConfig) -> None:
        super().__init__()
        self.l_linear = nn.Linear(N_HARMONICS, 1)
        self._step = config.samples_per_f0

    def forward(self, f0: Tensor, noise: Tensor, mask: PaddingMask) -> Tensor:
        """F0 in Hz (B, T) and standard normal noise (B, T * 300) to a waveform (B, T * 300).

        Upstream adds noise to each harmonic, then sums them with fixed weights. This is the same as
        one noise whose amplitude is the norm of the weights.
        """
        weights = self.l_linear.weight[0]
        voiced = (f0 > VOICED_HZ).to(f0.dtype).repeat_interleave(self._step, -1)
        amplitude = voiced * VOICED_NOISE + (1 - voiced) * UNVOICED_NOISE
        sines = sum(
            weight * self._sine(f0 * harmonic, mask) for harmonic, weight in enumerate(weights, 1)
        )
        mixed = voiced * SINE_LEVEL * sines + amplitude * weights.norm() * noise
        return torch.tanh(mixed + self.l_linear.bias)

    def _sine(self, hz: Tensor, mask: PaddingMask) -> Tensor:
        """The sine whose frequency follows `hz` (B, T), as samples (B, T * 300)."""
        slope = mask.apply((hz / SAMPLE_RATE).unsqueeze(1) % 1).squeeze(1)  # cycles per sample
        cycles = (self._step * slope.double().cumsum(-1)) % 1
        # Values lie in the middle of their 300 samples. The phase is held for the 150 samples
        # before the middle of the first value and after the middle of the last.
        start = torch.cat((cycles[:, :1], cycles), -1).to(hz.dtype)
        slope = F.pad(slope[:, 1:], (1, 1))
        offsets = torch.arange(self._step, dtype=hz.dtype, device=hz.device) + 0.5
        phase = start.unsqueeze(-1) + slope.unsqueeze(-1) * offsets
        half = self._step // 2
        return torch.sin(2 * pi * phase.flatten(1)[:, half:-half])


def spectrum(x: Tensor, mask: PaddingMask, config: VocoderConfig) -> Tensor:
    """Magnitude and phase of the source (B, T) as channels, (B, n_fft + 2, T / hop + 1).

    Each row is reflected at both of its ends, as `torch.stft(center=True)` reflects a single row.

        sample    … 3 2 1 0 1 2 3 …      first frame: symmetric about sample 0

    So the bins of a row's first frame are real. The imaginary part that rounding leaves would
    decide between phases of pi and -pi; it is set to +0. (The last frame is symmetric about the
    sample before its middle, so its bins are not real.)
    """
    frames = _reflected(x, mask, config.n_fft // 2).unfold(-1, config.n_fft, config.hop)
    bins = torch.fft.rfft(frames * window(config, x)).transpose(1, 2)
    imaginary = bins.imag.clone()
    imaginary[..., 0] = 0
    return torch.cat((bins.abs(), torch.atan2(imaginary, bins.real)), 1)


def _reflected(x: Tensor, mask: PaddingMask, n_extra: int) -> Tensor:
    """`x` (B, T) with `n_extra` samples reflected at each row's start and real end."""
    last = mask.last_index()
    index = torch.arange(-n_extra, x.shape[-1] + n_extra, device=x.device).abs()
    return x.gather(1, (last - (last - index).abs()).clamp(min=0))


def window(config: VocoderConfig, like: Tensor) -> Tensor:
    """A periodic Hann window (n_fft) with the dtype and device of `like`."""
    return torch.hann_window(config.n_fft, dtype=like.dtype, device=like.device)


def normal_noise(
    seeds: Sequence[int], n_samples: int, device: torch.device, dtype: torch.dtype
) -> Tensor:
    """Standard normal noise (B, n_samples), one row per seed of 64 bits.

    A shorter row is the beginning of a longer one. Four samples come from each Philox counter, by
    the Box-Muller transform.
    """
    n_blocks = -(-n_samples // 4)
    counter = torch.arange(n_blocks, device=device).expand(len(seeds), -1)
    zero = torch.zeros_like(counter)
    keys = torch.tensor([[seed & WORD_MASK, seed >> 32] for seed in seeds], device=device)
    bits = philox((counter, zero, zero, zero), (keys[:, :1], keys[:, 1:]))
    # In (0, 1): never 0, whose logarithm is infinite.
    uniform = (torch.stack(bits, -1).double() + 0.5) / (WORD_MASK + 1)
    radius = torch.sqrt(-2 * torch.log(uniform[..., 0::2]))
    angle = 2 * pi * uniform[..., 1::2]
    pairs = torch.stack((radius * torch.cos(angle), radius * torch.sin(angle)), -1)
    return pairs.flatten(1)[:, :n_samples].to(dtype)


def philox(
    counter: tuple[Tensor, Tensor, Tensor, Tensor], key: tuple[Tensor, Tensor]
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Four random words for each counter. Words are 32 bits in an int64; tensors broadcast.

    Matches Random123's philox4x32 with 10 rounds.
    """
    a, b, c, d = counter
    first, second = key
    for _ in range(N_ROUNDS):
        high_a, low_a = _product(a, MULTIPLIERS[0])
        high_c, low_c = _product(c, MULTIPLIERS[1])
        a, b, c, d = high_c ^ b ^ first, low_c, high_a ^ d ^ second, low_a
        first, second = (
            (first + KEY_INCREMENTS[0]) & WORD_MASK,
            (second + KEY_INCREMENTS[1]) & WORD_MASK,
        )
    return a, b, c, d


def _product(x: Tensor, multiplier: int) -> tuple[Tensor, Tensor]:
    """The high and low words of the product of a word and a multiplier of 32 bits.

    A whole product may not fit into int64, whose highest bit is the sign. So the two halves of the
    multiplier are multiplied one after the other.
    """
    low_half, high_half = multiplier & 0xFFFF, multiplier >> 16
    low = x * low_half
    middle = x * high_half + (low >> 16)
    return middle >> 16, ((middle & 0xFFFF) << 16) | (low & 0xFFFF)
