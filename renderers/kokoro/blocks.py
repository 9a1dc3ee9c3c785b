"""The two residual blocks that prosody and decoder are built of. Knows padding only as `Rows`.

Source: `AdainResBlk1d` and `AdaINResBlock1` of hexgrad/kokoro, `kokoro/istftnet.py`.
"""

from __future__ import annotations

from math import sqrt

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from renderers.kokoro.layers import AdaIN, Conv1d, ConvTranspose1d
from renderers.kokoro.rows import Rows


class StyledBlock(nn.Module):
    """Two convolutions over what AdaIN makes of the input, and a shortcut past them.

    `doubles`: there are twice as many frames afterwards.
    """

    def __init__(self, n_in: int, n_out: int, style_dim: int, *, doubles: bool = False) -> None:
        super().__init__()
        self.conv1 = Conv1d(n_in, n_out, 3, padding=1)
        self.conv2 = Conv1d(n_out, n_out, 3, padding=1)
        self.norm1 = AdaIN(style_dim, n_in)
        self.norm2 = AdaIN(style_dim, n_out)
        self.conv1x1 = Conv1d(n_in, n_out, 1, bias=False) if n_in != n_out else None
        self.pool = _pool(n_in) if doubles else None

    def forward(self, x: Tensor, style: Tensor, rows: Rows) -> tuple[Tensor, Rows]:
        """(B, n_in, T) to (B, n_out, T or 2 T), and the rows it has then."""
        y = F.leaky_relu(self.norm1(x, style, rows), 0.2)
        if self.pool is not None:
            y = self.pool(rows.clear(y))
            x, rows = x.repeat_interleave(2, -1), rows.times(2)
        y = F.leaky_relu(self.norm2(self.conv1(rows.clear(y)), style, rows), 0.2)
        y = self.conv2(rows.clear(y))
        if self.conv1x1 is not None:
            x = self.conv1x1(x)
        return (x + y) / sqrt(2), rows


class SnakeBlock(nn.Module):
    """Three pairs of dilated convolutions with periodic activations (Snake, arXiv 2006.08195)."""

    def __init__(
        self, channels: int, kernel: int, dilations: tuple[int, ...], style_dim: int
    ) -> None:
        super().__init__()
        self.convs1 = nn.ModuleList(_same(channels, kernel, dilation) for dilation in dilations)
        self.convs2 = nn.ModuleList(_same(channels, kernel, 1) for _ in dilations)
        self.adain1 = nn.ModuleList(AdaIN(style_dim, channels) for _ in dilations)
        self.adain2 = nn.ModuleList(AdaIN(style_dim, channels) for _ in dilations)
        self.alpha1 = _alphas(channels, len(dilations))
        self.alpha2 = _alphas(channels, len(dilations))

    def forward(self, x: Tensor, style: Tensor, rows: Rows) -> Tensor:
        """(B, C, T) to the same."""
        pairs = zip(
            zip(self.adain1, self.alpha1, self.convs1, strict=True),
            zip(self.adain2, self.alpha2, self.convs2, strict=True),
            strict=True,
        )
        for first, second in pairs:
            y = x
            for norm, alpha, conv in (first, second):
                y = conv(rows.clear(snake(norm(y, style, rows), alpha)))
            x = x + y
        return x


def snake(x: Tensor, alpha: Tensor) -> Tensor:
    """Adds sin²(alpha x) / alpha to x; `alpha` is (1, C, 1)."""
    sine = torch.sin(alpha * x)
    return x + sine * sine / alpha


def _pool(channels: int) -> ConvTranspose1d:
    """Twice the frames, channel by channel."""
    return ConvTranspose1d(
        channels, channels, 3, stride=2, padding=1, output_padding=1, groups=channels
    )


def _same(channels: int, kernel: int, dilation: int) -> Conv1d:
    padding = dilation * (kernel - 1) // 2
    return Conv1d(channels, channels, kernel, padding=padding, dilation=dilation)


def _alphas(channels: int, count: int) -> nn.ParameterList:
    return nn.ParameterList(nn.Parameter(torch.ones(1, channels, 1)) for _ in range(count))
