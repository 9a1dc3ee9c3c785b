"""The levels that a finished recording is brought to. Plain data; `audio/mastering.py` does it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mastering:
    """The loudness and peak targets of a finished book. Field names are part of a fingerprint."""

    target_lufs: float = -19.0  # mono; sounds as loud as stereo at -16
    ceiling_dbtp: float = -1.5  # lossy coding adds 0.1 dB as AAC, up to 0.7 dB as MP3
    makeup_gain: bool = False  # as much more as the limiter takes, for loud targets
    target_rms_db: float | None = None  # of a whole file with its pauses, instead of `target_lufs`
    per_file: bool = False  # each file has a gain of its own, not one for the book
