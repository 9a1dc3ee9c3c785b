"""The levels that a finished recording is brought to. Plain data; `audio/mastering.py` does it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mastering:
    """The loudness and peak targets of a finished book. Field names are part of a fingerprint."""

    target_lufs: float = -19.0  # of the file; mono at -19 sounds as loud as stereo at -16
    ceiling_dbtp: float = -1.5  # of the true peaks in the encoded file
    target_rms_db: float | None = None  # of a whole file with its pauses, instead of `target_lufs`
    per_file: bool = False  # each file has a gain of its own, not one for the book
