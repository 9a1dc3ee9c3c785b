"""The header of WAV that is sent while it is made, so it tells no length. Imports nothing slow."""

from __future__ import annotations

import struct

_UNKNOWN = 0xFFFFFFFF  # a length that is not known; players take it for “until the end”


def wav_header(sample_rate: int) -> bytes:
    """The header of a mono stream of 16 bits whose length is not known."""
    riff = struct.pack("<4sI4s", b"RIFF", _UNKNOWN, b"WAVE")
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, sample_rate, 2 * sample_rate, 2, 16)
    return riff + form + struct.pack("<4sI", b"data", _UNKNOWN)
