"""Kokoro as two steps over padded batches. Knows tensors; knows no text, no files and no voices.

    tokens ─▶ BERT ─▶ durations ─▶ frames ─▶ F0, energy ─▶ decoder ─▶ samples
    └───────── read ──────────┘    └──────────────── speak ───────────────┘

How many frames a row lasts is known only after the first step: it is read back once, and rows are
put together anew for the second by how long they sound. Source: `KModel.forward_with_tokens` of
hexgrad/kokoro, `kokoro/model.py`, which takes one row; what each row gets here is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from renderers.kokoro.bert import Bert
from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.decoder import Decoder
from renderers.kokoro.prosody import ProsodyPredictor, TextEncoder
from renderers.kokoro.rows import Rows


@dataclass(frozen=True, slots=True)
class Utterance:
    """One row to be spoken."""

    tokens: tuple[int, ...]  # with the edges
    style: Tensor  # (2 * style_dim): timbre, then prosody
    speed: float


@dataclass(frozen=True, slots=True)
class Reading:
    """One row, read: what its phonemes are and how long each lasts."""

    style: Tensor  # (2 * style_dim)
    durations: tuple[int, ...]  # frames of 25 ms, one for each token
    for_prosody: Tensor  # (T, hidden + style_dim)
    for_decoder: Tensor  # (T, hidden)

    @property
    def n_frames(self) -> int:
        """Of the whole row."""
        return sum(self.durations)


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
    def read(self, utterances: Sequence[Utterance]) -> list[Reading]:
        """How each utterance is to be said, in their order. One batch."""
        rows = Rows([len(one.tokens) for one in utterances], self.device)
        tokens = pad_sequence([torch.tensor(one.tokens) for one in utterances], batch_first=True)
        tokens = tokens.to(self.device)
        style = self._styles([one.style for one in utterances])
        speeds = [one.speed for one in utterances]
        speed = torch.tensor(speeds, dtype=self.dtype, device=self.device)
        prosody = style[:, self.config.style_dim :]
        heard = self.bert_encoder(self.bert(tokens, rows))
        encoded = self.predictor.text_encoder(heard, prosody, rows)
        durations = self.predictor.durations(encoded, speed, rows).tolist()
        shapes = self.text_encoder(tokens, rows)
        return [
            Reading(style[b], tuple(durations[b][:n]), encoded[b, :n], shapes[b, :n])
            for b, n in enumerate(rows.lengths)
        ]

    def speak(self, readings: Sequence[Reading], noise: Tensor) -> list[Tensor]:
        """The samples (n_frames * 600) of each reading. One batch; see `speak_padded`."""
        step = self.config.samples_per_frame
        audio = self.speak_padded(readings, noise)
        return [row[: one.n_frames * step] for row, one in zip(audio, readings, strict=True)]

    @torch.inference_mode()
    def speak_padded(self, readings: Sequence[Reading], noise: Tensor) -> Tensor:
        """The audio (B, samples of the longest) of a batch, zero after each row's end.

        `noise` is standard normal, of the same shape; a row hears what lies within its own length.
        """
        rows = Rows([one.n_frames for one in readings], self.device)
        timbre, prosody = self._styles([one.style for one in readings]).chunk(2, -1)
        f0, energy = self.predictor.curves(
            _aligned([one.for_prosody for one in readings], readings), prosody, rows
        )
        shapes = _aligned([one.for_decoder for one in readings], readings).transpose(1, 2)
        return self.decoder(shapes, f0, energy, timbre, noise, rows)

    def _styles(self, styles: Sequence[Tensor]) -> Tensor:
        return torch.stack(list(styles)).to(self.device, self.dtype)


def _aligned(vectors: Sequence[Tensor], readings: Sequence[Reading]) -> Tensor:
    """Each token's vector (T, C) in every frame that it lasts, (B, F, C), zero in the padding."""
    return pad_sequence(
        [
            vector.repeat_interleave(torch.tensor(one.durations, device=vector.device), 0)
            for vector, one in zip(vectors, readings, strict=True)
        ],
        batch_first=True,
    )
