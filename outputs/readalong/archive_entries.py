"""Adds entries to the zip archive of a book, so that the same entries give the same bytes.

bytes, a file    packed, unless it is already
packed           copied, whatever it is: packing the drawings of a book again would take long
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path, PurePosixPath
from typing import IO, cast

from audiomill.inputs.epub.packed_entries import PackedEntry
from audiomill.outputs.formats.registry import FORMATS

MIMETYPE_NAME = "mimetype"
_PACKED_NAMES = "jpg jpeg png gif webp mp4 m4v ogg webm woff woff2 zip"
# What is packed already: pictures, films, fonts, and sound.
_PACKED = frozenset(
    (
        *(f".{suffix}" for suffix in _PACKED_NAMES.split()),
        *(entry.suffix for entry in FORMATS.values() if entry.is_lossy),
    )
)
_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that an archive can have: no file shows when it ran
_MODE = 0o644 << 16
_UNIX = 3

Content = bytes | PackedEntry | Path  # of an entry: its bytes, or the file that has them


def add_entry(archive: zipfile.ZipFile, name: str, content: Content) -> None:
    """Add an entry that does not tell when it was made. Raises OSError."""
    entry = zipfile.ZipInfo(name, _DATE)
    is_packed = name == MIMETYPE_NAME or PurePosixPath(name).suffix.lower() in _PACKED
    entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    entry.create_system, entry.external_attr = _UNIX, _MODE
    if isinstance(content, PackedEntry):
        _add_packed(archive, entry, content)
        return
    if isinstance(content, bytes):
        archive.writestr(entry, content)
        return
    entry.file_size = content.stat().st_size  # so that a large one gets a large header
    with content.open("rb") as source, archive.open(entry, "w") as target:
        shutil.copyfileobj(source, target)


def _add_packed(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, content: PackedEntry) -> None:
    """Add what is packed already, as `ZipFile.mkdir` adds a folder.

    No public method leaves the packing out.
    """
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.CRC, entry.file_size = content.crc, content.n_unpacked
    entry.compress_size = len(content.packed)
    file = cast("IO[bytes]", archive.fp)  # None of a closed one
    file.seek(archive.start_dir)
    entry.header_offset = archive.start_dir
    file.write(entry.FileHeader() + content.packed)
    archive.start_dir = file.tell()
    archive.filelist.append(entry)
    archive.NameToInfo[entry.filename] = entry
