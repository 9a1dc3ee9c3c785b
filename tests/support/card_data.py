"""Cards that are none, to be made in a worker's process: they speak at once, sleep, fail or die.

What they say is one level, which depends on a row's seed, so that nothing needs a model.
"""

import os
import signal
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from audiomill.renderers.base import EngineFailed, WeightsUnfit
from audiomill.renderers.kokoro.config import SAMPLE_RATE

FRAMES_PER_TOKEN = 3
SAMPLES_PER_FRAME = 600
DEADLY, POISON, CROWDED, UNFIT = 171, 172, 173, 174  # tokens that a card ends at
N_DEATHS = "deaths"  # the file in which those are counted that a deadly token is good for


def row_of(seed, n_tokens=20, token=1):
    import torch

    from audiomill.renderers.kokoro.inference.runner import Row
    from audiomill.renderers.kokoro.model.model import Utterance

    return Row(Utterance((0, *[token] * (n_tokens - 2), 0), torch.zeros(256), 1.0), seed)


def said(one):
    """What becomes of a row."""
    from audiomill.renderers.kokoro.inference.runner import RowAudio

    return RowAudio(*told(one.utterance.tokens, one.seed))


def told(tokens, seed):
    durations = (FRAMES_PER_TOKEN,) * len(tokens)
    level = seed % 997 / 1000
    samples = np.full(sum(durations) * SAMPLES_PER_FRAME, level, np.float32)
    return samples, durations, SAMPLES_PER_FRAME / SAMPLE_RATE


@dataclass(frozen=True)
class Card:
    """`pace`: seconds of audio in a second; 0: at once."""

    pace: float = 0.0
    folder: Path | None = None  # where its deaths are counted

    def __call__(self):
        """It is there."""
        return self.begin

    def begin(self, rows):
        return partial(self.speak, rows)

    def speak(self, rows):
        made = [told(tokens, seed) for tokens, _, _, seed in rows]
        self._suffer({token for tokens, *_ in rows for token in tokens})
        if self.pace:
            time.sleep(sum(samples.size for samples, *_ in made) / SAMPLE_RATE / self.pace)
        return made

    def _suffer(self, tokens):
        if UNFIT in tokens:
            raise WeightsUnfit("The weights are of another model.")
        if CROWDED in tokens:
            raise EngineFailed("cuda:0 has no memory left for a single segment. Give it less.")
        if POISON in tokens:
            raise RuntimeError("CUDA error: an illegal memory access was encountered\nCompile with")
        if DEADLY in tokens and self._may_die():
            os.kill(os.getpid(), signal.SIGKILL)

    def _may_die(self):
        """Once, for each byte that the file has."""
        path = self.folder / N_DEATHS
        left = path.stat().st_size
        os.truncate(path, max(0, left - 1))
        return left > 0


@dataclass(frozen=True)
class Eager:
    """A card that has not spoken before it has begun what comes next, so many times."""

    begun: Path  # a byte for each order
    n_that_wait: int

    def __call__(self):
        """It is there."""
        self.begun.touch()
        return self.begin

    def begin(self, rows):
        n_before = self.begun.stat().st_size
        with self.begun.open("ab") as file:
            file.write(b".")
        return partial(self.finish, rows, n_before)

    def finish(self, rows, n_before):
        while n_before < self.n_that_wait and self.begun.stat().st_size < n_before + 2:
            time.sleep(0.01)
        if any(CROWDED in tokens for tokens, *_ in rows):
            raise EngineFailed("cuda:0 has no memory left for a single segment. Give it less.")
        return [told(tokens, seed) for tokens, _, _, seed in rows]


def broken_card():
    """A card whose driver is gone."""
    raise RuntimeError("CUDA error: no CUDA-capable device is detected")


def narrow_on_card(weights, config, options):
    """Like `load_on_card`, for the narrow random model."""
    from audiomill.renderers.kokoro.inference.multi_gpu import load_on_gpu
    from support.kokoro_reference import built

    with built("narrow"):
        return load_on_gpu(weights, config, options)
