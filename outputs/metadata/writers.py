"""Tags, cover and chapters into a finished file, by mutagen. Knows containers, not audio."""

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
from audiomill.outputs.formats import TagStyle
from audiomill.outputs.metadata.chapters import Mark, milliseconds
from audiomill.outputs.metadata.mp3 import chapter_frames, tag_frames, write_info_frame
from audiomill.outputs.metadata.tags import Tags

_AUDIOBOOK = 2  # iTunes' media kind
_AAC_FRAME = 1024  # samples; an encoder starts with one frame of priming
_FREEFORM = "----:com.apple.iTunes:"
_FRONT_COVER = 3


@dataclass(frozen=True, slots=True)
class Labels:
    """Everything that a file holds besides its audio; marks are in samples of `sample_rate`."""

    tags: Tags
    marks: Sequence[Mark]
    sample_rate: int
    n_samples: int
    cover: Cover | None = None


def tag(path: Path, style: TagStyle, labels: Labels) -> None:
    """Write the labels into the file. Raises OSError or mutagen.MutagenError."""
    _WRITERS[style](path, labels)


def _tag_id3(path: Path, labels: Labels) -> None:
    write_info_frame(path, labels.sample_rate, labels.n_samples)  # while no tag stands before it
    id3: Any = mutagen.id3.ID3()
    for frame in tag_frames(labels.tags, labels.cover):
        id3.add(frame)
    id3.update_to_v23()
    chapters = b"".join(chapter_frames(labels.marks, labels.sample_rate))

    def room(_info: Any) -> int:
        return len(chapters)

    id3.save(path, v1=0, v2_version=3, padding=room)
    with path.open("r+b") as file:  # mutagen would sort them: they go where it left room
        file.seek(_id3_size(file.read(10)) - len(chapters))
        file.write(chapters)


def _id3_size(header: bytes) -> int:
    """Bytes of a whole ID3 tag by its header, which has seven bits of the size in each byte."""
    return len(header) + sum(byte << 7 * i for i, byte in enumerate(reversed(header[6:10])))


def _tag_mp4(path: Path, labels: Labels) -> None:
    """Chapters are there already: ffmpeg writes the QuickTime track and the Nero list."""
    file: Any = mutagen.mp4.MP4(path)
    if file.tags is None:
        file.add_tags()
    file.update({name: [value] for name, value in _mp4_texts(labels.tags).items() if value})
    file.update(
        {
            _FREEFORM + name: [mutagen.mp4.MP4FreeForm(value.encode())]
            for name, value in _extra_texts(labels.tags).items()
            if value
        }
    )
    if labels.tags.track:
        file["trkn"] = [(labels.tags.track, labels.tags.n_tracks)]
    file[_FREEFORM + "iTunSMPB"] = [mutagen.mp4.MP4FreeForm(_gapless(labels.n_samples))]
    file["stik"] = [_AUDIOBOOK]
    file["pgap"] = True
    if labels.cover is not None:
        png = labels.cover.media_type == "image/png"
        kind = mutagen.mp4.MP4Cover.FORMAT_PNG if png else mutagen.mp4.MP4Cover.FORMAT_JPEG
        file["covr"] = [mutagen.mp4.MP4Cover(labels.cover.data, kind)]
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
    """What Apple's players cut: priming, padding, and the samples between. The edit list agrees."""
    padding = -(_AAC_FRAME + n_samples) % _AAC_FRAME
    return f" 00000000 {_AAC_FRAME:08X} {padding:08X} {n_samples:016X}{' 00000000' * 8}".encode()


def _extra_texts(tags: Tags) -> dict[str, str]:
    """Fields that MP4 has no atom for, under the names that audiobook servers read."""
    return {
        "NARRATOR": tags.narrator,
        "PUBLISHER": tags.publisher,
        "LANGUAGE": tags.language,
        "SERIES": tags.series,
        "SERIES-PART": tags.series_part,
        "IDENTIFIER": tags.identifier,
    }


def _tag_flac(path: Path, labels: Labels) -> None:
    file: Any = mutagen.flac.FLAC(path)
    file.update(_vorbis_comments(labels))
    if labels.cover is not None:
        file.add_picture(_picture(labels.cover))
    file.save()


def _tag_opus(path: Path, labels: Labels) -> None:
    file: Any = mutagen.oggopus.OggOpus(path)
    file.update(_vorbis_comments(labels))
    if labels.cover is not None:
        picture = base64.b64encode(_picture(labels.cover).write()).decode()
        file["METADATA_BLOCK_PICTURE"] = picture
    file.save()


def _vorbis_comments(labels: Labels) -> dict[str, list[str]]:
    tags = labels.tags
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
    for number, mark in enumerate(labels.marks):
        texts[f"CHAPTER{number:03d}"] = _clock(milliseconds(mark.start, labels.sample_rate))
        texts[f"CHAPTER{number:03d}NAME"] = mark.title
    return {name: [value] for name, value in texts.items() if value}


def _clock(total_ms: int) -> str:
    seconds, ms = divmod(total_ms, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{ms:03d}"


def _picture(cover: Cover) -> mutagen.flac.Picture:
    picture = mutagen.flac.Picture()
    picture.type, picture.mime, picture.data = _FRONT_COVER, cover.media_type, cover.data
    return picture


_WRITERS: dict[TagStyle, Callable[[Path, Labels], None]] = {
    TagStyle.MP4: _tag_mp4,
    TagStyle.ID3: _tag_id3,
    TagStyle.FLAC: _tag_flac,
    TagStyle.OPUS: _tag_opus,
}
