"""A playlist of a book's files, in reading order: extended M3U in UTF-8. Pure.

There is no standard. The lines are those that Winamp began, with the two that name an album and its
artist, which foobar2000, Kodi and VLC know. What a player does not know is a comment to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audiomill.outputs.text import one_line


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
