"""Reads the markers of WAV and AIFF files with libsndfile, which shares no code with the writers.

soundfile, its binding, has no function for them, so its command is called as libsndfile defines it
(sndfile.h: SFC_GET_CUE_COUNT, SFC_GET_CUE, SF_CUES).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import soundfile

_GET_CUE_COUNT, _GET_CUE = 0x10CD, 0x10CE
# Number, position, name of the chunk, two starts, offset in samples, title.
_POINT = struct.Struct("=iIiiiI256s")


def markers(path: Path) -> list[tuple[str, int]]:
    """The titles of a file's markers, and their positions in samples."""
    ffi: Any = soundfile._ffi
    with soundfile.SoundFile(path) as file:
        count = ffi.new("uint32_t *")
        soundfile._snd.sf_command(file._file, _GET_CUE_COUNT, count, ffi.sizeof("uint32_t"))
        n_bytes = 4 + _POINT.size * count[0]
        points = ffi.new("char[]", n_bytes)
        soundfile._snd.sf_command(file._file, _GET_CUE, points, n_bytes)
    found = _POINT.iter_unpack(bytes(ffi.buffer(points, n_bytes))[4:])
    return [(name.split(b"\0")[0].decode(), offset) for *_, offset, name in found]
