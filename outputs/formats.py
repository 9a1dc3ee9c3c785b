"""The table of formats: what each is called, and how ffmpeg makes it. Starts nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Options = tuple[tuple[str, str | int], ...]


class TagStyle(Enum):
    """How a format holds tags."""

    MP4 = "MP4 atoms"
    ID3 = "ID3v2.3"
    FLAC = "Vorbis comments in FLAC"
    OPUS = "Vorbis comments in Ogg"


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of finished file."""

    name: str  # what `--format` calls it
    suffix: str
    encoder: str  # ffmpeg's name
    tag_style: TagStyle
    encoding: Options  # of ffmpeg's, as are the others
    muxing: Options

    @property
    def is_piecewise(self) -> bool:
        """Whether pieces of it can be encoded side by side (`pieces.py`)."""
        return self.encoder == "aac"


# The same samples give the same bytes, whenever and by whichever build of ffmpeg: no dates, no
# version numbers.
EXACT: Options = (("fflags", "+bitexact"), ("flags:a", "+bitexact"))
# Measured with speech (LOG.md): at the same rate the fast coder leaves 3 to 7 dB less error below
# 8 kHz than the default one, in under a third of the time, and less still, sooner, without temporal
# noise shaping.
_AAC: Options = (
    *(("acodec", "aac"), ("audio_bitrate", "64k")),
    *(("aac_coder", "fast"), ("aac_tns", 0)),
)
AAC_FRAME = 1024  # samples; ISO/IEC 14496-3
_MP4: Options = (("format", "ipod"), ("movflags", "+faststart"))
# LAME scales what it is given by 0.95, which would leave an MP3 0.45 dB under its target; that is
# undone first. An Info header keeps decoding gapless; mutagen writes the ID3 tag, with chapters.
_LAME: Options = (
    *(("acodec", "libmp3lame"), ("audio_bitrate", "96k")),
    ("af", "volume=1/0.95:precision=float"),
)
_MP3: Options = (("format", "mp3"), ("id3v2_version", 0), ("write_xing", 1))
_FLAC: Options = (("acodec", "flac"),)
_OPUS: Options = (("acodec", "libopus"), ("audio_bitrate", "32k"))

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        # Apple's players tell an audiobook by the brand.
        Format("m4b", ".m4b", "aac", TagStyle.MP4, _AAC, (*_MP4, ("brand", "M4B "))),
        Format("m4a", ".m4a", "aac", TagStyle.MP4, _AAC, _MP4),
        Format("mp3", ".mp3", "libmp3lame", TagStyle.ID3, _LAME, _MP3),
        Format("flac", ".flac", "flac", TagStyle.FLAC, _FLAC, (("format", "flac"),)),
        Format("opus", ".opus", "libopus", TagStyle.OPUS, _OPUS, (("format", "ogg"),)),
    )
}
