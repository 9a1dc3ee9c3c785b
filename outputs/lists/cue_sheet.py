"""A cue sheet: the chapters of one file as tracks, for players that know no chapters. Pure.

Source: Appendix A of the CDRWIN User's Guide. Sheets for files instead of discs go beyond it in all
programs that write them: minutes may have three digits, and so may the numbers of tracks.
"""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.text import one_line

FRAMES_PER_S = 75  # of a compact disc
MAX_TRACKS = 99  # of a disc; some programs read no more


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
