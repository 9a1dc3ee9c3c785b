"""The table of output formats and the ffmpeg options that produce each. Runs nothing.

The resume logic stores a fingerprint of the table's entry by `repr`: a renamed class or field of
`Format`, `TagStyle` or `TranscriptFormat`, or a changed option, makes finished files look outdated.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from audiomill.outputs.delivery.profile import Encoding

Options = tuple[tuple[str, str | int], ...]


class TagStyle(Enum):
    """How a format stores tags."""

    MP4 = "MP4 atoms"
    ID3 = "ID3v2.3"
    FLAC = "Vorbis comments in FLAC"
    OPUS = "Vorbis comments in Ogg"
    WAV = "chunks of WAV"
    AIFF = "chunks of AIFF"


@dataclass(frozen=True, slots=True)
class Format:
    """An output format. `encoding` and `muxing` are ffmpeg output options."""

    name: str  # the value of `--format`
    suffix: str
    encoder: str  # ffmpeg's name
    tag_style: TagStyle
    encoding: Options
    muxing: Options


# The same samples give the same bytes with the same build of ffmpeg, at any time: no dates and no
# version numbers. Another build, or the same on a processor for which it has other code, may encode
# other bytes, which sound alike: only FLAC, WAV and AIFF decode to the same samples with any.
EXACT: Options = (("fflags", "+bitexact"), ("flags:a", "+bitexact"))
# Measured with speech (LOG.md): at the same bit rate the fast coder leaves 3 to 7 dB less error
# below 8 kHz than the default coder, in under a third of the time. Without temporal noise shaping
# the error is lower still, and encoding faster.
_AAC: Options = (
    *(("acodec", "aac"), ("audio_bitrate", "64k")),
    *(("aac_coder", "fast"), ("aac_tns", 0)),
)
AAC_FRAME = 1024  # samples; ISO/IEC 14496-3
_MP4: Options = (("format", "ipod"), ("movflags", "+faststart"))
# LAME scales its input by 0.95, which would leave an MP3 0.45 dB below the target; the filter
# undoes that. The Info header keeps decoding gapless. mutagen writes the ID3 tag, with chapters.
_LAME: Options = (
    *(("acodec", "libmp3lame"), ("audio_bitrate", "96k")),
    ("af", "volume=1/0.95:precision=float"),
)
_MP3: Options = (("format", "mp3"), ("id3v2_version", 0), ("write_xing", 1))
_FLAC: Options = (("acodec", "flac"),)
MAX_OPUS_KBPS = 256  # of one channel; libopus refuses more
_OPUS: Options = (("acodec", "libopus"), ("audio_bitrate", "32k"))
# Of 16 bits. RF64 has room for sizes of 64 bits; the tagging makes a plain WAV of a file that does
# not need them.
_WAV: Options = (("format", "wav"), ("rf64", "always"))

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        # Apple's players recognise an audiobook by the brand.
        Format("m4b", ".m4b", "aac", TagStyle.MP4, _AAC, (*_MP4, ("brand", "M4B "))),
        Format("m4a", ".m4a", "aac", TagStyle.MP4, _AAC, _MP4),
        Format("mp3", ".mp3", "libmp3lame", TagStyle.ID3, _LAME, _MP3),
        Format("flac", ".flac", "flac", TagStyle.FLAC, _FLAC, (("format", "flac"),)),
        Format("opus", ".opus", "libopus", TagStyle.OPUS, _OPUS, (("format", "ogg"),)),
        Format("wav", ".wav", "pcm_s16le", TagStyle.WAV, (("acodec", "pcm_s16le"),), _WAV),
        Format(
            "aiff",
            ".aiff",
            "pcm_s16be",
            TagStyle.AIFF,
            (("acodec", "pcm_s16be"),),
            (("format", "aiff"),),
        ),
    )
}


def encoding_options(entry: Format, encoding: Encoding) -> Options:
    """The options of a bit rate, its mode and its channels; of lossless formats, the entry's own.

    A variable rate of MP3 is LAME's average bit rate, not its qualities V0 to V9: a quality names
    no rate, while a file has at most 15 % more than the average, and less where the sound needs
    less. AAC has one mode, an average; ffmpeg's qualities of AAC are experimental. Opus varies its
    rate around an average unless told not to. LAME takes the nearest rate that MP3 has.
    """
    options = dict(entry.encoding)
    if "audio_bitrate" not in options:
        return entry.encoding
    kbps, is_mp3 = encoding.bit_rate_kbps, entry.tag_style is TagStyle.ID3
    if kbps is not None:
        is_opus = entry.tag_style is TagStyle.OPUS
        highest = MAX_OPUS_KBPS * encoding.channels if is_opus else kbps
        options["audio_bitrate"] = f"{min(kbps, highest)}k"
    if encoding.bit_rate_mode == "vbr" and is_mp3:
        options["abr"] = 1
    if encoding.bit_rate_mode == "cbr" and entry.tag_style is TagStyle.OPUS:
        options["vbr"] = "off"
    if encoding.channels > 1 and is_mp3 and not encoding.joint_stereo:
        options["joint_stereo"] = 0
    return tuple(options.items())


@dataclass(frozen=True, slots=True)
class TranscriptFormat:
    """A format of transcripts, which are written beside the recordings."""

    name: str  # the value of `--transcript`
    suffix: str
    media_type: str
    version: int  # raise it when the same text and audio make another file


TRANSCRIPTS: dict[str, TranscriptFormat] = {
    entry.name: entry
    for entry in (
        TranscriptFormat("vtt", ".vtt", "text/vtt", 1),
        TranscriptFormat("srt", ".srt", "application/x-subrip", 1),
    )
}


# A picture beside each recording (`--plot`): its format, and the suffix of its file.
PLOT = "svg"
PLOT_SUFFIX = ".svg"
# Lists that are written beside recordings: suffixes by name.
PLAYLIST, CUE_SHEET = "m3u8", "cue"
LISTS = {PLAYLIST: ".m3u8", CUE_SHEET: ".cue"}


def split_formats(names: str) -> tuple[str, ...]:
    """The names in a list like "m4b,mp3", with or without spaces. They need not be formats."""
    return tuple(name.strip() for name in names.split(","))
