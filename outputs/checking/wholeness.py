"""Whether a file is whole: what it promises, and what of it is there.

The headers of WAV and AIFF, and the last page of Ogg tell: ffmpeg reads these to any end. MP3 is
walked by frames (`mp3_walk.py`); of MP4 and FLAC ffmpeg tells the length that is promised.

The header of a FLAC file has the MD5 of the samples that it was made of: RFC 9639, 8.2. The digest
is of all samples, interleaved, each in as many whole bytes as its bits need, lowest byte first.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import mutagen
import numpy as np
from mutagen.flac import FLAC

from audiomill.outputs.checking.mp3_walk import Mp3Frames
from audiomill.outputs.checking.streams import FileStreams
from audiomill.renderers.base import Samples

UNKNOWN_SIZES = (0, 0xFFFFFFFF)  # of a recorder that was switched off, or a pipe
OGG_PAGE = b"OggS"
OGG_LAST = 0x04  # in the flags of the last page of a stream (RFC 3533)
MAX_OGG_PAGE = 65_307
MAX_CHUNKS = 10_000
MAX_BITS = 24  # that float32 holds exactly


def missing_s(path: Path, streams: FileStreams, length_s: float, frames: Mp3Frames | None) -> float:
    """How much of the sound that a file promises is not there, of which `length_s` was decoded.

    `frames` are those of an MP3; without them what ffmpeg expects counts. Raises OSError.
    """
    if frames is not None:
        return frames.missing_s
    if n_lacking := lacking_bytes(path, streams.container):
        return n_lacking / max(1, path.stat().st_size) * length_s
    return max(0.0, (streams.duration_s or 0.0) - length_s)


def lacking_bytes(path: Path, container: str) -> int:
    """The bytes of sound that a WAV or AIFF file promises and has not; 0 for others.

    Raises OSError.
    """
    if container not in ("wav", "aiff"):
        return 0
    with path.open("rb") as file:
        n_bytes = os.fstat(file.fileno()).st_size
        order = ">" if container == "aiff" else "<"
        for name, at, size in _chunks(file, order):
            if name in (b"data", b"SSND"):
                return 0 if size in UNKNOWN_SIZES else max(0, at + size - n_bytes)
    return 0


def lacks_last_page(path: Path, container: str) -> bool:
    """Whether an Ogg file has no last page, or not all of it. Raises OSError."""
    if container != "ogg":
        return False
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - 2 * MAX_OGG_PAGE))
        ending = file.read()
    at = ending.rfind(OGG_PAGE)
    if at < 0 or len(ending) < at + 27:
        return True
    sizes = ending[at + 27 : at + 27 + ending[at + 26]]
    is_whole = len(ending) >= at + 27 + len(sizes) + sum(sizes)
    return not (is_whole and ending[at + 5] & OGG_LAST)


def _chunks(file: BinaryIO, order: str) -> Iterator[tuple[bytes, int, int]]:
    """(its name, where its body begins, its size) of each chunk of a RIFF, RF64 or IFF file."""
    at = 12
    for _ in range(MAX_CHUNKS):
        file.seek(at)
        head = file.read(8)
        if len(head) < 8:
            return
        (size,) = struct.unpack(f"{order}I", head[4:])
        yield head[:4], at + 8, size
        at += 8 + size + size % 2


class FlacDigest:
    """The digest of the samples as they come, and that of the header."""

    def __init__(self, promised: bytes, bits: int) -> None:
        self._promised, self._bits = promised, bits
        self._digest = hashlib.md5(usedforsecurity=False)

    def add(self, block: Samples) -> None:
        """Take in the next samples, [n, channels]."""
        whole = np.rint(block * np.float32(1 << self._bits - 1)).astype("<i4")
        n_bytes = -(-self._bits // 8)
        octets = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, 4)
        self._digest.update(octets[:, :n_bytes].tobytes())

    @property
    def is_as_promised(self) -> bool:
        """Whether the samples are those of which the file was made."""
        return self._digest.digest() == self._promised


def flac_digest(path: Path) -> FlacDigest | None:
    """The digest of the samples of a FLAC file; None if its header does not have it."""
    try:
        info = FLAC(path).info
    except (mutagen.MutagenError, ValueError, OSError):  # pyright: ignore[reportPrivateImportUsage]
        return None
    promised = int(info.md5_signature)
    if not promised or info.bits_per_sample > MAX_BITS:
        return None
    return FlacDigest(promised.to_bytes(16), info.bits_per_sample)
