"""Rows of phonemes spoken in as few padded batches as memory allows. Knows no text and no files.

    rows ─▶ read, by phonemes ─▶ speak, by frames ─▶ samples, in the rows' order

On a CPU a batch gains nothing, so each row is spoken by itself, on one core, several side by side,
unless batches are asked for: nothing is padding, and a row's samples are the same to the last bit
whatever it is rendered with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from renderers.kokoro.batching import OVERHEAD_FRAMES, OVERHEAD_TOKENS
from renderers.kokoro.config import SAMPLE_RATE
from renderers.kokoro.lanes import Lanes
from renderers.kokoro.model import Kokoro, Reading, Utterance
from renderers.kokoro.noise import normal_noise
from renderers.kokoro.step import Spread, Step
from renderers.shard import Samples

# What a frame of a row takes at the decoder's widest: some ten arrays of 120 places, 128 channels.
BYTES_PER_FRAME = 10 * 120 * 128 * 4
SHARE_OF_MEMORY = 0.6  # of what is free on the device; the rest is for kernels and their workspaces
# A phoneme takes far less than a frame, in the first step and in memory.
FRAMES_PER_TOKEN = 2


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what the model is given, and the seed of its noise."""

    utterance: Utterance
    seed: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """One row's samples, and how many frames each of its tokens lasts."""

    samples: Samples
    durations: tuple[int, ...]
    frame_s: float


class Speaker:
    """A model, and how much it may take on at a time. One thread at a time."""

    def __init__(self, model: Kokoro, batch_frames: int = 0) -> None:
        """`batch_frames`: frames of a batch, padding included; 0: what the device has room for."""
        self._model = model
        self._spread: Spread = Lanes().map if model.device.type == "cpu" else map
        self.batch_frames = batch_frames or frames_that_fit(model.device)

    @property
    def batch_frames(self) -> int:
        """Frames of a batch at most: less than was asked for once memory has run out."""
        return self._speaking.budget

    @batch_frames.setter
    def batch_frames(self, n_frames: int) -> None:
        device, n_tokens = self._model.device, n_frames // FRAMES_PER_TOKEN
        self._reading = Step(device, n_tokens, OVERHEAD_TOKENS, self._spread)
        self._speaking = Step(device, n_frames, OVERHEAD_FRAMES, self._spread)

    def speak(self, rows: Sequence[Row]) -> list[Spoken]:
        """All `rows`, in their order. Raises EngineFailed."""
        readings = self._reading.run(
            [len(row.utterance.tokens) for row in rows],
            lambda batch: self._model.read([rows[index].utterance for index in batch]),
        )
        return self._speaking.run(
            [reading.n_frames for reading in readings],
            lambda batch: self._spoken([readings[i] for i in batch], [rows[i].seed for i in batch]),
        )

    def _spoken(self, readings: Sequence[Reading], seeds: Sequence[int]) -> list[Spoken]:
        step = self._model.config.samples_per_frame
        n_samples = max(one.n_frames for one in readings) * step
        noise = normal_noise(seeds, n_samples, self._model.device, self._model.dtype)
        audio = self._model.speak(readings, noise)
        return [
            Spoken(_on_the_host(samples), reading.durations, step / SAMPLE_RATE)
            for samples, reading in zip(audio, readings, strict=True)
        ]


def frames_that_fit(device: torch.device) -> int:
    """The frames of a batch that a device has room for; 0 on a CPU: each row by itself."""
    if device.type != "cuda":
        return 0
    free, _ = torch.cuda.mem_get_info(device)
    return int(SHARE_OF_MEMORY * free) // BYTES_PER_FRAME


def _on_the_host(samples: Tensor) -> Samples:
    return np.ascontiguousarray(samples.float().cpu().numpy())
