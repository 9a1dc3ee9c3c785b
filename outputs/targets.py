"""What a finished book aims at: its level, the quiet around it, and the files beside it. Pure data.

Profiles (`checking/profiles.py`) choose it, with the user's settings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Sidecar: TypeAlias = Literal["cover.jpg", "metadata.json", "metadata.opf", "desc.txt", "reader.txt"]
SIDECARS: tuple[Sidecar, ...] = get_args(Sidecar)


@dataclass(frozen=True, slots=True)
class Mastering:
    """The loudness and peak targets of a finished book. Field names are part of a fingerprint."""

    target_lufs: float = -19.0  # of the file; mono at -19 sounds as loud as stereo at -16
    ceiling_dbtp: float = -1.5  # of the true peaks in the encoded file
    target_rms_db: float | None = None  # of a whole file with its pauses, instead of `target_lufs`
    per_file: bool = False  # each file has a gain of its own, not one for the book


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
