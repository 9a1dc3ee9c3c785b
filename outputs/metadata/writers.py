"""Writes tags, cover and chapters into a finished file. Each container has a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audiomill.outputs.formats import TagStyle
from audiomill.outputs.metadata.aiff import tag_aiff
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.flac import tag_flac
from audiomill.outputs.metadata.mp3 import tag_mp3
from audiomill.outputs.metadata.mp4 import tag_mp4
from audiomill.outputs.metadata.opus import tag_opus
from audiomill.outputs.metadata.wav import tag_wav


def tag(path: Path, style: TagStyle, metadata: EmbeddedMetadata) -> None:
    """Write the metadata into the file. Raises OSError or mutagen.MutagenError."""
    _WRITERS[style](path, metadata)


_WRITERS: dict[TagStyle, Callable[[Path, EmbeddedMetadata], None]] = {
    TagStyle.MP4: tag_mp4,
    TagStyle.ID3: tag_mp3,
    TagStyle.FLAC: tag_flac,
    TagStyle.OPUS: tag_opus,
    TagStyle.WAV: tag_wav,
    TagStyle.AIFF: tag_aiff,
}
