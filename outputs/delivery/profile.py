"""What files are made for: a profile says how they are cut, levelled, encoded and named. Pure data.

A profile is a set of defaults: settings and options override each of its fields (`make_job.py`).
What a finished file has to be, so that its reader takes it, is in `requirements.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from audiomill.outputs.delivery.levels import Mastering

BitRateMode: TypeAlias = Literal["cbr", "vbr"]
Sidecar: TypeAlias = Literal["cover.jpg", "metadata.json", "metadata.opf", "desc.txt", "reader.txt"]
SIDECARS: tuple[Sidecar, ...] = get_args(Sidecar)
# In Hz, of files: those that MP3 and AAC have.
SAMPLE_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the audio of a file is encoded. Field names are part of a fingerprint."""

    sample_rate: int | None = None  # Hz; None: the voice's own
    channels: int = 1  # 2: the same sound in both
    bit_rate_kbps: int | None = None  # None: the format's own
    bit_rate_mode: BitRateMode | None = None  # None: the format's own
    joint_stereo: bool = True  # an MP3 of two channels may store their sum and their difference


@dataclass(frozen=True, slots=True)
class RoomTone:
    """Quiet noise where there would be digital silence. Field names are part of a fingerprint."""

    level_db: float  # RMS below full scale, in the finished file, where the voice has none itself
    highest_db: float  # however noisy the voice is


@dataclass(frozen=True, slots=True)
class Ends:
    """The quiet at both ends of a file. None: as the pauses say."""

    head_s: float | None = None
    tail_s: float | None = None

    @property
    def quiet_s(self) -> float:
        """How much of a file's length they are for sure."""
        return (self.head_s or 0.0) + (self.tail_s or 0.0)


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the files of one book are delivered: a profile's choices, with the user's."""

    profile: str = "audiobookshelf"
    encoding: Encoding = field(default_factory=Encoding)
    ends: Ends = field(default_factory=Ends)
    room_tone: RoomTone | None = None  # None: digital silence
    sidecars: tuple[Sidecar, ...] = ()  # files beside the audio
    credits_apart: bool = False  # opening and closing credits have files of their own
    cue_sheet: bool = False  # beside a file of the whole book
    cover_px: int | None = None  # the least side of a square cover; None: as the book has it
    max_file_s: float = 0.0  # of a file of a split book; 0: as long as the chapter is
    sample_s: float = 0.0  # of a retail sample beside the files; 0: none
    square_cover: bool = False  # a cover that is not square is padded with stripes


@dataclass(frozen=True, slots=True)
class Profile:
    """A purpose of files, by name."""

    name: str  # the value of `--for`
    purpose: str  # one line for people
    formats: tuple[str, ...]
    split: bool  # a file for each chapter
    mastering: Mastering
    delivery: Delivery
