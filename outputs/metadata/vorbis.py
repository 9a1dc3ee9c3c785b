"""Vorbis comments, with chapters, and the picture block of FLAC: shared by FLAC and Opus."""

from __future__ import annotations

import mutagen.flac

from audiomill.inputs.book import Cover
from audiomill.inputs.images import colour_depth, identify
from audiomill.outputs.formats.vorbis_marks import held_vorbis_marks
from audiomill.outputs.metadata.chapters import milliseconds
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.tags import texts_of

_FRONT_COVER = 3  # picture type


def vorbis_comments(metadata: EmbeddedMetadata) -> dict[str, list[str]]:
    """The comments of a file by name: tags, and the chapters that it can hold."""
    texts = texts_of(metadata.tags)
    for number, mark in enumerate(held_vorbis_marks(metadata.marks, metadata.sample_rate)):
        texts[f"CHAPTER{number:03d}"] = _clock(milliseconds(mark.start, metadata.sample_rate))
        texts[f"CHAPTER{number:03d}NAME"] = mark.title
    comments = {name: [value] for name, value in texts.items()}
    return comments | {"GENRE": [*metadata.tags.genres]} if metadata.tags.genres else comments


def _clock(total_ms: int) -> str:
    """The time as HH:MM:SS.mmm."""
    seconds, ms = divmod(total_ms, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{ms:03d}"


def picture_block(cover: Cover) -> mutagen.flac.Picture:
    """The cover as FLAC's picture block, which Opus holds as a comment."""
    picture = mutagen.flac.Picture()
    picture.type, picture.mime, picture.data = _FRONT_COVER, cover.media_type, cover.data
    picture.width, picture.height = identify(cover.data).size
    picture.depth, picture.colors = colour_depth(cover.data)
    return picture
