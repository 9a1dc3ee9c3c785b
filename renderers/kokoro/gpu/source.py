"""The source signal and both Fourier transforms on a GPU. Knows packed rows, F0 and seeds.

    seeds ─▶ noise ─┐
    F0 ─────────────┴─▶ waveform ─▶ spectrum ─▶ … the generator … ─▶ bins ─▶ FusedWaveform ─▶ audio

The formulas and their derivations are in `model/source.py` and `model/decoder.py`; here each takes
one kernel. Phases are summed in float64 at the rate of F0; everything else is float32. The windows
are short (20 samples), so a transform is a product with a small matrix, here called its basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from audiomill.renderers.kokoro.gpu.conv import padded_width
from audiomill.renderers.kokoro.gpu.layout import (
    COMPILE_OPTIONS,
    TILE,
    TILE_COLUMNS,
    Layout,
    Tiles,
)
from audiomill.renderers.kokoro.gpu.source_kernels import noise_kernel, source_kernel
from audiomill.renderers.kokoro.gpu.stft_kernels import frames_kernel, overlap_kernel, stft_kernel
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE, VocoderConfig
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

BLOCK = 1024  # samples or counters of one program
BLOCK_FRAMES = 32  # STFT frames of one program
# atan r, for r from 0 to 1, as r times a polynomial in r²; the error is at most 1e-7. Fitted like
# `norm.SINE`.
ARCTANGENT = (
    *(0.999999336, -0.33329861, 0.199465671, -0.139086336),
    *(0.0964220191, -0.0559123359, 0.0218629375, -0.00405455608),
)


def noise(seeds: Sequence[int], n_samples: int, device: torch.device) -> Tensor:
    """Standard normal noise (B, n_samples) in float32: the same as `model.source.normal_noise`."""
    out = torch.empty((len(seeds), n_samples), device=device)
    like = torch.empty(0, dtype=torch.int64, device=device)
    signed_seeds = to_device(np.array(seeds, np.uint64).view(np.int64), like)
    kernel: Any = noise_kernel
    n_blocks = -(-n_samples // (4 * BLOCK))
    kernel[(len(seeds), n_blocks)](out, signed_seeds, n_samples, BLOCK=BLOCK, **COMPILE_OPTIONS)
    return out


class FusedSource:
    """`Source` and `spectrum` of `model/source.py`, with the same weights."""

    def __init__(self, source: Source, config: VocoderConfig) -> None:
        weights = source.l_linear.weight.detach()[0]
        self._weights = weights.float().contiguous()
        self._bias = float(source.l_linear.bias.detach()[0])
        self._noise_norm = float(weights.norm())
        self._config = config
        self._basis = analysis_basis(config, self._weights)

    def waveform(self, f0: Tensor, noise: Tensor, mask: PaddingMask) -> Tensor:
        """F0 in Hz (B, T) and noise (B, T * 300) to a waveform (B, T * 300): `Source.forward`."""
        step = self._config.samples_per_f0
        harmonics = torch.arange(1, N_HARMONICS + 1, device=f0.device).view(1, -1, 1)
        slope = mask.apply((f0.float().unsqueeze(1) * harmonics / SAMPLE_RATE) % 1)
        cycles = ((step * slope.double().cumsum(-1)) % 1).float()
        out = torch.empty_like(noise)
        kernel: Any = source_kernel
        kernel[(f0.shape[0], -(-out.shape[1] // BLOCK))](
            f0.float().contiguous(),
            slope.contiguous(),
            cycles,
            noise,
            self._weights,
            out,
            f0.shape[1],
            self._bias,
            self._noise_norm,
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
        """Magnitudes and phases of `samples` (B, S), packed: (positions, n_fft + 2 or more).

        The channels end with zeros, up to `padded_width`.
        """
        config = self._config
        wide = padded_width(config.n_fft + 2)
        out = layout.empty(rate, wide, torch.float32)
        kernel: Any = stft_kernel
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
            BLOCK_B=padded_bins(config),
            **{f"A{n}": value for n, value in enumerate(ARCTANGENT)},
            **COMPILE_OPTIONS,
        )
        return out


class FusedWaveform:
    """The inverse STFT: `waveform` of `model/decoder.py`, on packed rows."""

    def __init__(self, config: VocoderConfig, like: Tensor) -> None:
        self._config = config
        self._basis = synthesis_basis(config, like)
        self._hann = window(config, like.float())

    def __call__(self, bins: Tensor, tiles: Tiles, n_samples: int) -> Tensor:
        """Log magnitudes and phases to audio (B, n_samples), zero after each row's end.

        `bins` is (positions, n_fft + 2 or more), and is overwritten.
        """
        config, n_rows, wide = self._config, tiles.rows.shape[0], bins.shape[1]
        frames: Any = frames_kernel
        frames[(tiles.n, TILE // BLOCK_FRAMES)](
            bins,
            self._basis,
            tiles.table,
            BINS=n_bins(config),
            WIDE=wide,
            COLUMNS=TILE_COLUMNS,
            BLOCK_T=BLOCK_FRAMES,
            BLOCK_B=padded_bins(config),
            BLOCK_N=self._basis.shape[2],
            **COMPILE_OPTIONS,
        )
        audio = torch.empty((n_rows, n_samples), device=bins.device)
        overlap: Any = overlap_kernel
        # Blocks are on the first axis of the grid: the second ends at 65,535.
        overlap[(-(-n_samples // BLOCK), n_rows)](
            bins,
            self._hann,
            audio,
            tiles.rows,
            n_samples,
            N_FFT=config.n_fft,
            HOP=config.hop,
            WIDE=wide,
            BLOCK_S=BLOCK,
            **COMPILE_OPTIONS,
        )
        return audio


def n_bins(config: VocoderConfig) -> int:
    """The number of bins of a spectrum."""
    return config.n_fft // 2 + 1


def padded_bins(config: VocoderConfig) -> int:
    """`n_bins` as the width of a block."""
    return padded_block(n_bins(config))


def padded_block(size: int) -> int:
    """`size` rounded up to a power of two of at least 16, which matrix products in Triton need."""
    return max(16, 1 << (size - 1).bit_length())


def analysis_basis(config: VocoderConfig, like: Tensor) -> Tensor:
    """What each sample of a frame adds to each bin, windowed: (n_fft, 2, padded bins).

    The second axis is the real and the imaginary part of the bin.
    """
    waves = _waves(config)
    return _padded_basis(waves * window(config, waves).view(-1, 1, 1), config, like)


def synthesis_basis(config: VocoderConfig, like: Tensor) -> Tensor:
    """What each bin adds to each sample of a frame, windowed: (2, padded bins, padded n_fft).

    The first axis is the real and the imaginary part of the bin. All bins but the first and the
    last count twice: they also stand for the negative frequencies.
    """
    counts = torch.full((n_bins(config),), 2.0, dtype=torch.float64)
    counts[0] = counts[-1] = 1.0
    waves = _waves(config) * counts / config.n_fft
    windowed = _padded_basis(waves * window(config, waves).view(-1, 1, 1), config, like)
    missing = padded_block(config.n_fft) - config.n_fft
    return F.pad(windowed.permute(1, 2, 0), (0, missing)).contiguous()


def _waves(config: VocoderConfig) -> Tensor:
    """Cosine and -sine of 2 pi i b / n_fft for sample i and bin b, (n_fft, 2, bins) in float64.

    The sines of the first and last bin are exactly 0, without the rounding error of `sin`.
    """
    n_fft = config.n_fft
    products = torch.arange(n_fft).view(-1, 1) * torch.arange(n_bins(config))
    angles = 2 * torch.pi * (products % n_fft).double() / n_fft
    waves = torch.stack((torch.cos(angles), -torch.sin(angles)), 1)
    waves[:, 1, 0] = waves[:, 1, -1] = 0.0
    return waves


def _padded_basis(basis: Tensor, config: VocoderConfig, like: Tensor) -> Tensor:
    missing = padded_bins(config) - n_bins(config)
    return F.pad(basis, (0, missing)).to(like.device, torch.float32).contiguous()
