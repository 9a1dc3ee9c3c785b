"""The formats of streams: sound that is sent while it is made, and has no length in its header.

Runs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.outputs.formats.format import Options
from audiomill.outputs.formats.mp3 import LAME

PCM_RATE = 24_000  # Hz; what clients of OpenAI's protocol play raw samples at


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
