"""The chapters that Vorbis comments have room for, in FLAC and in Ogg."""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.outputs.metadata.chapters import Mark, upper_marks

MAX_VORBIS_MARKS = 1000  # CHAPTER000 to CHAPTER999; readers take CHAPTER1000 for CHAPTER100
MAX_VORBIS_START_S = 100 * 3600  # readers take two digits of hours


def held_vorbis_marks(marks: Sequence[Mark], sample_rate: int) -> Sequence[Mark]:
    """Of a book with more marks those of the upper levels, and of one level the first."""
    end = MAX_VORBIS_START_S * sample_rate
    upper = upper_marks(marks, MAX_VORBIS_MARKS)
    return [mark for mark in upper[:MAX_VORBIS_MARKS] if mark.start < end]
