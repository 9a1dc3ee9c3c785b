"""The waves that short Fourier transforms are sums of, windowed. Knows a vocoder's sizes.

With windows of 20 samples a product with a small table is cheaper than a fast transform.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from renderers.kokoro.config import VocoderConfig
from renderers.kokoro.source import window


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
