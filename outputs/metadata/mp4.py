"""MP4 metadata: iTunes atoms and freeform atoms, by mutagen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mutagen.mp4

from audiomill.outputs.formats import AAC_FRAME
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.tags import Tags, extra_texts

_AUDIOBOOK = 2  # iTunes' media kind
_FREEFORM = "----:com.apple.iTunes:"  # prefix of atoms with any name


def tag_mp4(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an MP4 file. ffmpeg has already written the chapters: QuickTime track and Nero list."""
    file: Any = mutagen.mp4.MP4(path)
    if file.tags is None:
        file.add_tags()
    file.update({name: [value] for name, value in _mp4_texts(metadata.tags).items() if value})
    file.update(
        {
            _FREEFORM + name: [mutagen.mp4.MP4FreeForm(value.encode())]
            for name, value in extra_texts(metadata.tags).items()
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
