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
    options: Options  # of ffmpeg


# The same samples give the same bytes, whenever and by whichever build of ffmpeg: no dates, no
# version numbers.
_EXACT: Options = (("fflags", "+bitexact"), ("flags:a", "+bitexact"))
# At the same rate the fast coder leaves 5 to 10 dB less error in every band of speech than the
# default one, in a quarter of the time.
_AAC: Options = (("acodec", "aac"), ("audio_bitrate", "64k"), ("aac_coder", "fast"), *_EXACT)
_MP4: Options = (("format", "ipod"), ("movflags", "+faststart"))
# LAME scales what it is given by 0.95, which would leave an MP3 0.45 dB under its target; that is
# undone first. An Info header keeps decoding gapless; mutagen writes the ID3 tag, with chapters.
_MP3: Options = (
    *(("acodec", "libmp3lame"), ("audio_bitrate", "96k"), ("format", "mp3")),
    ("af", "volume=1/0.95:precision=float"),
    *(("id3v2_version", 0), ("write_xing", 1)),
    *_EXACT,
)
_FLAC: Options = (("acodec", "flac"), ("format", "flac"), *_EXACT)
_OPUS: Options = (("acodec", "libopus"), ("audio_bitrate", "32k"), ("format", "ogg"), *_EXACT)

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        # Apple's players tell an audiobook by the brand.
        Format("m4b", ".m4b", "aac", TagStyle.MP4, (*_AAC, *_MP4, ("brand", "M4B "))),
        Format("m4a", ".m4a", "aac", TagStyle.MP4, (*_AAC, *_MP4)),
        Format("mp3", ".mp3", "libmp3lame", TagStyle.ID3, _MP3),
        Format("flac", ".flac", "flac", TagStyle.FLAC, _FLAC),
        Format("opus", ".opus", "libopus", TagStyle.OPUS, _OPUS),
    )
}
