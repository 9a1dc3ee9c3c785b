"""Who speaks: one model in this process, or several, each on its device in a process of its own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray

from renderers.kokoro.card_pool import CardPool
from renderers.kokoro.card_worker import Asked, Begin, Told
from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.devices import devices_of
from renderers.kokoro.loading import chosen_device, load_speaker
from renderers.kokoro.model import Utterance
from renderers.kokoro.speaker import Row, Speaker, Spoken
from renderers.options import KokoroOptions
from renderers.reasons import reason_of
from renderers.shard import EngineFailed, EngineMissing


class Alone:
    """A speaker that any thread may use."""

    def __init__(self, speaker: Speaker, device: str) -> None:
        self._speaker, self._device = speaker, device
        self._one_at_a_time = Lock()

    def speak(self, rows: Sequence[Row]) -> list[Spoken]:
        """All `rows`, in their order. Raises EngineFailed."""
        with _in_words(self._device):
            with self._one_at_a_time:
                coming = self._speaker.begin(rows)
            # The next batch can begin while this one comes in.
            return [one.finished() for one in coming]


def open_speaking(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Alone | CardPool:
    """Ready to speak on every device that is set. Any thread may use it.

    Raises EngineMissing, EngineFailed, WeightsUnfit; of several devices when they are first asked.
    """
    first, *others = devices_of(options.device)
    # A worker of somebody else's pool may have no children.
    if not others or multiprocessing.current_process().daemon:
        with _in_words(first):
            return Alone(load_speaker(weights, config, replace(options, device=first)), first)
    own = [replace(options, device=device) for device in (first, *others)]
    return CardPool([(one.device, partial(load_on_card, weights, config, one)) for one in own])


@contextmanager
def _in_words(device: str) -> Generator[None]:
    """Raise a GPU's own errors as EngineFailed; on a CPU there are none."""
    try:
        yield
    except RuntimeError as error:
        if device == "cpu":
            raise
        raise EngineFailed(
            f"Kokoro has failed on {device}: {reason_of(error)}. What is finished is kept: run the"
            " same command again. If that ends the same way, set kokoro.device to cpu."
        ) from error


def load_on_card(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Begin:
    """A speaker for a process that has one device only. Raises as above."""
    try:
        device = chosen_device(options.device)
    except EngineMissing as error:  # full, perhaps, or somebody else's alone: others may do
        raise EngineFailed(str(error)) from error
    if device.type == "cuda":
        torch.cuda.set_device(device)  # what names no device is for this one too
    return partial(_begin, load_speaker(weights, config, options))


def _begin(speaker: Speaker, asked: Sequence[Asked]) -> Callable[[], list[Told]]:
    coming = speaker.begin([_row(*one) for one in asked])

    def finish() -> list[Told]:
        spoken = [one.finished() for one in coming]
        return [(one.samples, one.durations, one.frame_s) for one in spoken]

    return finish


def _row(tokens: tuple[int, ...], style: NDArray[np.float32], speed: float, seed: int) -> Row:
    return Row(Utterance(tokens, torch.from_numpy(style), speed), seed)
