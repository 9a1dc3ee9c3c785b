"""The voice's source on a GPU: noise, waveform, spectrum. Knows packed rows, F0 and seeds.

What each makes is told and derived in `kokoro/noise.py` and `kokoro/source.py`; here it takes one
kernel each. Phases are summed in float64, at the rate of F0; all else is float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from audiomill.renderers.kokoro.config import SAMPLE_RATE, VocoderConfig
from audiomill.renderers.kokoro.gpu.conv import padded_width
from audiomill.renderers.kokoro.gpu.kernels import source as excite
from audiomill.renderers.kokoro.gpu.kernels import stft as transform
from audiomill.renderers.kokoro.gpu.layout import TILE_COLUMNS, COMPILE_OPTIONS, TILE, Layout, Tiles
from audiomill.renderers.kokoro.model.padding import PaddingMask, to_device
from audiomill.renderers.kokoro.model.source import (
    N_HARMONICS,
    SINE_LEVEL,
    UNVOICED_NOISE,
    VOICED_HZ,
    VOICED_NOISE,
    Source,
    window,
)

# The waves that short Fourier transforms are sums of, windowed.


def n_bins(config: VocoderConfig) -> int:
    """Of a spectrum."""
    return config.n_fft // 2 + 1


def bins_room(config: VocoderConfig) -> int:
    """Bins that a block has room for."""
    return 1 << (n_bins(config) - 1).bit_length()


def analysis_basis(config: VocoderConfig, like: Tensor) -> Tensor:
    """What each sample under the window adds to each bin: (n_fft, 2, bins), cosine and -sine."""
    both = _waves(config)
    return _roomy(both * window(config, both).view(-1, 1, 1), config, like)


def synthesis_basis(config: VocoderConfig, like: Tensor) -> Tensor:
    """What each bin adds to each sample, windowed: (n_fft, 2, bins), of real and imaginary part."""
    twice = torch.full((n_bins(config),), 2.0, dtype=torch.float64)
    twice[0] = twice[-1] = 1.0
    both = _waves(config) * twice / config.n_fft
    return _roomy(both * window(config, both).view(-1, 1, 1), config, like)


def _waves(config: VocoderConfig) -> Tensor:
    """Cosine and -sine of 2 pi i b / n_fft for each sample i and bin b, in float64.

    The sine of the first and of the last bin is 0, and must not be what rounding leaves of it.
    """
    n_fft = config.n_fft
    products = torch.arange(n_fft).view(-1, 1) * torch.arange(n_bins(config))
    turns = 2 * torch.pi * (products % n_fft).double() / n_fft
    both = torch.stack((torch.cos(turns), -torch.sin(turns)), 1)
    both[:, 1, 0] = both[:, 1, -1] = 0.0
    return both


def _roomy(basis: Tensor, config: VocoderConfig, like: Tensor) -> Tensor:
    room = bins_room(config) - n_bins(config)
    return F.pad(basis, (0, room)).to(like.device, torch.float32).contiguous()


BLOCK = 1024  # samples, or counters, of one program
BLOCK_FRAMES = 32
# atan r, r from 0 to 1, as r times a polynomial in r²; off by 1e-7 at most. Fitted like norm.SINE.
ARCTANGENT = (
    *(0.999999336, -0.33329861, 0.199465671, -0.139086336),
    *(0.0964220191, -0.0559123359, 0.0218629375, -0.00405455608),
)


def noise(seeds: Sequence[int], n_samples: int, device: torch.device) -> Tensor:
    """Standard normal (B, n_samples) in float32: what `noise.normal_noise` gives."""
    made = torch.empty((len(seeds), n_samples), device=device)
    like = torch.empty(0, dtype=torch.int64, device=device)
    signed = to_device(np.array(seeds, np.uint64).view(np.int64), like)
    kernel: Any = excite.noise_kernel
    n_blocks = -(-n_samples // (4 * BLOCK))
    kernel[(len(seeds), n_blocks)](made, signed, n_samples, BLOCK=BLOCK, **COMPILE_OPTIONS)
    return made


class FusedSource:
    """`AudioSource` and `spectrum`, of the same weights."""

    def __init__(self, source: Source, config: VocoderConfig) -> None:
        weights = source.l_linear.weight.detach()[0]
        self._weights = weights.float().contiguous()
        self._bias = float(source.l_linear.bias.detach()[0])
        self._loudness = float(weights.norm())
        self._config = config
        self._basis = analysis_basis(config, self._weights)

    def waveform(self, f0: Tensor, drawn: Tensor, rows: PaddingMask) -> Tensor:
        """F0 in Hz (B, T) and noise (B, T * 300) to (B, T * 300), as `Source.forward` does."""
        step = self._config.samples_per_f0
        harmonics = torch.arange(1, N_HARMONICS + 1, device=f0.device).view(1, -1, 1)
        slope = rows.apply((f0.float().unsqueeze(1) * harmonics / SAMPLE_RATE) % 1)
        cycles = ((step * slope.double().cumsum(-1)) % 1).float()
        out = torch.empty_like(drawn)
        kernel: Any = excite.source_kernel
        kernel[(f0.shape[0], -(-out.shape[1] // BLOCK))](
            f0.float().contiguous(),
            slope.contiguous(),
            cycles,
            drawn,
            self._weights,
            out,
            f0.shape[1],
            self._bias,
            self._loudness,
            HARMONICS=N_HARMONICS,
            STEP=step,
            VOICED_HZ=VOICED_HZ,
            SINE=SINE_LEVEL,
            VOICED=VOICED_NOISE,
            UNVOICED=UNVOICED_NOISE,
            BLOCK=BLOCK,
            **COMPILE_OPTIONS,
        )
        return out

    def spectrum(self, samples: Tensor, layout: Layout, rate: int, tiles: Tiles) -> Tensor:
        """Magnitudes and phases of `samples` (B, S), packed: (places, n_fft + 2 or more)."""
        config = self._config
        wide = padded_width(config.n_fft + 2)
        out = layout.empty(rate, wide, torch.float32)
        kernel: Any = transform.stft_kernel
        kernel[(tiles.n, TILE // BLOCK_FRAMES)](
            samples,
            self._basis,
            out,
            tiles.table,
            tiles.rows,
            samples.shape[1],
            N_FFT=config.n_fft,
            HOP=config.hop,
            BINS=n_bins(config),
            WIDE=wide,
            COLUMNS=TILE_COLUMNS,
            BLOCK_T=BLOCK_FRAMES,
            BLOCK_B=bins_room(config),
            **{f"A{n}": value for n, value in enumerate(ARCTANGENT)},
            **COMPILE_OPTIONS,
        )
        return out


# The inverse transform at the decoder's end, on a GPU.

WAVE_BLOCK = 128  # samples of one program


class FusedWaveform:
    """From log magnitudes and phases to samples."""

    def __init__(self, config: VocoderConfig, like: Tensor) -> None:
        self._config = config
        self._basis = synthesis_basis(config, like)
        self._hann = window(config, like.float())

    def __call__(self, drawn: Tensor, tiles: Tiles, n_samples: int) -> Tensor:
        """(places, n_fft + 2 or more) to (B, n_samples), zero after each row's end."""
        config, n_rows = self._config, tiles.rows.shape[0]
        audio = torch.empty((n_rows, n_samples), device=drawn.device)
        kernel: Any = transform.istft_kernel
        # The second axis of a grid ends at 65,535: less than six minutes of samples, by blocks.
        kernel[(-(-n_samples // WAVE_BLOCK), n_rows)](
            drawn,
            self._basis,
            self._hann,
            audio,
            tiles.rows,
            n_samples,
            N_FFT=config.n_fft,
            HOP=config.hop,
            BINS=n_bins(config),
            WIDE=drawn.shape[1],
            BLOCK_S=WAVE_BLOCK,
            BLOCK_B=bins_room(config),
            **COMPILE_OPTIONS,
        )
        return audio
