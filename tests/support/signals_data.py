"""Synthetic signals for tests of the outputs, from formulas and seeds."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audiomill.inputs.model.book import Cover
from audiomill.outputs.audio.loudness import LoudnessMeter
from audiomill.outputs.types import Loudness
from audiomill.renderers.engine.protocol import Samples
from support.picture_data import halves, saved

RATE = 24000


def voice(seconds: float, sample_rate: int = RATE, *, seed: int = 0, peak: float = 0.5) -> Samples:
    """A signal like speech: gliding harmonics in syllables, with hiss between them."""
    return _voice(seconds, sample_rate, seed, peak).copy()


@lru_cache(maxsize=8)  # the rows of a table, one after the other, want the same
def _voice(seconds: float, sample_rate: int, seed: int, peak: float) -> Samples:
    t = np.arange(round(seconds * sample_rate)) / sample_rate
    phase = 2 * np.pi * np.cumsum(120 + 25 * np.sin(2 * np.pi * 0.7 * t + seed)) / sample_rate
    harmonics = sum(np.sin(k * phase) / k for k in range(1, 25))
    syllables = np.clip(np.sin(2 * np.pi * 3.1 * t + seed) + 0.4, 0, 1)
    hiss = np.random.default_rng(seed).standard_normal(t.size)
    x = harmonics * syllables + 0.05 * hiss * np.clip(np.sin(2 * np.pi * 3.1 * t + 2), 0, 1)
    return (x / np.abs(x).max() * peak).astype(np.float32)


def silence(seconds: float, sample_rate: int = RATE) -> Samples:
    return np.zeros(round(seconds * sample_rate), np.float32)


def noise(n_samples: int, seed: int = 0, level: float = 0.1) -> Samples:
    return (np.random.default_rng(seed).standard_normal(n_samples) * level).astype(np.float32)


def sine(hz: float, seconds: float, sample_rate: int = RATE, *, level: float = 0.5) -> Samples:
    t = np.arange(round(seconds * sample_rate)) / sample_rate
    return (level * np.sin(2 * np.pi * hz * t)).astype(np.float32)


def cut(samples: NDArray[np.float32], points: list[int]) -> list[Samples]:
    """The samples split into blocks at `points`."""
    return np.split(samples, sorted(point % (samples.size + 1) for point in points))


def png_cover() -> Cover:
    return Cover("image/png", saved(halves(2, 2), "PNG"))


def measured(*blocks: Samples, sample_rate: int = RATE) -> Loudness:
    """The loudness of a stream of blocks."""
    meter = LoudnessMeter(sample_rate)
    for block in blocks:
        meter.add(block)
    return meter.measured()
