"""Who speaks: one model in this process, or several, each on its device in a process of its own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray

from renderers.kokoro.card_pool import CardPool
from renderers.kokoro.card_worker import Asked, Speak, Told
from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.devices import devices_of
from renderers.kokoro.loading import load_speaker
from renderers.kokoro.model import Utterance
from renderers.kokoro.speaker import Row, Speaker, Spoken
from renderers.options import KokoroOptions


class Alone:
    """A speaker that any thread may use."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._one_at_a_time = Lock()

    def speak(self, rows: Sequence[Row]) -> list[Spoken]:
        """All `rows`, in their order. Raises EngineFailed."""
        with self._one_at_a_time:
            coming = self._speaker.begin(rows)
        # The next batch can begin while this one comes in.
        return [one.finished() for one in coming]


def open_speaking(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Alone | CardPool:
    """Ready to speak on every device that is set. Any thread may use it.

    Raises EngineMissing, WeightsUnfit; of several devices when they are first asked.
    """
    first, *others = devices_of(options.device)
    # A worker of somebody else's pool may have no children.
    if not others or multiprocessing.current_process().daemon:
        return Alone(load_speaker(weights, config, replace(options, device=first)))
    own = [replace(options, device=device) for device in (first, *others)]
    return CardPool([(one.device, partial(load_on_card, weights, config, one)) for one in own])


def load_on_card(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Speak:
    """A speaker for a process that has one device only. Raises as above."""
    speaker = load_speaker(weights, config, options)
    device = torch.device(options.device)
    if device.type == "cuda":
        torch.cuda.set_device(device)  # what names no device is for this one too
    return partial(_speak, speaker)


def _speak(speaker: Speaker, asked: Sequence[Asked]) -> list[Told]:
    spoken = speaker.speak([_row(*one) for one in asked])
    return [(one.samples, one.durations, one.frame_s) for one in spoken]


def _row(tokens: tuple[int, ...], style: NDArray[np.float32], speed: float, seed: int) -> Row:
    return Row(Utterance(tokens, torch.from_numpy(style), speed), seed)
