"""Fake GPUs for a child process: they answer at once, sleep, fail or die.

Their audio is one level, which depends on the row's seed, so that no model is needed.
"""

import os
import signal
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, WeightsUnfit
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE

FRAMES_PER_TOKEN = 3
SAMPLES_PER_FRAME = 600
# Tokens that end a GPU: by SIGKILL, a CUDA error, a lack of memory, weights of another model.
DEADLY, POISON, OUT_OF_MEMORY, UNFIT = 171, 172, 173, 174
NO_NUMBER = 175  # the token of a row of which a sample is not a number
N_DEATHS = "deaths"  # the file that has a byte for each death that a deadly token still causes


def row_of(seed, n_tokens=20, token=1):
    return (0, *[token] * (n_tokens - 2), 0), "af_heart", 1.0, seed


def expected_audio(row):
    """The audio that a fake GPU returns for `row`."""
    from audiomill.renderers.kokoro.inference.rows import RowAudio

    tokens, _, _, seed = row
    return RowAudio(*fake_result(tokens, seed))


def fake_result(tokens, seed):
    durations = (FRAMES_PER_TOKEN,) * len(tokens)
    level = seed % 997 / 1000
    samples = np.full(sum(durations) * SAMPLES_PER_FRAME, level, np.float32)
    if NO_NUMBER in tokens:
        samples[-1] = np.nan
    return samples, durations, SAMPLES_PER_FRAME / SAMPLE_RATE


@dataclass(frozen=True)
class FakeGpu:
    """`pace`: seconds of audio in a second; 0: at once."""

    pace: float = 0.0
    folder: Path | None = None  # with the file `N_DEATHS`

    def __call__(self):
        """Load nothing."""
        return self.start

    def start(self, requests):
        return partial(self.run, requests)

    def run(self, requests):
        results = [fake_result(tokens, seed) for tokens, _, _, seed in requests]
        self._fail_at({token for tokens, *_ in requests for token in tokens})
        if self.pace:
            time.sleep(sum(samples.size for samples, *_ in results) / SAMPLE_RATE / self.pace)
        return results

    def _fail_at(self, tokens):
        if UNFIT in tokens:
            raise WeightsUnfit("The weights are of another model.")
        if OUT_OF_MEMORY in tokens:
            raise EngineFailed("cuda:0 has no memory left for a single segment. Give it less.")
        if POISON in tokens:
            raise RuntimeError("CUDA error: an illegal memory access was encountered\nCompile with")
        if DEADLY in tokens and self._may_die():
            os.kill(os.getpid(), signal.SIGKILL)

    def _may_die(self):
        """Take a byte from the file of deaths; False if it is empty."""
        path = self.folder / N_DEATHS
        n_left = path.stat().st_size
        os.truncate(path, max(0, n_left - 1))
        return n_left > 0


def sleeping_gpu(pace, *_):
    """In place of `load_on_gpu`: a fake GPU of that pace."""
    return FakeGpu(pace).start


@dataclass(frozen=True)
class OverlappingGpu:
    """A GPU whose first `n_that_wait` results are not ready before the next rows have started."""

    starts: Path  # a file with a byte for each start
    n_that_wait: int

    def __call__(self):
        """Load nothing."""
        self.starts.touch()
        return self.start

    def start(self, requests):
        n_before = self.starts.stat().st_size
        with self.starts.open("ab") as file:
            file.write(b".")
        return partial(self.finish, requests, n_before)

    def finish(self, requests, n_before):
        while n_before < self.n_that_wait and self.starts.stat().st_size < n_before + 2:
            time.sleep(0.01)
        if any(OUT_OF_MEMORY in tokens for tokens, *_ in requests):
            raise EngineFailed("cuda:0 has no memory left for a single segment. Give it less.")
        return [fake_result(tokens, seed) for tokens, _, _, seed in requests]


def broken_gpu():
    """A GPU whose driver is gone."""
    raise RuntimeError("CUDA error: no CUDA-capable device is detected")


def missing_gpu():
    """A GPU that is not in this machine."""
    raise EngineMissing("There is no such GPU.")


def load_narrow_model(weights, config, options):
    """Like `load_on_gpu`, for the narrow random model."""
    from audiomill.renderers.kokoro.multi_gpu import load_on_gpu
    from support.kokoro_reference import built

    with built("narrow"):
        return load_on_gpu(weights, config, options)


def load_narrow_model_on_cpu(weights, config, options):
    """The same in place of a GPU."""
    return load_narrow_model(weights, config, replace(options, device="cpu"))
