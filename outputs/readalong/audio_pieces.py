"""Cuts a finished recording into pieces without encoding it again: packets are copied.

    recording   |packet|packet|packet|packet|packet|
    cut asked             ^
    pieces      |packet|packet|  |packet|packet|packet|  from the first packet after the cut

A packet needs the one before it to be decoded right, so a cut lies in silence.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from audiomill.outputs.encoding.commands import cut_command
from audiomill.outputs.encoding.ffmpeg import Encoder
from audiomill.outputs.files import unwritable_errors
from audiomill.outputs.formats.flv import AAC_FRAME
from audiomill.outputs.formats.mp4 import M4A

SUFFIX, MEDIA_TYPE = M4A.suffix, M4A.media_type
_LIST = "pieces.csv"


@dataclass(frozen=True, slots=True)
class AudioPiece:
    """A file that sounds as seconds [start_s, end_s) of the recording that it was cut from."""

    path: Path
    start_s: float
    end_s: float


def cut_recording(
    ffmpeg: str, recording: Path, file_rate: int, cuts_s: Sequence[float], folder: Path
) -> tuple[AudioPiece, ...]:
    """The pieces of an MP4 file of AAC at `file_rate`, cut at times, as files in an empty folder.

    Pieces have no tags, no cover and no edit list, so their priming is heard: a frame of silence,
    by which they begin earlier than their first packet counts. Raises OutputError.
    """
    command = cut_command(ffmpeg, recording, folder, SUFFIX, folder / _LIST, cuts_s)
    with Encoder(command, folder / _LIST):
        pass  # it reads the recording itself
    return tuple(_pieces(folder, AAC_FRAME / file_rate))


def _pieces(folder: Path, priming_s: float) -> Iterator[AudioPiece]:
    with unwritable_errors(folder):
        text = (folder / _LIST).read_text(encoding="utf-8")
    for name, start, end in csv.reader(text.splitlines()):
        yield AudioPiece(folder / name, float(start) - priming_s, float(end) - priming_s)
