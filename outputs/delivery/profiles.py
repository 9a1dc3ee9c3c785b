"""Profiles: what files are made for, and how they are cut, levelled, encoded and named. Pure data.

A profile is a set of defaults: settings and options override each of its fields (`make_job.py`).
What a finished file has to be, so that its reader takes it, is in `requirements.py`.

Levels of one channel: the same sound in both channels of a stereo file measures 3 LU more (ITU-R
BS.1770-4 adds the powers of channels), so -19 LUFS in mono sounds as loud as -16 in stereo.

Sources: ACX's submission requirements (RMS -23 to -18 dB, peaks below -3 dB, noise floor below
-60 dB, 44.1 kHz, 192 kbps or more at a constant rate, 0.5 to 1 s before and 1 to 5 s after, 120
minutes at most, square cover of 2400 pixels); Apple's requirements for podcasts (-16 LUFS within
1 LU, -1 dBTP; artwork of 1400 to 3000 pixels); Audiobookshelf's scanner for sidecars.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from audiomill.outputs.formats.flac import FLAC
from audiomill.outputs.formats.format import Encoding
from audiomill.outputs.formats.mp3 import MP3
from audiomill.outputs.formats.mp4 import M4B

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


DEFAULT_PROFILE = "audiobookshelf"

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            "audiobookshelf",
            "a server of audiobooks: one M4B with chapters, and what it scans beside it",
            formats=(M4B.name,),
            split=False,
            mastering=Mastering(),
            delivery=Delivery(
                "audiobookshelf", sidecars=("cover.jpg", "metadata.json", "desc.txt")
            ),
        ),
        Profile(
            "acx",
            "Audible and its distributors: an MP3 of 192 kbps for each chapter, with room tone",
            formats=(MP3.name,),
            split=True,
            mastering=Mastering(ceiling_dbtp=-3.5, target_rms_db=-20.0, per_file=True),
            delivery=Delivery(
                "acx",
                encoding=Encoding(44_100, 1, 192, "cbr", joint_stereo=False),
                ends=Ends(head_s=0.75, tail_s=2.5),
                room_tone=RoomTone(level_db=-68.0, highest_db=-63.0),
                sidecars=("cover.jpg",),
                credits_apart=True,
                cover_px=2400,
                square_cover=True,
                # Less than is asked for: some readers count the samples that MP3 adds at both ends.
                max_file_s=7190.0,
                sample_s=295.0,
            ),
        ),
        Profile(
            "podcast",
            "an episode: an MP3 of 44.1 kHz that all players take",
            formats=(MP3.name,),
            split=False,
            mastering=Mastering(target_lufs=-19.0, ceiling_dbtp=-1.0, per_file=True),
            delivery=Delivery(
                "podcast",
                encoding=Encoding(44_100, 1, 96, "cbr"),
                cover_px=1400,
                square_cover=True,
            ),
        ),
        Profile(
            "apple",
            "Apple Books and iPhones: one M4B of 44.1 kHz with chapters",
            formats=(M4B.name,),
            split=False,
            mastering=Mastering(),
            delivery=Delivery(
                "apple", encoding=Encoding(44_100, 1, 64), cover_px=1400, square_cover=True
            ),
        ),
        Profile(
            "archive",
            "for later: one FLAC, without loss, and everything known about the book",
            formats=(FLAC.name,),
            split=False,
            mastering=Mastering(),
            delivery=Delivery(
                "archive",
                sidecars=("cover.jpg", "metadata.json", "metadata.opf", "desc.txt"),
            ),
        ),
    )
}
