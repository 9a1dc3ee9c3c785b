"""Kokoro in three steps over batches. Knows tensors; knows no text, no files and no voices.

    tokens ─▶ BERT ─▶ durations ─▶ frames ─▶ F0, energy ─▶ decoder ─▶ samples
    └───────── encode_text ───────┘└── predict_prosody ──┘└──── decode ─────┘
                                   └──────────── speak_padded ──────────────┘

The number of frames of a row is known only after the first step. It is read back to the host once,
so that the caller can form new batches for the later steps, by duration. `speak_padded` runs the
last two steps in one batch.

Source: `KModel.forward_with_tokens` of hexgrad/kokoro, `kokoro/model.py`, which takes one row. Each
row of a batch gets the same result here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from audiomill.renderers.kokoro.model.bert import Bert
from audiomill.renderers.kokoro.model.config import KokoroConfig
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.padding import PaddingMask, to_device
from audiomill.renderers.kokoro.model.prosody import ProsodyPredictor, TextEncoder


@dataclass(frozen=True, slots=True)
class Utterance:
    """The input of one row."""

    tokens: tuple[int, ...]  # with the edge tokens
    style: Tensor  # (2 * style_dim): timbre, then prosody
    speed: float


@dataclass(frozen=True, slots=True)
class EncodedText:
    """One row after `encode_text`: its encoded phonemes and their durations."""

    style: Tensor  # (2 * style_dim)
    durations: tuple[int, ...]  # frames of 25 ms, one for each token
    for_prosody: Tensor  # (T, hidden + style_dim)
    for_decoder: Tensor  # (T, hidden)

    @property
    def n_frames(self) -> int:
        """The duration of the whole row in frames."""
        return sum(self.durations)


@dataclass(frozen=True, slots=True)
class Prosody:
    """One row after `predict_prosody`: its curves of F0 and energy."""

    text: EncodedText
    f0: Tensor  # (2 * n_frames), in Hz
    energy: Tensor  # (2 * n_frames)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Encoded rows as one padded batch."""

    texts: Sequence[EncodedText]
    mask: PaddingMask  # counts frames
    style: Tensor  # (B, 2 * style_dim)
    token_index: Tensor  # (B, F): see `_token_index`

    def aligned(self, vectors: Sequence[Tensor]) -> Tensor:
        """Repeat each token's vector in all of its frames: rows of (T, C) to (B, F, C).

        Zero in the padding.
        """
        zero = vectors[0].new_zeros(1, vectors[0].shape[1])
        return torch.cat([*vectors, zero])[self.token_index]


class Kokoro(nn.Module):
    """The model. Its parts are named like the sub-dictionaries of the official checkpoint."""

    def __init__(self, config: KokoroConfig) -> None:
        super().__init__()
        self.config = config
        self.bert = Bert(config.n_token, config.bert)
        self.bert_encoder = nn.Linear(config.bert.hidden_size, config.hidden_dim)
        self.predictor = ProsodyPredictor(config)
        self.text_encoder = TextEncoder(config)
        self.decoder = Decoder(config)

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.bert_encoder.weight.device

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the weights."""
        return self.bert_encoder.weight.dtype

    @torch.inference_mode()
    def encode_text(self, utterances: Sequence[Utterance]) -> list[EncodedText]:
        """Encode the phonemes and predict their durations, as one batch, in order."""
        mask = PaddingMask([len(row.tokens) for row in utterances], self.device)
        tokens = to_device(_padded([row.tokens for row in utterances]), self._long)
        style = self._stacked([row.style for row in utterances])
        speed = to_device([row.speed for row in utterances], self.bert_encoder.weight)
        prosody_style = style[:, self.config.style_dim :]
        hidden = self.bert_encoder(self.bert(tokens, mask))
        for_prosody = self.predictor.text_encoder(hidden, prosody_style, mask)
        durations = self.predictor.durations(for_prosody, speed, mask)
        for_decoder = self.text_encoder(tokens, mask)
        return [
            EncodedText(style[b], tuple(n_frames[:n]), for_prosody[b, :n], for_decoder[b, :n])
            # `tolist` is the only place where the host waits for the device.
            for b, (n, n_frames) in enumerate(zip(mask.lengths, durations.tolist(), strict=True))
        ]

    @torch.inference_mode()
    def predict_prosody(self, texts: Sequence[EncodedText]) -> list[Prosody]:
        """Predict the curves of F0 and energy, as one batch, in order."""
        f0, energy = self._curves(self._batch(texts))
        return [
            Prosody(text, f0[b, : 2 * text.n_frames], energy[b, : 2 * text.n_frames])
            for b, text in enumerate(texts)
        ]

    @torch.inference_mode()
    def decode(self, rows: Sequence[Prosody], noise: Tensor) -> Tensor:
        """Decode one batch to audio (B, samples of the longest row), zero after each row's end.

        `noise` is standard normal and has the shape of the audio. The noise in a row's padding has
        no effect.
        """
        f0 = pad_sequence([row.f0 for row in rows], batch_first=True)
        energy = pad_sequence([row.energy for row in rows], batch_first=True)
        return self._decoded(self._batch([row.text for row in rows]), f0, energy, noise)

    def speak(self, texts: Sequence[EncodedText], noise: Tensor) -> list[Tensor]:
        """The samples of each row, (n_frames * 600): `speak_padded` without the padding."""
        step = self.config.samples_per_frame
        audio = self.speak_padded(texts, noise)
        return [row[: text.n_frames * step] for row, text in zip(audio, texts, strict=True)]

    @torch.inference_mode()
    def speak_padded(self, texts: Sequence[EncodedText], noise: Tensor) -> Tensor:
        """Predict prosody and decode in one batch; audio and noise are those of `decode`."""
        batch = self._batch(texts)
        return self._decoded(batch, *self._curves(batch), noise)

    def _batch(self, texts: Sequence[EncodedText]) -> _Batch:
        return _Batch(
            texts,
            PaddingMask([text.n_frames for text in texts], self.device),
            self._stacked([text.style for text in texts]),
            to_device(_token_index([text.durations for text in texts]), self._long),
        )

    def _curves(self, batch: _Batch) -> tuple[Tensor, Tensor]:
        aligned = batch.aligned([text.for_prosody for text in batch.texts])
        prosody_style = batch.style[:, self.config.style_dim :]
        return self.predictor.curves(aligned, prosody_style, batch.mask)

    def _decoded(self, batch: _Batch, f0: Tensor, energy: Tensor, noise: Tensor) -> Tensor:
        aligned = batch.aligned([text.for_decoder for text in batch.texts]).transpose(1, 2)
        timbre = batch.style[:, : self.config.style_dim]
        return self.decoder(aligned, f0, energy, timbre, noise, batch.mask)

    @property
    def _long(self) -> Tensor:
        """An example for `to_device`: an index on the model's device."""
        return torch.empty(0, dtype=torch.long, device=self.device)

    def _stacked(self, styles: Sequence[Tensor]) -> Tensor:
        return torch.stack(list(styles)).to(self.device, self.dtype)


def _padded(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Rows of different lengths as (B, T), zero in the padding."""
    padded = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, values in enumerate(rows):
        padded[row, : len(values)] = values
    return padded


def _token_index(durations: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """For each frame the token it belongs to, (B, F).

    Tokens are counted through all rows. Padding gets the index after the last token.

        durations (2, 1), (1, 3)     0 0 1 4
                                     2 3 3 3
    """
    n_tokens = sum(map(len, durations))
    index = np.full((len(durations), max(map(sum, durations))), n_tokens, np.int64)
    first = 0
    for row, n_frames in enumerate(durations):
        index[row, : sum(n_frames)] = np.repeat(first + np.arange(len(n_frames)), n_frames)
        first += len(n_frames)
    return index
