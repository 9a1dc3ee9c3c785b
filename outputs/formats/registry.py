"""The output formats by name: of recordings, and of all that is made beside them.

Runs nothing. The same samples give the same bytes with the same build of ffmpeg, at any time: no
dates and no version numbers. Another build, or the same on a processor for which it has other code,
may encode other bytes, which sound alike: only lossless formats decode to the same samples with
any.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath

from audiomill.outputs.formats.aiff import AIFF
from audiomill.outputs.formats.flac import FLAC
from audiomill.outputs.formats.format import Format, IntegrityChecks
from audiomill.outputs.formats.mp3 import MP3
from audiomill.outputs.formats.mp4 import M4A, M4B
from audiomill.outputs.formats.opus import OPUS
from audiomill.outputs.formats.wav import WAV

FORMATS: dict[str, Format] = {entry.name: entry for entry in (M4B, M4A, MP3, FLAC, OPUS, WAV, AIFF)}
CONTAINERS = tuple(dict.fromkeys(entry.container for entry in FORMATS.values()))
LOSSY_CODECS = frozenset(entry.codec for entry in FORMATS.values() if entry.is_lossy)


def integrity_checks(container: str) -> IntegrityChecks:
    """The checks of a file in a container, by ffmpeg's name of it; none of an unknown one."""
    checks = (entry.integrity for entry in FORMATS.values() if entry.container == container)
    return next(checks, IntegrityChecks())


@dataclass(frozen=True, slots=True)
class TranscriptFormat:
    """A format of transcripts. The resume logic stores a fingerprint of it by `repr`."""

    name: str  # the value of `--transcript`
    suffix: str
    media_type: str
    version: int  # raise it when the same text and audio make another file
    has_words: bool = field(default=False, repr=False)  # it has the time of each word


def split_formats(names: str) -> tuple[str, ...]:
    """The names in a list like "m4b,mp3", with or without spaces. They need not be formats."""
    return tuple(name.strip() for name in names.split(","))


TRANSCRIPTS: dict[str, TranscriptFormat] = {
    entry.name: entry
    for entry in (
        TranscriptFormat("vtt", ".vtt", "text/vtt", 1),
        TranscriptFormat("srt", ".srt", "application/x-subrip", 1),
        TranscriptFormat("vtt-words", ".words.vtt", "text/vtt", 1, has_words=True),
        TranscriptFormat("json", ".words.json", "application/json", 1, has_words=True),
        TranscriptFormat("ass", ".ass", "text/x-ssa", 1, has_words=True),
        TranscriptFormat("lrc", ".lrc", "text/x-lrc", 1, has_words=True),
    )
}
READALONG_AUDIO = ("m4b", "m4a")  # the formats that books with their sound take it from


@dataclass(frozen=True, slots=True)
class ReadalongFormat:
    """A format of a book with its sound: each sentence is shown while it is heard."""

    name: str  # a value of `--format`, beside those of recordings
    suffix: str  # with "/" where the file is in a folder of its own
    media_type: str
    version: int  # raise it when the same text and audio make another file


READALONG_PAGE = "html"  # with files beside it, which it names
READALONGS: dict[str, ReadalongFormat] = {
    entry.name: entry
    for entry in (
        ReadalongFormat("epub", ".epub", "application/epub+zip", 2),
        ReadalongFormat(READALONG_PAGE, " (read along)/index.html", "text/html", 2),
    )
}
EPISODE_TRANSCRIPTS = ("vtt", "srt")  # of a podcast's episodes: those that its players read
# The text of an episode with the times of its words, of which its page is made.
EPISODE_TEXT = ReadalongFormat("episode-text", ".text.json", "application/json", 1)
# A picture beside each recording (`--plot`): its format, and the suffix of its file.
PLOT = "svg"
PLOT_SUFFIX = ".svg"
# Lists that are written beside recordings: suffixes by name.
PLAYLIST, CUE_SHEET = "m3u8", "cue"
LISTS = {PLAYLIST: ".m3u8", CUE_SHEET: ".cue"}


def name_in_folder(path: PurePath, file_format: str) -> str:
    """The name of a file in its book's folder, with "/" where its format has one of its own."""
    entry = READALONGS.get(file_format)
    n_parts = 1 + (entry.suffix.count("/") if entry else 0)
    return "/".join(path.parts[-n_parts:])
