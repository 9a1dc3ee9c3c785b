"""Reads entries of a zip archive as they are packed, for another archive that has them unchanged.

Packing the drawings of a book again takes longer than all else that is done for it.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO

_LOCAL_HEADER = struct.Struct("<4s22xHH")  # its signature, the lengths of name and extra (4.3.7)
_LOCAL_SIGNATURE = b"PK\x03\x04"
_CHUNK_BYTES = 1 << 18  # unpacked at a time
_ENCRYPTED = 1  # a flag (APPNOTE 4.4.4)


@dataclass(frozen=True, slots=True)
class PackedEntry:
    """The bytes of an entry as deflate packed them, and the CRC and number of those unpacked."""

    packed: bytes
    crc: int
    n_unpacked: int


def read_packed(archive: IO[bytes], entry: zipfile.ZipInfo, max_bytes: int) -> PackedEntry | None:
    """Return an entry of an archive, or None if it cannot be copied as it is.

    That is one by another method than deflate, encrypted, of more than `max_bytes`, larger than its
    content, or damaged. `archive` is left at another place. Raises OSError.
    """
    n_unpacked = entry.file_size
    if entry.compress_type != zipfile.ZIP_DEFLATED or entry.flag_bits & _ENCRYPTED:
        return None
    if not entry.compress_size <= n_unpacked <= max_bytes:
        return None
    packed = _data(archive, entry)
    is_whole = _unpacks_to(packed, entry.CRC, n_unpacked)
    return PackedEntry(packed, entry.CRC, n_unpacked) if is_whole else None


def _data(archive: IO[bytes], entry: zipfile.ZipInfo) -> bytes:
    """The packed bytes of an entry; none if they cannot be found."""
    archive.seek(entry.header_offset)
    header = archive.read(_LOCAL_HEADER.size)
    if len(header) < _LOCAL_HEADER.size:
        return b""
    signature, n_name, n_extra = _LOCAL_HEADER.unpack(header)
    archive.seek(n_name + n_extra, 1)
    return archive.read(entry.compress_size) if signature == _LOCAL_SIGNATURE else b""


def _unpacks_to(packed: bytes, crc: int, n_bytes: int) -> bool:
    """Whether the bytes are one stream of deflate, of content with this CRC and length."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    found, n_found, waiting = 0, 0, packed
    try:
        while n_found <= n_bytes and (part := stream.decompress(waiting, _CHUNK_BYTES)):
            found, n_found = zlib.crc32(part, found), n_found + len(part)
            waiting = stream.unconsumed_tail
    except zlib.error:
        return False
    is_one = stream.eof and not stream.unused_data
    return is_one and (found, n_found) == (crc, n_bytes)
