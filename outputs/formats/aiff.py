"""AIFF of 16 bits, with markers, and an ID3 chunk that has the chapters again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.outputs.formats.format import Format, TagStyle, lossless_codec
from audiomill.outputs.metadata.chapters import Mark

if TYPE_CHECKING:
    from audiomill.outputs.metadata.embedded import EmbeddedMetadata

MAX_AIFF_MARKS = 0x7FFF  # their numbers are positive 16-bit integers


def held_aiff_marks(marks: Sequence[Mark], _sample_rate: int) -> Sequence[Mark]:
    """The first marks, as many as there are numbers."""
    return marks[:MAX_AIFF_MARKS]


def _write(path: Path, metadata: EmbeddedMetadata) -> None:
    from audiomill.outputs.metadata.aiff import tag_aiff

    tag_aiff(path, metadata)


def _check_size(path: Path, metadata: EmbeddedMetadata, n_channels: int) -> None:
    from audiomill.outputs.metadata.aiff import aiff_bytes
    from audiomill.outputs.metadata.iff import HEAD_BYTES, MAX_SIZE
    from audiomill.outputs.types import OutputTooLarge

    if aiff_bytes(metadata, n_channels) > MAX_SIZE + HEAD_BYTES:
        hours = metadata.n_samples / metadata.sample_rate / 3600
        raise OutputTooLarge(
            f"{path.name}: {hours:.1f} hours of sound need more than the 4 GiB that an AIFF"
            " file can hold. Choose flac or wav, or a file for each chapter."
        )


AIFF = Format(
    *("aiff", ".aiff", "pcm_s16be"),
    TagStyle("AIFF", "chunks of AIFF", _write, held_aiff_marks, check_size=_check_size),
    *((("acodec", "pcm_s16be"),), (("format", "aiff"),), "audio/aiff", lossless_codec),
    cue_type="AIFF",
)
