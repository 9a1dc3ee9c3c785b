"""FLAC metadata: Vorbis comments and a picture, by mutagen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mutagen.flac

from audiomill.outputs.formats import TagStyle
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.vorbis import picture_block, vorbis_comments


def tag_flac(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag a FLAC file. Raises OSError or mutagen.MutagenError."""
    file: Any = mutagen.flac.FLAC(path)
    file.update(vorbis_comments(metadata, TagStyle.FLAC))
    if metadata.cover is not None:
        file.add_picture(picture_block(metadata.cover))
    file.save()
