"""Writes tags, cover and chapters into a finished file with mutagen."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mutagen.flac
import mutagen.id3
import mutagen.mp4
import mutagen.oggopus

from audiomill.inputs.book import Cover
from audiomill.outputs.formats import AAC_FRAME, TagStyle
from audiomill.outputs.metadata.chapters import Mark, held_marks, milliseconds
from audiomill.outputs.metadata.mp3 import chapter_frames, tag_frames, write_info_frame
from audiomill.outputs.metadata.tags import Tags

_AUDIOBOOK = 2  # iTunes' media kind
_FREEFORM = "----:com.apple.iTunes:"  # prefix of atoms with any name
_FRONT_COVER = 3  # picture type


@dataclass(frozen=True, slots=True)
class EmbeddedMetadata:
    """Everything in a file besides its audio. Marks are in samples at `sample_rate`."""

    tags: Tags
    marks: Sequence[Mark]
    sample_rate: int
    n_samples: int
    cover: Cover | None = None


def tag(path: Path, style: TagStyle, metadata: EmbeddedMetadata) -> None:
    """Write the metadata into the file. Raises OSError or mutagen.MutagenError."""
    _WRITERS[style](path, metadata)


def _tag_id3(path: Path, metadata: EmbeddedMetadata) -> None:
    # First, because it expects a file without an ID3 tag.
    write_info_frame(path, metadata.sample_rate, metadata.n_samples)
    id3: Any = mutagen.id3.ID3()
    for frame in tag_frames(metadata.tags, metadata.cover):
        id3.add(frame)
    id3.update_to_v23()
    chapters = b"".join(chapter_frames(metadata.marks, metadata.sample_rate))

    def padding(_info: Any) -> int:
        return len(chapters)

    # mutagen would sort the chapters, so it only reserves space for them as padding.
    id3.save(path, v1=0, v2_version=3, padding=padding)
    with path.open("r+b") as file:
        file.seek(_id3_size(file.read(10)) - len(chapters))
        file.write(chapters)


def _id3_size(header: bytes) -> int:
    """The size in bytes of a whole ID3 tag. Its header stores seven bits of the size per byte."""
    return len(header) + sum(byte << 7 * i for i, byte in enumerate(reversed(header[6:10])))


def _tag_mp4(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an MP4 file. ffmpeg has already written the chapters: QuickTime track and Nero list."""
    file: Any = mutagen.mp4.MP4(path)
    if file.tags is None:
        file.add_tags()
    file.update({name: [value] for name, value in _mp4_texts(metadata.tags).items() if value})
    file.update(
        {
            _FREEFORM + name: [mutagen.mp4.MP4FreeForm(value.encode())]
            for name, value in _extra_texts(metadata.tags).items()
            if value
        }
    )
    if metadata.tags.track:
        file["trkn"] = [(metadata.tags.track, metadata.tags.n_tracks)]
    file[_FREEFORM + "iTunSMPB"] = [mutagen.mp4.MP4FreeForm(_gapless(metadata.n_samples))]
    file["stik"] = [_AUDIOBOOK]
    file["pgap"] = True
    if metadata.cover is not None:
        png = metadata.cover.media_type == "image/png"
        kind = mutagen.mp4.MP4Cover.FORMAT_PNG if png else mutagen.mp4.MP4Cover.FORMAT_JPEG
        file["covr"] = [mutagen.mp4.MP4Cover(metadata.cover.data, kind)]
    file.save()


def _mp4_texts(tags: Tags) -> dict[str, str]:
    return {
        "\xa9nam": tags.title,
        "\xa9alb": tags.album,
        "\xa9ART": tags.artist,
        "aART": tags.artist,
        "\xa9wrt": tags.narrator,
        "\xa9gen": tags.genre,
        "\xa9day": tags.date,
        "\xa9cmt": tags.description,
        "desc": tags.description,
        "ldes": tags.description,
    }


def _gapless(n_samples: int) -> bytes:
    """The value of iTunSMPB: priming, padding, and sample count, equal to those of the edit list.

    The priming is one frame.
    """
    padding = -(AAC_FRAME + n_samples) % AAC_FRAME
    return f" 00000000 {AAC_FRAME:08X} {padding:08X} {n_samples:016X}{' 00000000' * 8}".encode()


def _extra_texts(tags: Tags) -> dict[str, str]:
    """Fields without a standard MP4 atom, under the names that audiobook servers read."""
    return {
        "NARRATOR": tags.narrator,
        "PUBLISHER": tags.publisher,
        "LANGUAGE": tags.language,
        "SERIES": tags.series,
        "SERIES-PART": tags.series_part,
        "IDENTIFIER": tags.identifier,
    }


def _tag_flac(path: Path, metadata: EmbeddedMetadata) -> None:
    file: Any = mutagen.flac.FLAC(path)
    file.update(_vorbis_comments(metadata, TagStyle.FLAC))
    if metadata.cover is not None:
        file.add_picture(_picture(metadata.cover))
    file.save()


def _tag_opus(path: Path, metadata: EmbeddedMetadata) -> None:
    file: Any = mutagen.oggopus.OggOpus(path)
    file.update(_vorbis_comments(metadata, TagStyle.OPUS))
    if metadata.cover is not None:
        picture = base64.b64encode(_picture(metadata.cover).write()).decode()
        file["METADATA_BLOCK_PICTURE"] = picture
    file.save()


def _vorbis_comments(metadata: EmbeddedMetadata, style: TagStyle) -> dict[str, list[str]]:
    tags = metadata.tags
    texts = {
        "TITLE": tags.title,
        "ALBUM": tags.album,
        "ARTIST": tags.artist,
        "ALBUMARTIST": tags.artist,
        "COMPOSER": tags.narrator,
        "GENRE": tags.genre,
        "DATE": tags.date,
        "DESCRIPTION": tags.description,
        "TRACKNUMBER": str(tags.track or ""),
        "TRACKTOTAL": str(tags.n_tracks or ""),
        **_extra_texts(tags),
    }
    for number, mark in enumerate(held_marks(style, metadata.marks, metadata.sample_rate)):
        texts[f"CHAPTER{number:03d}"] = _clock(milliseconds(mark.start, metadata.sample_rate))
        texts[f"CHAPTER{number:03d}NAME"] = mark.title
    return {name: [value] for name, value in texts.items() if value}


def _clock(total_ms: int) -> str:
    """The time as HH:MM:SS.mmm."""
    seconds, ms = divmod(total_ms, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{ms:03d}"


def _picture(cover: Cover) -> mutagen.flac.Picture:
    picture = mutagen.flac.Picture()
    picture.type, picture.mime, picture.data = _FRONT_COVER, cover.media_type, cover.data
    return picture


_WRITERS: dict[TagStyle, Callable[[Path, EmbeddedMetadata], None]] = {
    TagStyle.MP4: _tag_mp4,
    TagStyle.ID3: _tag_id3,
    TagStyle.FLAC: _tag_flac,
    TagStyle.OPUS: _tag_opus,
}
