"""AIFF of 16 bits: chapters as a MARK chunk, tags and cover as an ID3 chunk, both after the sound.

Source: "Audio Interchange File Format, version 1.3" (Apple, 1989). The ID3 chunk is a convention of
players. It holds the chapters again, because FFmpeg and what is built on it read no MARK chunk.
Titles in MARK are UTF-8: the format names no encoding.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.outputs.formats.format import Format, IntegrityChecks, TagStyle, lossless_codec
from audiomill.outputs.formats.iff import (
    HEAD_BYTES,
    MAX_SIZE,
    chunk,
    chunks_until,
    missing_bytes,
    padded,
)
from audiomill.outputs.metadata.chapters import Mark

if TYPE_CHECKING:
    from audiomill.outputs.metadata.tags import EmbeddedMetadata

MAX_AIFF_MARKS = 0x7FFF  # their numbers are positive 16-bit integers
_SOUND = b"SSND"
_MAX_STRING = 255  # bytes of a Pascal string, which begins with its length in one byte
_FIXED_BYTES = 54  # of the file, the chunk COMM, and the head of the sound


def held_aiff_marks(marks: Sequence[Mark], _sample_rate: int) -> Sequence[Mark]:
    """The first marks, as many as there are numbers."""
    return marks[:MAX_AIFF_MARKS]


def _check_size(path: Path, metadata: EmbeddedMetadata, n_channels: int) -> None:
    from audiomill.outputs.types import OutputTooLarge

    if aiff_bytes(metadata, n_channels) > MAX_SIZE + HEAD_BYTES:
        hours = metadata.n_samples / metadata.sample_rate / 3600
        raise OutputTooLarge(
            f"{path.name}: {hours:.1f} hours of sound need more than the 4 GiB that an AIFF"
            " file can hold. Choose flac or wav, or a file for each chapter."
        )


def tag_aiff(path: Path, metadata: EmbeddedMetadata) -> None:
    """Replace all chunks after the sound of an AIFF file. Raises OSError or mutagen.MutagenError.

    Raises OverflowError if the file is longer than `aiff_bytes` may be.
    """
    with path.open("r+b") as file:
        sound = chunks_until(file, _SOUND, "big")[_SOUND]
        file.seek(sound.start + sound.size + sound.size % 2)
        file.truncate()
        file.write(_added(metadata))
        n_bytes = file.seek(0, os.SEEK_END)
        file.seek(4)
        file.write((n_bytes - HEAD_BYTES).to_bytes(4))


def aiff_bytes(metadata: EmbeddedMetadata, n_channels: int = 1) -> int:
    """The size of the finished file in bytes, which must be at most MAX_SIZE + HEAD_BYTES."""
    return _FIXED_BYTES + 2 * n_channels * metadata.n_samples + len(_added(metadata))


def _added(metadata: EmbeddedMetadata) -> bytes:
    from audiomill.outputs.formats.id3 import tag_bytes

    marks = held_aiff_marks(metadata.marks, metadata.sample_rate)
    tag = chunk(b"ID3 ", tag_bytes(metadata, chapters=True), "big")
    return _markers(marks) + tag if marks else tag


def _markers(marks: Sequence[Mark]) -> bytes:
    """MARK: each marker has a number above 0, a position in samples, and a name."""
    markers = (
        struct.pack(">HI", number, mark.start) + _pascal_string(mark.title)
        for number, mark in enumerate(marks, start=1)
    )
    return chunk(b"MARK", struct.pack(">H", len(marks)) + b"".join(markers), "big")


def _pascal_string(text: str) -> bytes:
    """The text after its length, cut to 255 bytes, and padded to an even number with both."""
    data = text.encode()[:_MAX_STRING].decode(errors="ignore").encode()
    return padded(bytes([len(data)]) + data)


def _missing_bytes(path: Path) -> int:
    return missing_bytes(path, _SOUND, "big")


AIFF = Format(
    *("aiff", ".aiff", "pcm_s16be"),
    TagStyle("AIFF", "chunks of AIFF", tag_aiff, held_aiff_marks, check_size=_check_size),
    *((("acodec", "pcm_s16be"),), (("format", "aiff"),), "audio/aiff", lossless_codec),
    container="aiff",
    codec="pcm",
    integrity=IntegrityChecks(missing_bytes=_missing_bytes),
    cue_type="AIFF",
)
