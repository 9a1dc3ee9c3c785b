"""The names of what may be wrong with a segment's audio. Imports nothing slow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What may be wrong with a segment's audio."""

    SILENT = "silent"
    TOO_SHORT = "too short for its text"
    TOO_LONG = "too long for its text"
    CUT_OFF = "cut off at its end"
    HISS = "hiss instead of speech"
    REPEATED = "repeats itself"
    HOLE = "silence inside"
    CLIPPED = "clipped"
    TOO_LOUD = "louder than the others"
    TOO_QUIET = "quieter than the others"
    OFFSET = "off centre (DC)"
    CUT_ONSET = "begins in mid-sound"
    END_NOISE = "noise at its end"
    OTHER_WORDS = "other words than its text"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of one shard: `at` is its sample, and `words` say how large it is."""

    fault: Fault
    at: int
    words: str
