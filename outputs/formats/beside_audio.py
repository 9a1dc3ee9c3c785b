"""The formats of what is written beside recordings: transcripts, pictures and lists."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TranscriptFormat:
    """A format of transcripts. The resume logic stores a fingerprint of it by `repr`."""

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
