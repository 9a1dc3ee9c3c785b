"""FLAC, lossless, with Vorbis comments, a picture and a seek table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.outputs.formats.format import Format, TagStyle, lossless_codec
from audiomill.outputs.formats.vorbis_marks import held_vorbis_marks

if TYPE_CHECKING:
    from audiomill.outputs.metadata.embedded import EmbeddedMetadata

LEAST_SAMPLES = 16  # of a block


def _write(path: Path, metadata: EmbeddedMetadata) -> None:
    from audiomill.outputs.metadata.flac import tag_flac

    tag_flac(path, metadata)


FLAC = Format(
    *("flac", ".flac", "flac"),
    TagStyle("FLAC", "Vorbis comments in FLAC", _write, held_vorbis_marks),
    *((("acodec", "flac"),), (("format", "flac"),), "audio/flac", lossless_codec),
    least_samples=LEAST_SAMPLES,
)
