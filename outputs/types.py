"""Data types and errors of the output stage. Plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a player of sound needs the errors only, and would begin later
    import numpy as np
    from numpy.typing import NDArray

    from audiomill.renderers.takes.traits import ShardTraits


@dataclass(frozen=True, slots=True)
class Cue:
    """The position of one segment: samples [start, end) from the start of its chapter.

    A segment of several sentences has a cue for each piece that joining cuts it into. `origin` is
    where the shard's sample 0 would lie if all of the shard before the piece were there. So it may
    be below `start` and even below 0: time t of a piece is at `origin + t * sample_rate`.
    """

    segment_id: str
    start: int
    end: int
    origin: int = 0
    n_quiet_after: int = 0  # of its samples, at the end, in which no sound is heard


@dataclass(frozen=True, slots=True, eq=False)
class Loudness:
    """A loudness measurement that can be gated together with others.

    `block_powers` (float64, [n_blocks]) are the mean squares of the K-weighted 400 ms blocks, one
    block every 100 ms; of two channels, their sums. `sum_squares` is of all samples, unweighted; of
    two channels, the mean. `sample_peak` is linear, full scale 1.
    """

    block_powers: NDArray[np.float64]
    n_samples: int
    sum_squares: float = 0.0
    sample_peak: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredChapter:
    """A chapter that was joined and measured. Its samples are joined again when encoded."""

    title: str
    level: int  # depth in the table of contents, from 1
    n_samples: int
    sample_rate: int
    loudness: Loudness
    cues: tuple[Cue, ...]
    traits: tuple[ShardTraits | None, ...] = ()  # for each segment; None for a silent shard
    # When the last word of each segment begins and ends, in its shard; None where it is not known.
    last_words_s: tuple[tuple[float, float] | None, ...] = ()
    # Samples for music and for the ends of a file, before and after the chapter's own. A head that
    # is shorter than the chapter's own lead makes fewer of them.
    n_before: int = 0
    n_after: int = 0
    shards: str = ""  # the digest of its shards as they were measured; "" if that is not known


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A finished file in the library."""

    path: Path
    format: str
    duration_s: float
    chapters: int  # that are marked in it
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Measured loudness and true peak. `true_peak` is linear, full scale 1."""

    loudness: Loudness
    true_peak: float


@dataclass(frozen=True, slots=True, eq=False)
class EncodedRegion:
    """The packets of a part of a file, and its levels as it is encoded."""

    packets: bytes
    levels: Levels


@dataclass(frozen=True, slots=True, eq=False)
class FileLevels:
    """The levels of an encoded file, by its parts in order, and the gain that it got."""

    parts: tuple[Levels, ...]
    sample_rate: int  # at which the parts were measured
    gain_db: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class EncodedOutput:
    """The encoded files, one per format, and the levels of each as it was encoded."""

    files: tuple[OutputFile, ...]
    levels: tuple[FileLevels, ...]


class OutputError(Exception):
    """A file could not be written. The message names the file, the reason, and what to do.

    OutputError
    ├── EncoderMissing   no ffmpeg, or one without the codec
    │   └── NamedEncoderUnfit   the ffmpeg that the user names does not work
    ├── EncoderFailed    ffmpeg failed; its message is included
    ├── OutputTooLarge   more audio than the format can hold
    └── OutputUnwritable no permission, disk full, name not possible
        └── OutputOccupied   somebody else's file is there
    """


class EncoderMissing(OutputError):
    """No ffmpeg, or one without the codec."""


class NamedEncoderUnfit(EncoderMissing):
    """The ffmpeg that the user names does not work."""


class EncoderFailed(OutputError):
    """ffmpeg failed. Its message is included."""


class OutputTooLarge(OutputError):
    """More audio than the format can hold."""


class OutputUnwritable(OutputError):
    """No permission, disk full, name not possible."""


class OutputOccupied(OutputUnwritable):
    """A file that is not ours is there."""
