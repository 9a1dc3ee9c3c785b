"""The voice's source: harmonics of F0 where it is voiced, noise where it is not, and its spectrum.

Source: `SineGen`, `SourceModuleHnNSF` and `TorchSTFT` of hexgrad/kokoro, `kokoro/istftnet.py`; the
neural source-filter model is arXiv 1904.12088. Phases are kept in float64 and only their fractions
used: upstream's float32 loses some of them on long rows.

    F0, 80 values a second      f_0        f_1        f_2
    phase, held at both ends    └─ c_0 ─┬─ slope ─┬─ slope ─┬─ c_2 ─┘     300 samples a value
"""

from __future__ import annotations

from math import pi

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from renderers.kokoro.config import SAMPLE_RATE, VocoderConfig
from renderers.kokoro.rows import Rows

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

    def forward(self, f0: Tensor, noise: Tensor, rows: Rows) -> Tensor:
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

    def _sine(self, hz: Tensor, rows: Rows) -> Tensor:
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


def spectrum(x: Tensor, rows: Rows, config: VocoderConfig) -> Tensor:
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


def _reflected(x: Tensor, rows: Rows, n_places: int) -> Tensor:
    """`x` (B, T) with more places before its start and after each row's end, mirrored there."""
    last = rows.last()
    places = torch.arange(-n_places, x.shape[-1] + n_places, device=x.device).abs()
    return x.gather(1, (last - (last - places).abs()).clamp(min=0))


def window(config: VocoderConfig, like: Tensor) -> Tensor:
    """A periodic Hann window, (n_fft)."""
    return torch.hann_window(config.n_fft, dtype=like.dtype, device=like.device)
