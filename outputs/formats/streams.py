"""The formats of streams: sound that is sent while it is made, and has no length in its header.

That of WAV has the largest number there, which players take for “until the end”. Runs nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

PCM_RATE = 24_000  # Hz; what clients of OpenAI's protocol play raw samples at
_UNKNOWN = 0xFFFFFFFF
_AS_LOUD = "volume=1/0.95:precision=float"  # LAME scales what it gets by 0.95


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """A format of streams. `options` are ffmpeg's; without any it is what we write ourselves."""

    media_type: str
    options: tuple[str, ...] = ()
    rate: int | None = None  # Hz; None: that of the engine
    has_wav_header: bool = False

    @property
    def encoder(self) -> str:
        """The encoder of ffmpeg that it needs; "" for none."""
        return self.options[1] if self.options else ""


STREAM_FORMATS: Mapping[str, StreamFormat] = {
    "mp3": StreamFormat(
        "audio/mpeg",
        (
            *("-c:a", "libmp3lame", "-b:a", "96k", "-af", _AS_LOUD),
            *("-write_xing", "0", "-id3v2_version", "0", "-f", "mp3"),
        ),
    ),
    "opus": StreamFormat(
        "audio/ogg; codecs=opus",
        ("-c:a", "libopus", "-b:a", "48k", "-page_duration", "100000", "-f", "ogg"),
    ),
    "aac": StreamFormat("audio/aac", ("-c:a", "aac", "-b:a", "96k", "-f", "adts")),
    "flac": StreamFormat("audio/flac", ("-c:a", "flac", "-f", "flac")),
    "wav": StreamFormat("audio/wav", has_wav_header=True),
    "pcm": StreamFormat("audio/pcm", rate=PCM_RATE),
}
DEFAULT_FORMAT = "mp3"


def wav_header(sample_rate: int) -> bytes:
    """The header of a mono stream of 16 bits whose length is not known."""
    riff = struct.pack("<4sI4s", b"RIFF", _UNKNOWN, b"WAVE")
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, sample_rate, 2 * sample_rate, 2, 16)
    return riff + form + struct.pack("<4sI", b"data", _UNKNOWN)
