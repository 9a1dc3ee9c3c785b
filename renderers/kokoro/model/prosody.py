"""From phonemes to durations, F0 and energy. Knows no waveform.

Source: `TextEncoder`, `DurationEncoder` and `ProsodyPredictor` of hexgrad/kokoro,
`kokoro/modules.py`, after StyleTTS 2 (arXiv 2306.07691). Modules carry the names that these classes
give their weights.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.config import KokoroConfig
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
    """Encodes each phoneme for the decoder: convolutions, then an LSTM."""

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

    def forward(self, tokens: Tensor, mask: PaddingMask) -> Tensor:
        """Token numbers (B, T) to vectors (B, T, hidden)."""
        x = self.embedding(tokens).transpose(1, 2)
        for layer in self.cnn:
            x = F.leaky_relu(layer(mask.apply(x)), 0.2)
        return self.lstm(x.transpose(1, 2), mask)


class DurationEncoder(nn.Module):
    """Encodes each phoneme for the prosody. Every layer is given the style again."""

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        hidden, style = config.hidden_dim, config.style_dim
        self.lstms = nn.ModuleList()  # LSTMs and norms alternate, as the checkpoint numbers them
        for _ in range(config.n_layer):
            self.lstms.extend((BiLSTM(hidden + style, hidden), AdaLayerNorm(style, hidden)))

    def forward(self, x: Tensor, style: Tensor, mask: PaddingMask) -> Tensor:
        """BERT's vectors (B, T, hidden), style (B, style_dim) to (B, T, hidden + style_dim)."""
        styles = style.unsqueeze(1).expand(-1, x.shape[1], -1)
        x = torch.cat((x, styles), -1)
        for lstm, norm in zip(self.lstms[::2], self.lstms[1::2], strict=True):
            x = torch.cat((norm(lstm(x, mask), style), styles), -1)
        return x


class ProsodyPredictor(nn.Module):
    """Predicts durations of phonemes, then the curves of F0 and energy over their frames."""

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        hidden, style = config.hidden_dim, config.style_dim
        self.text_encoder = DurationEncoder(config)
        self.lstm = BiLSTM(hidden + style, hidden)
        self.duration_proj = _Projection(hidden, config.max_dur)
        self.shared = BiLSTM(hidden + style, hidden)
        self.F0 = CurveBlocks(hidden, style)
        self.N = CurveBlocks(hidden, style)
        self.F0_proj = Conv1d(hidden // 2, 1, 1)
        self.N_proj = Conv1d(hidden // 2, 1, 1)

    def durations(self, encoded: Tensor, speed: Tensor, mask: PaddingMask) -> Tensor:
        """The duration of each phoneme in frames of 25 ms, (B, T) int64, at least one.

        `encoded` is (B, T, hidden + style_dim), `speed` is (B).
        """
        # Each of max_dur sigmoids adds a part of a frame.
        frame_probs = torch.sigmoid(self.duration_proj(self.lstm(encoded, mask)))
        n_frames = frame_probs.sum(-1) / speed.unsqueeze(-1)
        return torch.round(n_frames).clamp(min=1).long()

    def curves(self, aligned: Tensor, style: Tensor, mask: PaddingMask) -> tuple[Tensor, Tensor]:
        """F0 in Hz and energy, each (B, 2 F): two values a frame.

        `aligned` (B, F, hidden + style_dim) repeats each phoneme's vector in all of its frames.
        """
        shared = self.shared(aligned, mask).transpose(1, 2)
        return (
            self.F0_proj(self.F0(shared, style, mask)).squeeze(1),
            self.N_proj(self.N(shared, style, mask)).squeeze(1),
        )


class CurveBlocks(nn.ModuleList):
    """The blocks that shape one curve. The second doubles the number of frames."""

    def __init__(self, hidden: int, style: int) -> None:
        half = hidden // 2
        super().__init__(
            [
                StyledBlock(hidden, hidden, style),
                StyledBlock(hidden, half, style, doubles=True),
                StyledBlock(half, half, style),
            ]
        )

    def forward(self, x: Tensor, style: Tensor, mask: PaddingMask) -> Tensor:
        """(B, hidden, F) and style (B, style_dim) to (B, hidden / 2, 2 F).

        The values in the padding are meaningless.
        """
        for block in self:
            x, mask = block(x, style, mask)
        return x


class _Projection(nn.Module):
    """A linear layer, nested one level deeper as in the checkpoint."""

    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.linear_layer = nn.Linear(n_in, n_out)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear_layer(x)
