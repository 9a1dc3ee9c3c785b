"""The sound of each document, cut from finished recordings without encoding it again.

    recordings   [── p1 ──|─ p2 ─|── p1 again ──|─ p3 ─]
    pieces       00000.m4a 00001   00002          00003

A document has one piece, unless its text is read at several times, as notes are. Packets
are copied:

    recording   |packet|packet|packet|packet|packet|
    cut asked             ^
    pieces      |packet|packet|  |packet|packet|packet|  from the first packet after the cut

A packet needs the one before it to be decoded right, so a cut lies in silence.
"""

from __future__ import annotations

import csv
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from audiomill.outputs.ffmpeg.commands import cut_command
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.ffmpeg.flv import AAC_FRAME
from audiomill.outputs.files import unwritable_errors
from audiomill.outputs.formats.mp4 import M4A
from audiomill.outputs.readalong.narration import NarratedClip, NarratedDocument

MIN_PIECE_S = 0.001  # a cut so near the end is the end
SUFFIX, AUDIO_TYPE = M4A.suffix, M4A.media_type
_LIST = "pieces.csv"


@dataclass(frozen=True, slots=True)
class RecordingFile:
    """A finished recording in MP4, its sample rate in Hz, and how long it sounds."""

    path: Path
    file_rate: int
    duration_s: float


@dataclass(frozen=True, slots=True)
class PieceClip:
    """The clip of a document, in milliseconds of a piece."""

    clip: NarratedClip
    piece: int
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class DocumentAudio:
    """Pieces of the recordings, and for each document its clips in them."""

    pieces: tuple[AudioPiece, ...]
    clips: tuple[tuple[PieceClip, ...], ...]


@dataclass(frozen=True, slots=True)
class _DocumentRun:
    """Clips of one document that follow each other in a recording."""

    document: int
    clips: tuple[NarratedClip, ...]


def cut_for_documents(
    documents: Sequence[NarratedDocument],
    recordings: Sequence[RecordingFile],
    sample_rate: int,
    ffmpeg: str,
    folder: Path,
) -> DocumentAudio:
    """Cut the recordings where the document changes, into files in a folder. Raises OutputError.

    `sample_rate` is that of the clips.
    """
    pieces: list[AudioPiece] = []
    clips: list[list[PieceClip]] = [[] for _ in documents]
    for number, (recording, runs) in enumerate(
        zip(recordings, _runs(documents, len(recordings)), strict=True)
    ):
        if not runs:
            continue
        own = folder / f"{number:05}"
        with unwritable_errors(own):
            own.mkdir()
        edges = {at / sample_rate for run in runs for at in (run.clips[0].start, run.clips[-1].end)}
        cuts_s = sorted(at_s for at_s in edges if at_s < recording.duration_s - MIN_PIECE_S)
        cut = cut_recording(ffmpeg, recording.path, recording.file_rate, cuts_s, own)
        for run in runs:
            piece = _piece_from(cut, run.clips[0].start / sample_rate)
            clips[run.document] += _piece_clips(run, piece, len(pieces), sample_rate)
            pieces.append(piece)
    return DocumentAudio(tuple(pieces), tuple(map(tuple, clips)))


def _runs(documents: Sequence[NarratedDocument], n_recordings: int) -> list[list[_DocumentRun]]:
    """The runs of each recording."""
    by_recording: list[list[tuple[NarratedClip, int]]] = [[] for _ in range(n_recordings)]
    for number, document in enumerate(documents):
        for clip in document.clips:
            by_recording[clip.recording].append((clip, number))
    return [list(_runs_of(clips)) for clips in by_recording]


def _runs_of(clips: Iterable[tuple[NarratedClip, int]]) -> Iterator[_DocumentRun]:
    """The runs of a recording with these clips, each with the number of its document."""
    in_order = sorted(clips, key=lambda one: one[0].start)
    for number, run in groupby(in_order, key=lambda one: one[1]):
        yield _DocumentRun(number, tuple(clip for clip, _ in run))


def _piece_from(pieces: Sequence[AudioPiece], at_s: float) -> AudioPiece:
    """The piece that begins with the first packet after a cut."""
    after = bisect_left(pieces, at_s, key=lambda piece: piece.start_s)
    near = pieces[max(0, after - 1) : after + 1]
    return min(near, key=lambda piece: abs(piece.start_s - at_s))


def _piece_clips(
    run: _DocumentRun, piece: AudioPiece, number: int, sample_rate: int
) -> Iterator[PieceClip]:
    """The clips of a run, from the beginning of the piece on, which is in the silence before it.

    The last one ends with the piece at the latest.
    """

    def ms(at: int) -> int:
        at_s = min(at / sample_rate, piece.end_s) - piece.start_s
        return max(0, round(1000 * at_s))

    first = run.clips[0]
    begun = replace(first, start=min(first.start, round(piece.start_s * sample_rate)))
    for clip in (begun, *run.clips[1:]):
        yield PieceClip(clip, number, ms(clip.start), ms(clip.end))


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
