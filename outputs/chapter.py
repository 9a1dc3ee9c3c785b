"""What a finished chapter and a finished file are. Plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cue:
    """Where one segment sounds: samples [start, end) from the start of its chapter."""

    segment_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A finished file in the library."""

    path: Path
    format: str
    duration_s: float
    chapters: int
    sha256: str


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
