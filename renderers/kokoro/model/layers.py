"""The layers of prosody and decoder, each exact on padded rows. Knows padding as `PaddingMask`.

Tensors have the shape (B, C, T) but lie in memory as (B, T, C):

    shape  (B, C, T)      c0  a0 a1 a2 …        memory  a0 b0 | a1 b1 | a2 b2 | …
                          c1  b0 b1 b2 …                t0      t1      t2

oneDNN and cuDNN convolve this layout faster, and layers that work on all channels of a frame read
them side by side. Modules keep the names that the official checkpoint gives their weights. Source:
hexgrad/kokoro, `kokoro/modules.py` and `kokoro/istftnet.py`.
"""

from __future__ import annotations

from math import sqrt
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.padding import PaddingMask

# Parameters of one direction of an LSTM: input weight, state weight, and a bias for each.
N_LSTM_WEIGHTS = 4
CUDNN_LSTM = 2  # cuDNN's mode number for an LSTM. Source: `torch/backends/cudnn/rnn.py`
NORM_EPS = 1e-5  # of the norms below, as upstream has it


class Conv1d(nn.Conv1d):
    """A convolution over time. The input must be zero in the padding.

    It runs as a two-dimensional convolution over (B, C, 1, T): only in two dimensions does PyTorch
    keep the memory in the order (B, T, C).
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
    """A transposed convolution over time, run in two dimensions like `Conv1d`."""

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


class Doubling(ConvTranspose1d):
    """A transposed convolution of three taps and stride 2, each channel by itself.

    On a GPU it is computed by its formula: cuDNN plans this convolution anew for every shape of a
    batch, which takes it 90 ms.
    """

    def __init__(self, channels: int) -> None:
        super().__init__(
            channels, channels, 3, stride=2, padding=1, output_padding=1, groups=channels
        )

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:  # noqa: A002
        """(B, C, T) to (B, C, 2 T)."""
        return self.by_formula(input) if input.is_cuda else super().forward(input, output_size)

    def by_formula(self, x: Tensor) -> Tensor:
        """The same as `forward`, computed in the order in which the values lie in memory."""
        taps, bias = self.weight.squeeze(1).t(), cast(Tensor, self.bias)
        return doubled(x.transpose(1, 2), taps, bias).transpose(1, 2)


def doubled(x: Tensor, taps: Tensor, bias: Tensor) -> Tensor:
    """Frames (…, T, C) to (…, 2 T, C), each channel by its three taps (3, C) and its bias (C).

    out[2 q] = w1 x[q],  out[2 q + 1] = w2 x[q] + w0 x[q + 1],  plus the bias.
    """
    w0, w1, w2 = taps
    following = F.pad(x[..., 1:, :], (0, 0, 0, 1))
    pairs = torch.stack((w1 * x, w2 * x + w0 * following), -2) + bias
    return pairs.flatten(-3, -2)


def embedding(n_entries: int, width: int) -> nn.Embedding:
    """An embedding (n_entries, width) without initial values; a checkpoint will fill it.

    On the meta device, drawing initial values would first load PyTorch's compiler: 1.5 s at every
    start.
    """
    return nn.Embedding(n_entries, width, _weight=torch.empty(n_entries, width))


class BiLSTM(nn.LSTM):
    """A bidirectional LSTM that never reads padding before a real frame.

        forward     a b c · ·   ──▶ LSTM ──────────────────▶  outputs of a b c
        backward    a b c · ·   ──▶ reverse ──▶  c b a · ·
                                ──▶ LSTM ──▶ reverse ─────▶  outputs of a b c

    The backward pass runs over each row's real frames in reverse. Packed sequences would compute
    the same, but the shapes of their matrices depend on the other rows of the batch.
    """

    def __init__(self, n_in: int, n_out: int) -> None:
        """`n_out` counts both directions."""
        super().__init__(n_in, n_out // 2, batch_first=True, bidirectional=True)

    def forward(self, input: Tensor, mask: PaddingMask) -> Tensor:  # type: ignore[override]  # noqa: A002
        """(B, T, n_in) to (B, T, n_out). The values in the padding are meaningless."""
        weights = self._flat_weights
        forward_weights, backward_weights = weights[:N_LSTM_WEIGHTS], weights[N_LSTM_WEIGHTS:]
        return torch.cat(
            (
                self._one_way(input, forward_weights),
                mask.reverse(self._one_way(mask.reverse(input), backward_weights)),
            ),
            -1,
        )

    def flatten_parameters(self) -> None:
        """Put the weights of each direction into one buffer, if they are on a GPU with cuDNN.

        cuDNN needs a contiguous buffer for each call. PyTorch's own method makes one buffer for
        both directions, so the one-way calls here would copy their weights every time, with a
        warning.
        """
        weights = [weight for weight in self._flat_weights if isinstance(weight, Tensor)]
        is_for_cudnn = all(map(torch.backends.cudnn.is_acceptable, weights))
        # PyTorch for AMD GPUs answers `is_acceptable` for MIOpen, which has no such buffers.
        if len(weights) != 2 * N_LSTM_WEIGHTS or not is_for_cudnn or not _has_cudnn():
            return
        with torch.cuda.device_of(weights[0]), torch.no_grad():
            for one_way in (weights[:N_LSTM_WEIGHTS], weights[N_LSTM_WEIGHTS:]):
                torch._cudnn_rnn_flatten_weight(  # pyright: ignore
                    *(one_way, N_LSTM_WEIGHTS, self.input_size, CUDNN_LSTM, self.hidden_size, 0, 1),
                    batch_first=True,
                    bidirectional=False,
                )

    def _one_way(self, x: Tensor, weights: list[Tensor | None]) -> Tensor:
        zeros = x.new_zeros(1, x.shape[0], self.hidden_size)
        out, _, _ = torch.lstm(
            x.contiguous(),
            (zeros, zeros),
            cast(list[Tensor], weights),
            True,  # noqa: FBT003 - has_biases: torch.lstm has positional parameters only
            1,  # num_layers
            0.0,  # dropout
            False,  # noqa: FBT003 - train
            False,  # noqa: FBT003 - bidirectional
            True,  # noqa: FBT003 - batch_first
        )
        return out


def _has_cudnn() -> bool:
    return bool(torch._use_cudnn_rnn_flatten_weight())  # pyright: ignore


class ChannelNorm(nn.Module):
    """Layer norm over the channels of each frame. Source: `LayerNorm` of `kokoro/modules.py`."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor) -> Tensor:
        """(B, C, T) to the same shape."""
        frames = x.transpose(1, 2)
        normal = F.layer_norm(frames, self.gamma.shape, self.gamma, self.beta, NORM_EPS)
        return normal.transpose(1, 2)


class AdaLayerNorm(nn.Module):
    """Layer norm over the channels of each frame, with gain and offset from the style.

    Source: `AdaLayerNorm` of `kokoro/modules.py`.
    """

    def __init__(self, style_dim: int, channels: int) -> None:
        super().__init__()
        self.fc = nn.Linear(style_dim, 2 * channels)

    def forward(self, x: Tensor, style: Tensor) -> Tensor:
        """(B, T, C) and (B, style_dim) to (B, T, C)."""
        gain, offset = self.fc(style).unsqueeze(1).chunk(2, -1)
        return (1 + gain) * F.layer_norm(x, x.shape[-1:], eps=NORM_EPS) + offset


class AdaIN(nn.Module):
    """Adaptive instance norm: each channel normalised over a row's real frames, then styled.

        (1 + gain) * (x - mean) / sqrt(variance + eps) + offset,    (gain, offset) = fc(style)

    Source: `AdaIN1d` of `kokoro/istftnet.py`. Upstream's `norm` has a gain and an offset of its own
    only because of an exporter. The official checkpoint has none; `weights/checkpoint.py` folds any
    others into `fc`.
    """

    def __init__(self, style_dim: int, channels: int) -> None:
        super().__init__()
        self.fc = nn.Linear(style_dim, 2 * channels)

    def forward(self, x: Tensor, style: Tensor, mask: PaddingMask) -> Tensor:
        """(B, C, T) and (B, style_dim) to (B, C, T). The padding is not zero afterwards."""
        gain, offset = self.fc(style).unsqueeze(-1).chunk(2, 1)
        centred = x - mask.mean(x)
        variance = mask.mean(centred * centred)
        return centred * ((1 + gain) * torch.rsqrt(variance + NORM_EPS)) + offset


class StyledBlock(nn.Module):
    """A residual block with a style: `AdainResBlk1d` of `kokoro/istftnet.py`.

        x ─┬─ AdaIN, leaky ReLU ─ [pool] ─ conv1 ─ AdaIN, leaky ReLU ─ conv2 ─┐
           └─ [repeat each frame] ─ [conv1x1] ────────────────────────────────+─▶ / sqrt(2)

    `doubles` adds the pool and the repetition, which double the number of frames. `conv1x1` is
    there only if n_in and n_out differ.
    """

    def __init__(self, n_in: int, n_out: int, style_dim: int, *, doubles: bool = False) -> None:
        super().__init__()
        self.conv1 = Conv1d(n_in, n_out, 3, padding=1)
        self.conv2 = Conv1d(n_out, n_out, 3, padding=1)
        self.norm1 = AdaIN(style_dim, n_in)
        self.norm2 = AdaIN(style_dim, n_out)
        self.conv1x1 = Conv1d(n_in, n_out, 1, bias=False) if n_in != n_out else None
        self.pool = Doubling(n_in) if doubles else None

    def forward(self, x: Tensor, style: Tensor, mask: PaddingMask) -> tuple[Tensor, PaddingMask]:
        """(B, n_in, T) to (B, n_out, T or 2 T), and the mask for the result."""
        y = F.leaky_relu(self.norm1(x, style, mask), 0.2)
        if self.pool is not None:
            y = self.pool(mask.apply(y))
            x, mask = x.repeat_interleave(2, -1), mask.scaled(2)
        y = F.leaky_relu(self.norm2(self.conv1(mask.apply(y)), style, mask), 0.2)
        y = self.conv2(mask.apply(y))
        if self.conv1x1 is not None:
            x = self.conv1x1(x)
        return (x + y) / sqrt(2), mask


class SnakeBlock(nn.Module):
    """Pairs of convolutions with snake activations: `AdaINResBlock1` of `kokoro/istftnet.py`.

        x ─┬─ AdaIN, snake, dilated conv ─ AdaIN, snake, conv ─┐
           └───────────────────────────────────────────────────+─▶ the next pair, or the result

    There is one pair for each of `dilations`. Snake is arXiv 2006.08195.
    """

    def __init__(
        self, channels: int, kernel: int, dilations: tuple[int, ...], style_dim: int
    ) -> None:
        super().__init__()
        self.convs1 = nn.ModuleList(_same_conv(channels, kernel, d) for d in dilations)
        self.convs2 = nn.ModuleList(_same_conv(channels, kernel, 1) for _ in dilations)
        self.adain1 = nn.ModuleList(AdaIN(style_dim, channels) for _ in dilations)
        self.adain2 = nn.ModuleList(AdaIN(style_dim, channels) for _ in dilations)
        self.alpha1 = _alphas(channels, len(dilations))
        self.alpha2 = _alphas(channels, len(dilations))

    def forward(self, x: Tensor, style: Tensor, mask: PaddingMask) -> Tensor:
        """(B, C, T) to the same shape."""
        pairs = zip(
            zip(self.adain1, self.alpha1, self.convs1, strict=True),
            zip(self.adain2, self.alpha2, self.convs2, strict=True),
            strict=True,
        )
        for first, second in pairs:
            y = x
            for norm, alpha, conv in (first, second):
                y = conv(mask.apply(snake(norm(y, style, mask), alpha)))
            x = x + y
        return x


def snake(x: Tensor, alpha: Tensor) -> Tensor:
    """Snake, x + sin²(alpha x) / alpha, of `x` (B, C, T) and `alpha` (1, C, 1)."""
    sine = torch.sin(alpha * x)
    return x + sine * sine / alpha


def _same_conv(channels: int, kernel: int, dilation: int) -> Conv1d:
    """A convolution that keeps the number of frames; `kernel` is odd."""
    padding = dilation * (kernel - 1) // 2
    return Conv1d(channels, channels, kernel, padding=padding, dilation=dilation)


def _alphas(channels: int, count: int) -> nn.ParameterList:
    return nn.ParameterList(nn.Parameter(torch.ones(1, channels, 1)) for _ in range(count))
