"""Profiles: what files are made for, and how they are cut, levelled, encoded and named. Pure.

A profile is a set of defaults. The settings `[delivery]` and `[mastering]` override each of its
fields. What a finished file has to be, so that its reader takes it: `requirements.py`.

Levels of one channel: the same sound in both channels of a stereo file measures 3 LU more (ITU-R
BS.1770-4 adds the powers of channels), so -19 LUFS in mono sounds as loud as -16 in stereo.

Sources: ACX's submission requirements (RMS -23 to -18 dB, peaks below -3 dB, noise floor below
-60 dB, 44.1 kHz, 192 kbps or more at a constant rate, 0.5 to 1 s before and 1 to 5 s after, 120
minutes at most, square cover of 2400 pixels); Apple's requirements for podcasts (-16 LUFS within
1 LU, -1 dBTP; artwork of 1400 to 3000 pixels); Audiobookshelf's scanner for sidecars.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from audiomill.outputs.formats.flac import FLAC
from audiomill.outputs.formats.format import SAMPLE_RATES, BitRateMode, Encoding
from audiomill.outputs.formats.mp3 import MP3
from audiomill.outputs.formats.mp4 import M4B
from audiomill.outputs.formats.registry import READALONGS
from audiomill.outputs.targets import Ends, Mastering, RoomTone, Sidecar


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
        # As loud and as finely encoded as the default, so a finished book is not encoded again.
        Profile(
            "readalong",
            "to read along: the book with its sound, each sentence marked while it is heard",
            formats=(M4B.name, *READALONGS),
            split=False,
            mastering=Mastering(),
            delivery=Delivery("readalong"),
        ),
    )
}


STEREO_LU = 3.0  # the same sound in two channels has twice the power
Row = TypeVar("Row", Encoding, Ends, Delivery, Mastering)

# The lowest and the highest value of each number.
BOUNDS = {
    "target_lufs": (-40.0, -6.0),
    "target_rms_db": (-40.0, -6.0),
    "ceiling_dbtp": (-20.0, 0.0),
    "channels": (1, 2),
    "bit_rate_kbps": (8, 512),
    "head_s": (0.0, 60.0),
    "tail_s": (0.0, 60.0),
    "room_tone_db": (-90.0, -40.0),
    "cover_px": (1, 10_000),
    "max_file_s": (0.0, 360_000.0),
    "sample_s": (0.0, 3600.0),
}


@dataclass(frozen=True, slots=True)
class MasteringChoices:
    """Each field as in `Mastering`; None: as the profile says."""

    target_lufs: float | None = None
    target_rms_db: float | None = None
    ceiling_dbtp: float | None = None
    per_file: bool | None = None


@dataclass(frozen=True, slots=True)
class DeliveryChoices:
    """Each field as in `Delivery` and its parts; None: as the profile says."""

    sample_rate: int | None = None  # Hz; the voice's own if neither says
    channels: int | None = None
    bit_rate_kbps: int | None = None
    bit_rate_mode: BitRateMode | None = None
    joint_stereo: bool | None = None
    head_s: float | None = None
    tail_s: float | None = None
    room_tone: bool | None = None
    room_tone_db: float | None = None
    sidecars: tuple[Sidecar, ...] | None = None
    credits_apart: bool | None = None
    cue_sheet: bool | None = None
    cover_px: int | None = None
    square_cover: bool | None = None
    max_file_s: float | None = None
    sample_s: float | None = None


def check_bounds(choices: MasteringChoices | DeliveryChoices) -> None:
    """Raise ValueError, with what could be chosen, if there is no such choice."""
    if isinstance(choices, MasteringChoices):
        if choices.target_lufs is not None and choices.target_rms_db is not None:
            raise ValueError("target_lufs and target_rms_db are both given; choose one of them")
    elif choices.sample_rate not in (None, *SAMPLE_RATES):
        rates = ", ".join(map(str, SAMPLE_RATES))
        raise ValueError(f"sample_rate is {choices.sample_rate}; choose one of {rates}")
    for one in fields(choices):
        value = getattr(choices, one.name)
        if value is None or one.name not in BOUNDS:
            continue
        lowest, highest = BOUNDS[one.name]
        if not math.isfinite(value) or not lowest <= value <= highest:
            raise ValueError(f"{one.name} is {value:g}; choose {lowest:g} to {highest:g}")


def mastering_of(
    profile: Profile, choices: MasteringChoices, channels: int | None = None
) -> Mastering:
    """The profile's levels, with the user's. A loudness replaces a profile's RMS.

    `channels` are what the user chose. A profile's loudness in two channels where it has one is 3
    LU higher, and so sounds the same; a loudness that the user chose is that of the file.
    """
    mastering = profile.mastering
    if (channels or 0) > profile.delivery.encoding.channels:
        mastering = replace(mastering, target_lufs=mastering.target_lufs + STEREO_LU)
    if choices.target_lufs is not None:
        mastering = replace(mastering, target_rms_db=None)
    return _with_chosen(mastering, choices)


def delivery_of(profile: Profile, choices: DeliveryChoices) -> Delivery:
    """The profile's delivery, with what the user chose."""
    delivery = profile.delivery
    chosen = replace(
        delivery,
        encoding=_with_chosen(delivery.encoding, choices),
        ends=_with_chosen(delivery.ends, choices),
        room_tone=_room_tone(delivery.room_tone, choices),
    )
    names = (
        *("sidecars", "credits_apart", "cue_sheet", "cover_px", "square_cover"),
        *("max_file_s", "sample_s"),
    )
    return replace(chosen, **_chosen(choices, names))


def _room_tone(tone: RoomTone | None, choices: DeliveryChoices) -> RoomTone | None:
    if choices.room_tone is False:
        return None
    if choices.room_tone_db is not None:  # as chosen, however noisy the voice is
        return RoomTone(choices.room_tone_db, choices.room_tone_db)
    if choices.room_tone and tone is None:
        return RoomTone(level_db=-68.0, highest_db=-63.0)
    return tone


def _with_chosen(row: Row, choices: MasteringChoices | DeliveryChoices) -> Row:
    """The row with those of its fields that were chosen."""
    return replace(row, **_chosen(choices, [one.name for one in fields(row)]))


def _chosen(
    choices: MasteringChoices | DeliveryChoices, names: list[str] | tuple[str, ...]
) -> dict[str, Any]:
    values = {name: getattr(choices, name, None) for name in names}
    return {name: value for name, value in values.items() if value is not None}
