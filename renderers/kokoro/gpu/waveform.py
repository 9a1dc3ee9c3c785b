"""The inverse transform at the decoder's end, on a GPU. Knows packed frames of a spectrum.

What it makes is told in `waveform` of `kokoro/decoder.py`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from renderers.kokoro.config import VocoderConfig
from renderers.kokoro.gpu.fourier import bins_room, n_bins, synthesis_basis
from renderers.kokoro.gpu.kernels import transform
from renderers.kokoro.gpu.launch import FUSED
from renderers.kokoro.gpu.layout import Tiles
from renderers.kokoro.source import window

BLOCK = 128  # samples of one program


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
        kernel: Any = transform.resynthesise
        # The second axis of a grid ends at 65,535: less than six minutes of samples, by blocks.
        kernel[(-(-n_samples // BLOCK), n_rows)](
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
            BLOCK_S=BLOCK,
            BLOCK_B=bins_room(config),
            **FUSED,
        )
        return audio
