"""MP4 metadata: iTunes atoms and freeform atoms, by mutagen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mutagen.mp4

from audiomill.outputs.encoding.flv import AAC_FRAME
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.tags import texts_of

_AUDIOBOOK = 2  # iTunes' media kind
_FREEFORM = "----:com.apple.iTunes:"  # prefix of atoms with any name
# Those of iTunes, and of Audible for narrator and publisher. Some readers know only the freeform
# atom of these two.
_ATOMS = {
    "TITLE": ("\xa9nam",),
    "ALBUM": ("\xa9alb",),
    "ARTIST": ("\xa9ART",),
    "ALBUMARTIST": ("aART",),
    "COMPOSER": ("\xa9wrt",),
    "NARRATOR": ("\xa9nrt",),
    "GENRE": ("\xa9gen",),
    "DATE": ("\xa9day",),
    "DESCRIPTION": ("\xa9cmt", "desc", "ldes"),
    "COPYRIGHT": ("cprt",),
    "PUBLISHER": ("\xa9pub",),
    "GROUPING": ("\xa9grp",),
    "MOVEMENTNAME": ("\xa9mvn",),
    "ALBUMSORT": ("soal",),
    "TITLESORT": ("sonm",),
    "ARTISTSORT": ("soar",),
    "ALBUMARTISTSORT": ("soaa",),
    "TRACKNUMBER": (),  # trkn, of numbers
    "TRACKTOTAL": (),
    "DISCNUMBER": (),  # disk
    "DISCTOTAL": (),
}
_ONLY_ATOMS = _ATOMS.keys() - {"NARRATOR", "PUBLISHER"}


def tag_mp4(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an MP4 file. ffmpeg has already written the chapters: QuickTime track and Nero list."""
    file: Any = mutagen.mp4.MP4(path)
    if file.tags is None:
        file.add_tags()
    for name, text in texts_of(metadata.tags).items():
        _set(file, name, text)
    if metadata.tags.track:
        file["trkn"] = [(metadata.tags.track, metadata.tags.n_tracks)]
    if metadata.tags.disc:
        file["disk"] = [(metadata.tags.disc, metadata.tags.n_discs)]
    file[_FREEFORM + "iTunSMPB"] = [mutagen.mp4.MP4FreeForm(_gapless(metadata.n_samples))]
    file["stik"] = [_AUDIOBOOK]
    file["pgap"] = True
    if metadata.cover is not None:
        png = metadata.cover.media_type == "image/png"
        kind = mutagen.mp4.MP4Cover.FORMAT_PNG if png else mutagen.mp4.MP4Cover.FORMAT_JPEG
        file["covr"] = [mutagen.mp4.MP4Cover(metadata.cover.data, kind)]
    file.save()


def _set(file: Any, name: str, text: str) -> None:
    if name == "MOVEMENT":
        file["\xa9mvi"] = [int(text)]
        file["shwm"] = [1]  # players show the movement, which is the series
        return
    for atom in _ATOMS.get(name, ()):
        file[atom] = [text]
    if name not in _ONLY_ATOMS:
        file[_FREEFORM + name] = [mutagen.mp4.MP4FreeForm(text.encode())]


def _gapless(n_samples: int) -> bytes:
    """The value of iTunSMPB: priming, padding, and sample count, equal to those of the edit list.

    The priming is one frame.
    """
    padding = -(AAC_FRAME + n_samples) % AAC_FRAME
    return f" 00000000 {AAC_FRAME:08X} {padding:08X} {n_samples:016X}{' 00000000' * 8}".encode()
