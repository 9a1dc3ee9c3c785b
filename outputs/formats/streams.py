"""The formats of streams: sound that is sent while it is made, and has no length in its header.

That of WAV has the largest number there, which players take for “until the end”. Runs nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.outputs.formats.format import Options
from audiomill.outputs.formats.mp3 import LAME

PCM_RATE = 24_000  # Hz; what clients of OpenAI's protocol play raw samples at
_UNKNOWN = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class StreamFormat:
    """A format of streams. `options` are ffmpeg's; without any it is what we write ourselves."""

    media_type: str
    options: Options = ()
    rate: int | None = None  # Hz; None: that of the engine
    has_wav_header: bool = False

    @property
    def encoder(self) -> str:
        """The encoder of ffmpeg that it needs; "" for none."""
        return str(dict(self.options).get("acodec", ""))


STREAM_FORMATS: Mapping[str, StreamFormat] = {
    "mp3": StreamFormat(
        "audio/mpeg", (*LAME, ("write_xing", 0), ("id3v2_version", 0), ("format", "mp3"))
    ),
    "opus": StreamFormat(
        "audio/ogg; codecs=opus",
        (
            *(("acodec", "libopus"), ("audio_bitrate", "48k")),
            *(("page_duration", 100_000), ("format", "ogg")),
        ),
    ),
    "aac": StreamFormat(
        "audio/aac", (("acodec", "aac"), ("audio_bitrate", "96k"), ("format", "adts"))
    ),
    "flac": StreamFormat("audio/flac", (("acodec", "flac"), ("format", "flac"))),
    "wav": StreamFormat("audio/wav", has_wav_header=True),
    "pcm": StreamFormat("audio/pcm", rate=PCM_RATE),
}
DEFAULT_FORMAT = "mp3"


def wav_header(sample_rate: int) -> bytes:
    """The header of a mono stream of 16 bits whose length is not known."""
    riff = struct.pack("<4sI4s", b"RIFF", _UNKNOWN, b"WAVE")
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, sample_rate, 2 * sample_rate, 2, 16)
    return riff + form + struct.pack("<4sI", b"data", _UNKNOWN)
