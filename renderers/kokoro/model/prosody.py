"""From phonemes to how long each lasts, and to F0 and energy. Knows no waveform.

Source: `TextEncoder`, `DurationEncoder` and `ProsodyPredictor` of hexgrad/kokoro,
`kokoro/modules.py`, whose weights these are, by the same names.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.config import KokoroConfig
from audiomill.renderers.kokoro.model.layers import (
    AdaLayerNorm,
    BiLSTM,
    ChannelNorm,
    Conv1d,
    StyledBlock,
    embedding,
)
from audiomill.renderers.kokoro.model.padding import PaddingMask


class TextEncoder(nn.Module):
    """What the decoder hears of each phoneme."""

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        channels, kernel = config.hidden_dim, config.text_encoder_kernel_size
        self.embedding = embedding(config.n_token, channels)
        self.cnn = nn.ModuleList(
            nn.Sequential(
                Conv1d(channels, channels, kernel, padding=kernel // 2), ChannelNorm(channels)
            )
            for _ in range(config.n_layer)
        )
        self.lstm = BiLSTM(channels, channels)

    def forward(self, tokens: Tensor, rows: PaddingMask) -> Tensor:
        """(B, T) token numbers to (B, T, hidden)."""
        x = self.embedding(tokens).transpose(1, 2)
        for layer in self.cnn:
            x = F.leaky_relu(layer(rows.clear(x)), 0.2)
        return self.lstm(x.transpose(1, 2), rows)


class DurationEncoder(nn.Module):
    """What the prosody hears of each phoneme: BERT's vector, and the style again and again."""

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        hidden, style = config.hidden_dim, config.style_dim
        self.lstms = nn.ModuleList()  # by turns an LSTM and a norm, as the checkpoint numbers them
        for _ in range(config.n_layer):
            self.lstms.extend((BiLSTM(hidden + style, hidden), AdaLayerNorm(style, hidden)))

    def forward(self, x: Tensor, style: Tensor, rows: PaddingMask) -> Tensor:
        """(B, T, hidden) and (B, style_dim) to (B, T, hidden + style_dim)."""
        told = style.unsqueeze(1).expand(-1, x.shape[1], -1)
        x = torch.cat((x, told), -1)
        for lstm, norm in zip(self.lstms[::2], self.lstms[1::2], strict=True):
            x = torch.cat((norm(lstm(x, rows), style), told), -1)
        return x


class ProsodyPredictor(nn.Module):
    """Durations of phonemes, then the curves of F0 and energy over the frames they last."""

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        hidden, style = config.hidden_dim, config.style_dim
        self.text_encoder = DurationEncoder(config)
        self.lstm = BiLSTM(hidden + style, hidden)
        self.duration_proj = _Projection(hidden, config.max_dur)
        self.shared = BiLSTM(hidden + style, hidden)
        self.F0 = _curve_blocks(hidden, style)
        self.N = _curve_blocks(hidden, style)
        self.F0_proj = Conv1d(hidden // 2, 1, 1)
        self.N_proj = Conv1d(hidden // 2, 1, 1)

    def durations(self, encoded: Tensor, speed: Tensor, rows: PaddingMask) -> Tensor:
        """Frames of 25 ms that each phoneme lasts, (B, T), at least one.

        `encoded` is (B, T, hidden + style_dim), `speed` (B).
        """
        likely = torch.sigmoid(self.duration_proj(self.lstm(encoded, rows)))
        lasting = likely.sum(-1) / speed.unsqueeze(-1)
        return torch.round(lasting).clamp(min=1).long()

    def curves(self, aligned: Tensor, style: Tensor, rows: PaddingMask) -> tuple[Tensor, Tensor]:
        """F0 in Hz and energy, each (B, 2 F), two values a frame.

        `aligned` is (B, F, hidden + style_dim), a phoneme's vector in each frame it lasts.
        """
        heard = self.shared(aligned, rows).transpose(1, 2)
        return (
            _curve(self.F0, self.F0_proj, heard, style, rows),
            _curve(self.N, self.N_proj, heard, style, rows),
        )


def _curve_blocks(hidden: int, style: int) -> nn.ModuleList:
    half = hidden // 2
    return nn.ModuleList(
        [
            StyledBlock(hidden, hidden, style),
            StyledBlock(hidden, half, style, doubles=True),
            StyledBlock(half, half, style),
        ]
    )


def _curve(
    blocks: nn.ModuleList, projection: Conv1d, x: Tensor, style: Tensor, rows: PaddingMask
) -> Tensor:
    for block in blocks:
        x, rows = block(x, style, rows)
    return projection(x).squeeze(1)


class _Projection(nn.Module):
    """A linear layer, one level down as in the checkpoint."""

    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.linear_layer = nn.Linear(n_in, n_out)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear_layer(x)
