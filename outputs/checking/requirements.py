"""Requirements of those that finished files are made for. Pure data, with sources.

A rule is what files are refused for, or what makes them wrong; all else is advice. What is done so
that files are like that is in `outputs/checking/profiles.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from audiomill.outputs.formats.flac import FLAC
from audiomill.outputs.formats.mp3 import MP3
from audiomill.outputs.formats.mp4 import M4A
from audiomill.outputs.formats.opus import OPUS
from audiomill.outputs.formats.registry import CONTAINERS
from audiomill.outputs.formats.wav import WAV

Measure: TypeAlias = Literal[
    # of one file
    "container",
    "codec",
    "sample_rate",
    "channels",
    "bit_rate_kbps",
    "bit_rate_mode",
    "channel_mode",
    "missing_s",
    "damages",
    "junk_bytes",
    "length_s",
    "size_mb",
    "lufs",
    "rms_db",
    "peak_db",
    "true_peak_dbtp",
    "noise_floor_db",
    "silence_s",
    "pause_s",
    "head_s",
    "tail_s",
    "clipped",
    "flat_tops",
    "dropouts",
    "silent_channels",
    "mono_loss_s",
    "dc_offset",
    "chapters",
    "misplaced_chapters",
    "silent_chapters",
    "chapter_spread_lu",
    "title",
    "artist",
    "album",
    "cover_kind",
    "cover_px",
    "cover_aspect",
    # of all files of a book together
    "sample_rates",
    "channel_counts",
    "loudness_spread_db",
    "opening_credits",
    "closing_credits",
    "retail_sample_s",
]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that is asked of a file, or of all files of a book.

    A number lies from `least` to `most`; a word or a number is one of `one_of`. Without any of them
    it has to be there.
    """

    measure: Measure
    source: str
    least: float | None = None
    most: float | None = None
    one_of: tuple[str | int, ...] = ()
    is_rule: bool = True
    mono_db: float = 0.0  # added to both bounds for a file of one channel


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirements of a profile."""

    of_file: tuple[Requirement, ...]
    of_book: tuple[Requirement, ...] = ()  # of several files together


ACX = "ACX audio submission requirements"
ACX_COVER = "ACX cover art requirements"
ACX_OLDER = "ACX audio submission requirements, an older version"
ACX_UPLOAD = "ACX's limit of an upload, as producers report it"
APPLE_PODCASTS = "Apple Podcasts, audio requirements"
APPLE_ARTWORK = "Apple Podcasts, artwork requirements"
APPLE_BOOKS = "Apple Books' use of MP4 tags and chapters"
AUDIOBOOKSHELF = "Audiobookshelf's scanner"
EPUB = "EPUB 3.3, core media types of audio"
MONO = "ITU-R BS.1770-4: the same sound in two channels measures 3 LU more"
OURS = "audiomill"
SOUND = "what every file is: whole, and not distorted"

# Audacity's ACX Check warns below it: "dead silence". A 16-bit file with dither is at -96 dB.
DIGITAL_SILENCE_DB = -90.0

# A file that is cut off or distorted is wrong whatever it is for.
_SOUND = (
    Requirement("missing_s", SOUND, most=0.1),
    Requirement("damages", SOUND, most=0),
    Requirement("misplaced_chapters", SOUND, most=0),
    Requirement("silent_chapters", SOUND, most=0),
    # Longer than between the parts of a book, or after the last words.
    Requirement("pause_s", OURS, most=10.0, is_rule=False),
    Requirement("clipped", SOUND, most=0, is_rule=False),
    Requirement("flat_tops", SOUND, most=6, is_rule=False),
    Requirement("dropouts", SOUND, most=0, is_rule=False),
    Requirement("silent_channels", SOUND, most=0, is_rule=False),
    Requirement("mono_loss_s", SOUND, most=0, is_rule=False),
    Requirement("dc_offset", SOUND, most=0.01, is_rule=False),
    # More than between files: a master has one gain, and a chapter may be meant to be softer.
    Requirement("chapter_spread_lu", OURS, most=3.0, is_rule=False),
)
# From this length on a file that is a whole book is hard to find one's way in.
CHAPTERS_FROM_S = 3600.0
_NAMED = (
    Requirement("title", AUDIOBOOKSHELF, is_rule=False),
    Requirement("artist", AUDIOBOOKSHELF, is_rule=False),
    Requirement("album", AUDIOBOOKSHELF, is_rule=False),
)
_AS_LOUD_AS_OTHERS = (
    Requirement("lufs", OURS, least=-18, most=-14, mono_db=-3.0, is_rule=False),
    Requirement("true_peak_dbtp", OURS, most=-1.0, is_rule=False),
)

REQUIREMENTS: dict[str, Requirements] = {
    "audiobookshelf": Requirements(
        (
            Requirement(
                "container",
                AUDIOBOOKSHELF,
                one_of=(*CONTAINERS, "matroska", "asf", "aac"),
            ),
            *_SOUND,
            *_AS_LOUD_AS_OTHERS,
            Requirement("chapters", AUDIOBOOKSHELF, least=1, is_rule=False),
            *_NAMED,
            Requirement("cover_kind", AUDIOBOOKSHELF, one_of=("JPEG", "PNG"), is_rule=False),
        ),
        (Requirement("loudness_spread_db", OURS, most=2.0, is_rule=False),),
    ),
    "acx": Requirements(
        (
            Requirement("container", ACX, one_of=(MP3.container,)),
            Requirement("codec", ACX, one_of=(MP3.codec,)),
            Requirement("sample_rate", ACX, one_of=(44_100,)),
            Requirement("channels", ACX, one_of=(1, 2)),
            Requirement("bit_rate_kbps", ACX, least=192),
            Requirement("bit_rate_mode", ACX, one_of=("constant",)),
            Requirement("channel_mode", ACX_OLDER, one_of=("mono", "stereo"), is_rule=False),
            Requirement("length_s", ACX, most=7200),
            Requirement("size_mb", ACX_UPLOAD, most=170, is_rule=False),
            *_SOUND,
            Requirement("junk_bytes", SOUND, most=0, is_rule=False),
            Requirement("rms_db", ACX, least=-23, most=-18),
            Requirement("peak_db", ACX, most=-3),
            Requirement("true_peak_dbtp", OURS, most=-3, is_rule=False),
            Requirement("noise_floor_db", ACX, most=-60),
            Requirement("silence_s", ACX, most=0.1),  # room tone, so not nothing at all
            Requirement("head_s", ACX, least=0.5, most=1),
            Requirement("tail_s", ACX, least=1, most=5),
        ),
        (
            Requirement("sample_rates", ACX, most=1),
            Requirement("channel_counts", ACX, most=1),
            Requirement("loudness_spread_db", OURS, most=2.0, is_rule=False),
            Requirement("opening_credits", ACX),
            Requirement("closing_credits", ACX),
            Requirement("retail_sample_s", ACX, most=300),
            Requirement("retail_sample_s", ACX_OLDER, least=60, is_rule=False),
            Requirement("cover_kind", ACX_COVER, one_of=("JPEG", "PNG")),
            Requirement("cover_aspect", ACX_COVER, least=1, most=1),
            Requirement("cover_px", ACX_COVER, least=2400),
        ),
    ),
    "podcast": Requirements(
        (
            Requirement("container", APPLE_PODCASTS, one_of=(MP3.container, M4A.container)),
            Requirement("codec", APPLE_PODCASTS, one_of=(MP3.codec, M4A.codec)),
            Requirement("sample_rate", APPLE_PODCASTS, one_of=(44_100, 48_000)),
            Requirement("channels", APPLE_PODCASTS, one_of=(1, 2)),
            Requirement("bit_rate_kbps", APPLE_PODCASTS, least=64, most=256, is_rule=False),
            *_SOUND,
            Requirement("lufs", f"{APPLE_PODCASTS}; {MONO}", least=-17, most=-15, mono_db=-3.0),
            Requirement("true_peak_dbtp", APPLE_PODCASTS, most=-1),
            Requirement("chapters", APPLE_PODCASTS, least=1, is_rule=False),
            Requirement("title", APPLE_PODCASTS, is_rule=False),
            Requirement("cover_kind", APPLE_ARTWORK, one_of=("JPEG", "PNG"), is_rule=False),
            Requirement("cover_aspect", APPLE_ARTWORK, least=1, most=1, is_rule=False),
            Requirement("cover_px", APPLE_ARTWORK, least=1400, most=3000, is_rule=False),
        ),
        (Requirement("loudness_spread_db", OURS, most=2.0, is_rule=False),),
    ),
    "apple": Requirements(
        (
            Requirement("container", APPLE_BOOKS, one_of=(M4A.container,)),
            Requirement("codec", APPLE_BOOKS, one_of=(M4A.codec, "alac")),
            Requirement("sample_rate", APPLE_BOOKS, one_of=(44_100, 48_000), is_rule=False),
            Requirement("channels", APPLE_BOOKS, one_of=(1, 2), is_rule=False),
            *_SOUND,
            *_AS_LOUD_AS_OTHERS,
            Requirement("chapters", APPLE_BOOKS, least=1, is_rule=False),
            *_NAMED,
            Requirement("cover_kind", APPLE_BOOKS, one_of=("JPEG", "PNG"), is_rule=False),
            Requirement("cover_aspect", APPLE_BOOKS, least=1, most=1, is_rule=False),
            Requirement("cover_px", APPLE_BOOKS, least=1400, is_rule=False),
        ),
        (Requirement("loudness_spread_db", OURS, most=2.0, is_rule=False),),
    ),
    "archive": Requirements(
        (
            Requirement("codec", OURS, one_of=(FLAC.codec, "alac", WAV.codec)),
            *_SOUND,
            *_AS_LOUD_AS_OTHERS,
            Requirement("chapters", OURS, least=1, is_rule=False),
            *_NAMED,
            Requirement("cover_kind", OURS, one_of=("JPEG", "PNG"), is_rule=False),
        ),
        (Requirement("loudness_spread_db", OURS, most=2.0, is_rule=False),),
    ),
    "readalong": Requirements(
        (
            Requirement("container", EPUB, one_of=(M4A.container, MP3.container, OPUS.container)),
            Requirement("codec", EPUB, one_of=(M4A.codec, MP3.codec, OPUS.codec)),
            *_SOUND,
            *_AS_LOUD_AS_OTHERS,
            Requirement("chapters", OURS, least=1, is_rule=False),
            Requirement("channels", OURS, most=1, is_rule=False),
            Requirement("bit_rate_kbps", OURS, most=128, is_rule=False),
        ),
        (Requirement("loudness_spread_db", OURS, most=2.0, is_rule=False),),
    ),
}
