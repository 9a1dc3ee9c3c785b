"""Choices of users instead of a profile's values: settings `[delivery]` and `[mastering]`."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from audiomill.outputs.delivery.profiles import (
    Delivery,
    Ends,
    Mastering,
    Profile,
    RoomTone,
    Sidecar,
)
from audiomill.outputs.formats.format import SAMPLE_RATES, BitRateMode, Encoding

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
