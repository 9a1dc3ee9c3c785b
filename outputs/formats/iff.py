"""Chunks, of which AIFF and WAV files consist: a name of four bytes, a size, a body.

    FORM │ size │ AIFF │ COMM … │ SSND … │ MARK … │ ID3  …          AIFF, numbers big-endian
    RIFF │ size │ WAVE │ JUNK … │ fmt  … │ data … │ LIST … │ id3  …  WAV, numbers little-endian

Every chunk begins at an even position; a pad byte that its size does not count makes it so.
Sources: "EA IFF 85" (Electronic Arts, 1985); "Multimedia Programming Interface and Data
Specifications 1.0" (IBM and Microsoft, 1991), 2.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

ByteOrder: TypeAlias = Literal["big", "little"]

MAX_SIZE = 0xFFFFFFFF  # of a chunk, and of a file without its first 8 bytes
HEAD_BYTES = 8
_UNKNOWN_SIZES = (0, MAX_SIZE)  # of a recorder that was switched off, a pipe, or an RF64 file
_MAX_CHUNKS = 10_000
FORM_BYTES = 12  # the file's own name, size and type


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a file: where its body starts, and the size that its head says."""

    name: bytes
    start: int
    size: int


def chunk(name: bytes, body: bytes, order: ByteOrder) -> bytes:
    """The bytes of a chunk, with its pad byte. Raises OverflowError if the body is too long."""
    return name + len(body).to_bytes(4, order) + padded(body)


def padded(body: bytes) -> bytes:
    """The bytes with a pad byte, if their number is odd."""
    return body + bytes(len(body) % 2)


def chunks_until(file: BinaryIO, name: bytes, order: ByteOrder) -> dict[bytes, Chunk]:
    """The chunks up to the first of this name, by name. Raises OSError, MutagenError without it."""
    found = {one.name: one for one in _chunks_until(file, name, order)}
    if name not in found:
        from mutagen import MutagenError

        raise MutagenError(f"the chunk {name.decode()} is missing")
    return found


def missing_bytes(path: Path, name: bytes, order: ByteOrder) -> int:
    """The bytes that the head of the first chunk of this name promises and the file has not.

    0 without such a chunk, and if it tells no size. Raises OSError.
    """
    with path.open("rb") as file:
        n_bytes = os.fstat(file.fileno()).st_size
        for one in islice(_chunks_until(file, name, order), _MAX_CHUNKS):
            if one.name == name and one.size not in _UNKNOWN_SIZES:
                return max(0, one.start + one.size - n_bytes)
    return 0


def _chunks_until(file: BinaryIO, name: bytes, order: ByteOrder) -> Iterator[Chunk]:
    start = FORM_BYTES
    file.seek(start)
    while len(head := file.read(HEAD_BYTES)) == HEAD_BYTES:
        found = Chunk(head[:4], start + HEAD_BYTES, int.from_bytes(head[4:], order))
        yield found
        if found.name == name:
            return
        start = found.start + found.size + found.size % 2
        file.seek(start)
