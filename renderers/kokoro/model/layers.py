"""The layers that upstream's modules are made of, each exact on padded rows. Knows `PaddingMask`.

Tensors are (B, C, T) to read, and lie in memory as (B, T, C): oneDNN and cuDNN convolve that
faster, and what works on all channels of a frame reads them side by side. Layers keep the names
that the official checkpoint gives their weights. Source: hexgrad/kokoro, `kokoro/modules.py` and
`kokoro/istftnet.py`.
"""

from __future__ import annotations

from math import sqrt
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.padding import PaddingMask

WEIGHTS = 4  # of one direction of an LSTM: of its input, of its state, and two biases
CUDNN_LSTM = 2  # cuDNN's number for that kind. Source: `torch/backends/cudnn/rnn.py`


class Conv1d(nn.Conv1d):
    """A convolution over time whose input is clear of padding.

    It is carried out in two dimensions, one of them of size 1: only there does PyTorch leave the
    memory in the order (B, T, C).
    """

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - the name that nn.Conv1d gives it
        """(B, C_in, T) to (B, C_out, T')."""
        stride, padding, dilation = self.stride[0], cast(int, self.padding[0]), self.dilation[0]
        out = F.conv2d(
            input.unsqueeze(2),
            self.weight.unsqueeze(2),
            self.bias,
            (1, stride),
            (0, padding),
            (1, dilation),
            self.groups,
        )
        return out.squeeze(2)


class ConvTranspose1d(nn.ConvTranspose1d):
    """A transposed convolution over time whose input is clear of padding, like `Conv1d`."""

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:  # noqa: A002, ARG002
        """(B, C_in, T) to (B, C_out, T * stride)."""
        out = F.conv_transpose2d(
            input.unsqueeze(2),
            self.weight.unsqueeze(2),
            self.bias,
            (1, self.stride[0]),
            (0, cast(int, self.padding[0])),
            (0, self.output_padding[0]),
            self.groups,
        )
        return out.squeeze(2)


def embedding(n_entries: int, width: int) -> nn.Embedding:
    """A table of vectors that a checkpoint will fill.

    Drawing initial values where there is no memory for them would load PyTorch's compiler first:
    1.5 s at every start.
    """
    return nn.Embedding(n_entries, width, _weight=torch.empty(n_entries, width))


class BiLSTM(nn.LSTM):
    """A bidirectional LSTM that never reads padding.

    Two one-way passes: the second runs over each row's own frames in reverse. Packed sequences
    would do the same, but their matrices change shape with a row's neighbours.
    """

    def __init__(self, n_in: int, n_out: int) -> None:
        """`n_out` counts both directions."""
        super().__init__(n_in, n_out // 2, batch_first=True, bidirectional=True)

    def forward(self, input: Tensor, rows: PaddingMask) -> Tensor:  # type: ignore[override]  # noqa: A002
        """(B, T, n_in) to (B, T, n_out); what stands in the padding means nothing."""
        forth, back = self._flat_weights[:WEIGHTS], self._flat_weights[WEIGHTS:]
        return torch.cat(
            (
                self._one_way(input, forth),
                rows.reversed(self._one_way(rows.reversed(input), back)),
            ),
            -1,
        )

    def flatten_parameters(self) -> None:
        """Have each direction's weights lie side by side, once they are on a GPU.

        cuDNN takes them only so; PyTorch, which puts both directions together, would copy ours at
        every call, and warn of it.
        """
        weights = [one for one in self._flat_weights if isinstance(one, Tensor)]
        is_for_cudnn = all(map(torch.backends.cudnn.is_acceptable, weights))
        # AMD's library is asked by the same name, and has no such buffers.
        if len(weights) != 2 * WEIGHTS or not is_for_cudnn or not _has_cudnn():
            return
        with torch.cuda.device_of(weights[0]), torch.no_grad():
            for own in (weights[:WEIGHTS], weights[WEIGHTS:]):
                torch._cudnn_rnn_flatten_weight(  # pyright: ignore
                    *(own, WEIGHTS, self.input_size, CUDNN_LSTM, self.hidden_size, 0, 1),
                    batch_first=True,
                    bidirectional=False,
                )

    def _one_way(self, x: Tensor, weights: list[Tensor | None]) -> Tensor:
        start = x.new_zeros(1, x.shape[0], self.hidden_size)
        out, _, _ = torch.lstm(
            x.contiguous(),
            (start, start),
            cast(list[Tensor], weights),
            True,  # noqa: FBT003 - torch names none of these
            1,
            0.0,
            False,  # noqa: FBT003
            False,  # noqa: FBT003
            True,  # noqa: FBT003
        )
        return out


def _has_cudnn() -> bool:
    return bool(torch._use_cudnn_rnn_flatten_weight())  # pyright: ignore


class ChannelNorm(nn.Module):
    """Layer norm over channels, frame by frame. Source: `LayerNorm` of `kokoro/modules.py`."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, T) to the same."""
        normal = F.layer_norm(x.transpose(1, 2), self.gamma.shape, self.gamma, self.beta, 1e-5)
        return normal.transpose(1, 2)


class AdaLayerNorm(nn.Module):
    """Layer norm over channels, its gain and offset from the style."""

    def __init__(self, style_dim: int, channels: int) -> None:
        super().__init__()
        self.fc = nn.Linear(style_dim, 2 * channels)

    def forward(self, x: Tensor, style: Tensor) -> Tensor:
        """(B, T, C) and (B, style_dim) to (B, T, C)."""
        gain, offset = self.fc(style).unsqueeze(1).chunk(2, -1)
        return (1 + gain) * F.layer_norm(x, x.shape[-1:], eps=1e-5) + offset


class AdaIN(nn.Module):
    """Instance norm over a row's own frames, gain and offset from the style.

    Source: `AdaIN1d` of `kokoro/istftnet.py`. Its `norm` has a gain and an offset of its own only
    for the sake of an exporter; the official checkpoint has none, and folding puts any that there
    are into `fc`, which holds gain less one first, then offset.
    """

    def __init__(self, style_dim: int, channels: int) -> None:
        super().__init__()
        self.fc = nn.Linear(style_dim, 2 * channels)

    def forward(self, x: Tensor, style: Tensor, rows: PaddingMask) -> Tensor:
        """(B, C, T) and (B, style_dim) to (B, C, T), the offset standing in the padding."""
        gain, offset = self.fc(style).unsqueeze(-1).chunk(2, 1)
        centred = x - rows.mean(x)
        variance = rows.mean(centred * centred)
        return centred * ((1 + gain) * torch.rsqrt(variance + 1e-5)) + offset


# The two residual blocks that prosody and decoder are built of.


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

    def forward(self, x: Tensor, style: Tensor, rows: PaddingMask) -> tuple[Tensor, PaddingMask]:
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

    def forward(self, x: Tensor, style: Tensor, rows: PaddingMask) -> Tensor:
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
