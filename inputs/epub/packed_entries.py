"""Reads entries of a zip archive as they are packed, for another archive that has them unchanged.

Packing the drawings of a book again takes longer than all else that is done for it.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, Protocol

_LOCAL_HEADER = struct.Struct("<4s22xHH")  # its signature, the lengths of name and extra (4.3.7)
_LOCAL_SIGNATURE = b"PK\x03\x04"
_CHUNK_BYTES = 1 << 18  # unpacked at a time
_ENCRYPTED, UTF_8_FLAG = 1, 0x800  # flags; the second is of an entry's name (APPNOTE 4.4.4)


class Stream(Protocol):
    """What zlib unpacks with; its own type has no public name."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""
        ...

    @property
    def unused_data(self) -> bytes:
        """What follows its end."""
        ...


@dataclass(frozen=True, slots=True)
class PackedEntry:
    """The bytes of an entry as deflate packed them, and the CRC and number of those unpacked."""

    packed: bytes
    crc: int
    n_unpacked: int


def read_packed(archive: IO[bytes], entry: zipfile.ZipInfo, max_bytes: int) -> PackedEntry | None:
    """Return an entry of an archive, or None if it cannot be copied as it is.

    That is one by another method than deflate, encrypted, of more than `max_bytes`, or larger than
    its content. Whether it is damaged is not known yet. `archive` is left at another place. Raises
    OSError.
    """
    n_unpacked = entry.file_size
    if entry.compress_type != zipfile.ZIP_DEFLATED or entry.flag_bits & _ENCRYPTED:
        return None
    if not entry.compress_size <= n_unpacked <= max_bytes:
        return None
    packed = _data(archive, entry)
    return PackedEntry(packed, entry.CRC, n_unpacked) if packed else None


def _data(archive: IO[bytes], entry: zipfile.ZipInfo) -> bytes:
    """The packed bytes of an entry; none if they cannot be found, or are another one's."""
    archive.seek(entry.header_offset)
    header = archive.read(_LOCAL_HEADER.size)
    if len(header) < _LOCAL_HEADER.size:
        return b""
    signature, n_name, n_extra = _LOCAL_HEADER.unpack(header)
    encoding = "utf-8" if entry.flag_bits & UTF_8_FLAG else "cp437"
    name = archive.read(n_name).decode(encoding, errors="replace")
    if signature != _LOCAL_SIGNATURE or name != entry.orig_filename:
        return b""
    archive.seek(n_extra, 1)
    return archive.read(entry.compress_size)


def unpacked(entry: PackedEntry) -> bytes | None:
    """Return the content of an entry, or None if it is damaged or followed by other bytes."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = stream.decompress(entry.packed, entry.n_unpacked + 1)
    except zlib.error:
        return None
    return content if _is_end(stream, entry, len(content), zlib.crc32(content)) else None


def is_whole(entry: PackedEntry) -> bool:
    """Whether `unpacked` has a content, which is not kept."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    crc, n_bytes, waiting = 0, 0, entry.packed
    try:
        while n_bytes <= entry.n_unpacked and (part := stream.decompress(waiting, _CHUNK_BYTES)):
            crc, n_bytes = zlib.crc32(part, crc), n_bytes + len(part)
            waiting = stream.unconsumed_tail
    except zlib.error:
        return False
    return _is_end(stream, entry, n_bytes, crc)


def _is_end(stream: Stream, entry: PackedEntry, n_bytes: int, crc: int) -> bool:
    """Whether a stream of deflate ends where the entry does, with the content that it tells of."""
    is_one = stream.eof and not stream.unused_data
    return is_one and (crc, n_bytes) == (entry.crc, entry.n_unpacked)
