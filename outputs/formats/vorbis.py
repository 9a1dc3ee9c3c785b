"""Vorbis comments, with chapters, and the picture block of FLAC: shared by FLAC and Opus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from audiomill.outputs.metadata.chapters import Mark, milliseconds, upper_marks

if TYPE_CHECKING:
    import mutagen.flac

    from audiomill.inputs.model.book import Cover
    from audiomill.outputs.metadata.tags import EmbeddedMetadata

MAX_VORBIS_MARKS = 1000  # CHAPTER000 to CHAPTER999; readers take CHAPTER1000 for CHAPTER100
MAX_VORBIS_START_S = 100 * 3600  # readers take two digits of hours
_FRONT_COVER = 3  # picture type


def held_vorbis_marks(marks: Sequence[Mark], sample_rate: int) -> Sequence[Mark]:
    """Of a book with more marks those of the upper levels, and of one level the first."""
    end = MAX_VORBIS_START_S * sample_rate
    upper = upper_marks(marks, MAX_VORBIS_MARKS)
    return [mark for mark in upper[:MAX_VORBIS_MARKS] if mark.start < end]


def vorbis_comments(metadata: EmbeddedMetadata) -> dict[str, list[str]]:
    """The comments of a file by name: tags, and the chapters that it can hold."""
    from audiomill.outputs.metadata.tags import texts_of

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
    import mutagen.flac

    from audiomill.inputs.metadata.images import colour_depth, identify

    picture = mutagen.flac.Picture()
    picture.type, picture.mime, picture.data = _FRONT_COVER, cover.media_type, cover.data
    picture.width, picture.height = identify(cover.data).size
    picture.depth, picture.colors = colour_depth(cover.data)
    return picture
