"""Opus metadata: Vorbis comments in Ogg, by mutagen."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import mutagen.oggopus

from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.vorbis import picture_block, vorbis_comments


def tag_opus(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an Opus file. Raises OSError or mutagen.MutagenError."""
    file: Any = mutagen.oggopus.OggOpus(path)
    file.update(vorbis_comments(metadata))
    if metadata.cover is not None:
        picture = base64.b64encode(picture_block(metadata.cover).write()).decode()
        file["METADATA_BLOCK_PICTURE"] = picture
    file.save()
