"""What a finished chapter and a finished file are. Plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Cue:
    """Where one segment sounds: samples [start, end) from the start of its chapter.

    `origin` is where the shard's own sample 0 would lie had its silence not been trimmed (so it
    may be below `start`, even below 0): time t inside a shard sounds at `origin + t * sample_rate`.
    """

    segment_id: str
    start: int
    end: int
    origin: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Loudness:
    """What a meter remembers of a stretch of audio: enough to gate any number of them together.

    `block_powers` (float64, [n_blocks]) are the mean squares of the K-weighted 400 ms blocks, one
    each 100 ms.
    """

    block_powers: NDArray[np.float64]
    n_samples: int


@dataclass(frozen=True, slots=True, eq=False)
class MasteredChapter:
    """A chapter joined, counted and measured. Its samples are made again when it is encoded."""

    title: str
    level: int  # depth in the table of contents, from 1
    n_samples: int
    sample_rate: int
    loudness: Loudness
    cues: tuple[Cue, ...]


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A finished file in the library."""

    path: Path
    format: str
    duration_s: float
    chapters: int
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """How a stretch of audio measured. `true_peak` is linear, full scale 1."""

    loudness: Loudness
    true_peak: float


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """A recording in all its formats, and how what the encoders were given measured."""

    files: tuple[OutputFile, ...]
    levels: tuple[Levels, ...]


class OutputError(Exception):
    """A file could not be written. The message says which, why, and what to do.

    OutputError
    ├── EncoderMissing   no ffmpeg, or one without the codec
    ├── EncoderFailed    ffmpeg's own words are in the message
    └── OutputUnwritable no permission, disk full, name not possible
    """


class EncoderMissing(OutputError):
    """No ffmpeg, or one without the codec."""


class EncoderFailed(OutputError):
    """ffmpeg gave up; its own words are in the message."""


class OutputUnwritable(OutputError):
    """No permission, disk full, name not possible."""
