"""The cover of a file: the one embedded in it, or else the one beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mutagen
from mutagen.flac import Picture as FlacPicture
from mutagen.id3 import ID3

from audiomill.inputs.metadata.images import Picture, UnusableImage, identify

# What shelves and shops take for the cover of a folder.
BESIDE = tuple(f"{name}{end}" for name in ("cover", "folder") for end in (".jpg", ".jpeg", ".png"))
MAX_BYTES = 50_000_000


def cover_of(path: Path) -> Picture | str | None:
    """The embedded cover; what is wrong with it, in words; or None, if there is none."""
    data = _embedded(path)
    return None if data is None else _identified(data)


def cover_beside(folder: Path) -> Picture | str | None:
    """The same of the picture that a folder has for all its files."""
    by_name = {one.name.lower(): one for one in sorted(folder.iterdir()) if one.is_file()}
    for name in BESIDE:
        if name in by_name:
            with by_name[name].open("rb") as file:
                return _identified(file.read(MAX_BYTES))
    return None


def _identified(data: bytes) -> Picture | str:
    try:
        return identify(data)
    except UnusableImage as error:
        return str(error)


def _embedded(path: Path) -> bytes | None:
    try:
        file = mutagen.File(path)  # pyright: ignore[reportPrivateImportUsage]
    # What mutagen raises of damaged tags besides its own error.
    except (mutagen.MutagenError, ValueError, KeyError, OSError):  # pyright: ignore[reportPrivateImportUsage]
        return None
    return next(_pictures(file), None) if file is not None else None


def _pictures(file: Any) -> Iterator[bytes]:
    """The pictures in the tags of any format."""
    tags: Any = file.tags
    yield from (picture.data for picture in getattr(file, "pictures", ()))
    if isinstance(tags, ID3):
        yield from (frame.data for frame in tags.getall("APIC"))
    elif tags is not None:
        yield from map(bytes, tags.get("covr", ()))
        for text in tags.get("metadata_block_picture", ()):
            try:
                yield FlacPicture(base64.b64decode(text)).data
            except (ValueError, mutagen.MutagenError):  # pyright: ignore[reportPrivateImportUsage]
                yield b""
