"""Lists beside recordings: a playlist of a book's files, and the chapters of one file. Pure.

The playlist is extended M3U in UTF-8. There is no standard. The lines are those that Winamp began,
with the two that name an album and its artist, which foobar2000, Kodi and VLC know. What a player
does not know is a comment to it.

The cue sheet has chapters as tracks, for players that know no chapters.
Source: Appendix A of the CDRWIN User's Guide. Sheets for files instead of discs go beyond it in all
programs that write them: minutes may have three digits, and so may the numbers of tracks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.text import one_line

FRAMES_PER_S = 75  # of a compact disc
MAX_TRACKS = 99  # of a disc; some programs read no more


@dataclass(frozen=True, slots=True)
class PlaylistEntry:
    """A file in the playlist's own folder."""

    name: str
    title: str
    duration_s: float


def playlist_text(entries: Iterable[PlaylistEntry], album: str, artist: str = "") -> str:
    """The playlist. Files are named without a folder, so that all may be moved together."""
    head = ["#EXTM3U", f"#PLAYLIST:{one_line(album)}", f"#EXTALB:{one_line(album)}"]
    if artist:
        head.append(f"#EXTART:{one_line(artist)}")
    lines = (line for entry in entries for line in _lines(entry, artist))
    return "\n".join((*head, *lines, ""))


def _lines(entry: PlaylistEntry, artist: str) -> tuple[str, str]:
    """Whole seconds, as old players read no others. Players take "artist - title" apart."""
    title = one_line(f"{artist} - {entry.title}" if artist else entry.title)
    return f"#EXTINF:{round(entry.duration_s)},{title}", entry.name


def cue_sheet_text(
    name: str, format_name: str, tags: Tags, marks: Sequence[Mark], sample_rate: int
) -> str:
    """The sheet for the file `name`, which lies beside it. Marks are in samples."""
    head = [f"PERFORMER {_quoted(tags.artist)}"] if tags.artist else []
    file_type = FORMATS[format_name].cue_type
    head += [f"TITLE {_quoted(tags.title)}", f"FILE {_quoted(name)} {file_type}"]
    lines: list[str] = []
    for number, mark in enumerate(marks, 1):
        lines += [f"  TRACK {number:02d} AUDIO", f"    TITLE {_quoted(mark.title)}"]
        lines += [f"    PERFORMER {_quoted(tags.artist)}"] if tags.artist else []
        lines += [f"    INDEX 01 {index(mark.start, sample_rate)}"]
    return "\n".join((*head, *lines, ""))


def index(n_samples: int, sample_rate: int) -> str:
    """A time as minutes:seconds:frames, rounded to the nearest frame, half up."""
    frames = (2 * n_samples * FRAMES_PER_S + sample_rate) // (2 * sample_rate)
    seconds, frames = divmod(frames, FRAMES_PER_S)
    return f"{seconds // 60:02d}:{seconds % 60:02d}:{frames:02d}"


def _quoted(text: str) -> str:
    """The text in quotation marks. The format has no escape for one inside."""
    return '"' + one_line(text).replace('"', "'") + '"'
