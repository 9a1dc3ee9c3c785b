"""What goes into an engine and what comes out. Plain frozen data; knows no engine and no store.

Request ─▶ Batch ─▶ Rendered ─▶ AudioShard
(one segment)   (of like length)   (samples)   (samples at rest, found by key)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]  # mono, shape [n_samples], full scale is ±1


@dataclass(frozen=True, slots=True)
class WordTiming:
    """When a word of the spoken text sounds: characters [start, end) of `Request.spoken`."""

    start: int
    end: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Remark:
    """What became of characters [start, end) of `Request.spoken` that could not simply be said."""

    start: int
    end: int
    words: str  # "spelled out", "left out"


@dataclass(frozen=True, slots=True)
class Request:
    """All that decides the sound of one segment. `key` is the hash of the rest; see `keys.py`."""

    key: str
    spoken: str
    voice: str
    speed: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests of like length that an engine renders together. Never empty."""

    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """A run of batches that one task renders: ten minutes of audio or more. Never empty."""

    index: int
    batches: tuple[Batch, ...]
    estimated_s: float  # of audio


@dataclass(frozen=True, slots=True)
class Rendered:
    """One request's audio, fresh from the engine."""

    samples: Samples
    timings: tuple[WordTiming, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class AudioShard:
    """One segment's audio at rest, without the samples themselves."""

    key: str
    n_samples: int
    sample_rate: int
    timings: tuple[WordTiming, ...] = ()
    remarks: tuple[Remark, ...] = ()


class RenderError(Exception):
    """Rendering failed. The message says what is wrong and what to do.

    RenderError
    ├── UnknownEngine   no engine of that name
    ├── UnknownVoice    the engine has no such voice or language
    ├── EngineMissing   the engine's library or weights are not installed
    ├── WeightsUnfit    weights are there, but damaged, partial or of another model
    └── EngineFailed    the engine ran and broke, or returned what cannot be right
    """


class UnknownEngine(RenderError):
    """No engine of that name."""


class UnknownVoice(RenderError):
    """The engine has no such voice or language."""


class EngineMissing(RenderError):
    """The engine's library or weights are not installed."""


class WeightsUnfit(RenderError):
    """Weights are there, but damaged, partial or of another model."""


class EngineFailed(RenderError):
    """The engine ran and broke, or returned what cannot be right."""


class StoreError(Exception):
    """The shard store cannot keep audio (disk full, no permission, bucket gone)."""
