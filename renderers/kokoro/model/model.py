"""Kokoro as three steps over batches. Knows tensors; knows no text, no files and no voices.

    tokens ─▶ BERT ─▶ durations ─▶ frames ─▶ F0, energy ─▶ decoder ─▶ samples
    └───────── read ──────────┘    └──── intone ─────┘ └──── decode ─────┘

How many frames a row lasts is known only after the first step: it is read back once, and rows are
put together anew for what follows by how long they sound. `speak` is the last two in one batch.
Source: `KModel.forward_with_tokens` of hexgrad/kokoro, `kokoro/model.py`, which takes one row; what
each row gets here is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from audiomill.renderers.kokoro.config import KokoroConfig
from audiomill.renderers.kokoro.model.bert import Bert
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.padding import PaddingMask, to_device
from audiomill.renderers.kokoro.model.prosody import ProsodyPredictor, TextEncoder


@dataclass(frozen=True, slots=True)
class Utterance:
    """One row to be spoken."""

    tokens: tuple[int, ...]  # with the edges
    style: Tensor  # (2 * style_dim): timbre, then prosody
    speed: float


@dataclass(frozen=True, slots=True)
class EncodedText:
    """One row, read: what its phonemes are and how long each lasts."""

    style: Tensor  # (2 * style_dim)
    durations: tuple[int, ...]  # frames of 25 ms, one for each token
    for_prosody: Tensor  # (T, hidden + style_dim)
    for_decoder: Tensor  # (T, hidden)

    @property
    def n_frames(self) -> int:
        """Of the whole row."""
        return sum(self.durations)


@dataclass(frozen=True, slots=True)
class Prosody:
    """One row whose melody is known."""

    reading: EncodedText
    f0: Tensor  # (2 * n_frames), in Hz
    energy: Tensor  # (2 * n_frames)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Readings side by side."""

    readings: Sequence[EncodedText]
    rows: PaddingMask  # counting frames
    style: Tensor  # (B, 2 * style_dim)
    frames: Tensor  # (B, F): see `_frames_of`

    def aligned(self, vectors: Sequence[Tensor]) -> Tensor:
        """Each token's vector (T, C) in every frame that it lasts, (B, F, C), zero in padding."""
        return torch.cat([*vectors, vectors[0].new_zeros(1, vectors[0].shape[1])])[self.frames]


class Kokoro(nn.Module):
    """The model. Its parts carry the names of the official checkpoint's sub-dictionaries."""

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
        """Where its weights are."""
        return self.bert_encoder.weight.device

    @property
    def dtype(self) -> torch.dtype:
        """Of its weights."""
        return self.bert_encoder.weight.dtype

    @torch.inference_mode()
    def encode_text(self, utterances: Sequence[Utterance]) -> list[EncodedText]:
        """How each utterance is to be said, in their order. One batch."""
        rows = PaddingMask([len(one.tokens) for one in utterances], self.device)
        tokens = to_device(_padded([one.tokens for one in utterances]), self._long)
        style = self._styles([one.style for one in utterances])
        speed = to_device([one.speed for one in utterances], self.bert_encoder.weight)
        prosody = style[:, self.config.style_dim :]
        heard = self.bert_encoder(self.bert(tokens, rows))
        encoded = self.predictor.text_encoder(heard, prosody, rows)
        durations = self.predictor.durations(encoded, speed, rows)
        shapes = self.text_encoder(tokens, rows)
        return [
            EncodedText(style[b], tuple(lasting[:n]), encoded[b, :n], shapes[b, :n])
            # Here the host waits, and only here.
            for b, (n, lasting) in enumerate(zip(rows.lengths, durations.tolist(), strict=True))
        ]

    @torch.inference_mode()
    def predict_prosody(self, readings: Sequence[EncodedText]) -> list[Prosody]:
        """How high and how loud each reading is to be said, in their order. One batch."""
        f0, energy = self._curves(self._batch(readings))
        return [
            Prosody(one, f0[b, : 2 * one.n_frames], energy[b, : 2 * one.n_frames])
            for b, one in enumerate(readings)
        ]

    @torch.inference_mode()
    def decode(self, rows: Sequence[Prosody], noise: Tensor) -> Tensor:
        """The audio (B, samples of the longest) of a batch, zero after each row's end.

        `noise` is standard normal, of the same shape; a row hears what lies within its own length.
        """
        f0 = pad_sequence([one.f0 for one in rows], batch_first=True)
        energy = pad_sequence([one.energy for one in rows], batch_first=True)
        return self._decoded(self._batch([one.reading for one in rows]), f0, energy, noise)

    def speak(self, readings: Sequence[EncodedText], noise: Tensor) -> list[Tensor]:
        """The samples (n_frames * 600) of each reading. One batch; see `decode`."""
        step = self.config.samples_per_frame
        audio = self.speak_padded(readings, noise)
        return [row[: one.n_frames * step] for row, one in zip(audio, readings, strict=True)]

    @torch.inference_mode()
    def speak_padded(self, readings: Sequence[EncodedText], noise: Tensor) -> Tensor:
        """Readings intoned and decoded in one batch; see `decode`."""
        batch = self._batch(readings)
        return self._decoded(batch, *self._curves(batch), noise)

    def _batch(self, readings: Sequence[EncodedText]) -> _Batch:
        return _Batch(
            readings,
            PaddingMask([one.n_frames for one in readings], self.device),
            self._styles([one.style for one in readings]),
            to_device(_frames_of([one.durations for one in readings]), self._long),
        )

    def _curves(self, batch: _Batch) -> tuple[Tensor, Tensor]:
        aligned = batch.aligned([one.for_prosody for one in batch.readings])
        prosody = batch.style[:, self.config.style_dim :]
        return self.predictor.curves(aligned, prosody, batch.rows)

    def _decoded(self, batch: _Batch, f0: Tensor, energy: Tensor, noise: Tensor) -> Tensor:
        aligned = batch.aligned([one.for_decoder for one in batch.readings]).transpose(1, 2)
        timbre = batch.style[:, : self.config.style_dim]
        return self.decoder(aligned, f0, energy, timbre, noise, batch.rows)

    @property
    def _long(self) -> Tensor:
        """Of the type that indices have, where the model is."""
        return torch.empty(0, dtype=torch.long, device=self.device)

    def _styles(self, styles: Sequence[Tensor]) -> Tensor:
        return torch.stack(list(styles)).to(self.device, self.dtype)


def _padded(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """(B, T), zero in the padding."""
    room = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, values in enumerate(rows):
        room[row, : len(values)] = values
    return room


def _frames_of(durations: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """(B, F): which token each frame belongs to, counted through all rows; in padding, one more."""
    n_tokens = sum(map(len, durations))
    frames = np.full((len(durations), max(map(sum, durations))), n_tokens, np.int64)
    first = 0
    for row, lasting in enumerate(durations):
        frames[row, : sum(lasting)] = np.repeat(first + np.arange(len(lasting)), lasting)
        first += len(lasting)
    return frames
