"""Reads finished audio files of any kind: their samples as a stream, their title and chapters.

Source: ffmpeg.org/ffmpeg-formats.html, "Metadata".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.encoding.commands import metadata_command, wav_command
from audiomill.outputs.encoding.decoding import output_of
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.speech.wav import stream_start

_SAMPLE_BYTES = 4
_LINE = re.compile(r"(?:\\.|[^\\\n])+", re.DOTALL)
_FIELD = re.compile(r"((?:\\.|[^\\=])*)=(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class AudioStream:
    """The samples of a file as blocks [n, channels], of any n."""

    sample_rate: int
    n_channels: int
    blocks: Iterator[NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class FileChapter:
    """A chapter as a file has it."""

    title: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class FileText:
    """The title and the chapters of a file, as it says them."""

    title: str  # "" if it has none
    chapters: tuple[FileChapter, ...]


def open_audio(path: Path, damages: list[str] | None = None) -> AudioStream:
    """The samples of an audio file; `damages` is that of `output_of`.

    Raises EncoderFailed with ffmpeg's messages, EncoderMissing.
    """
    pieces = output_of(wav_command(find_ffmpeg(), path), path, damages)
    header = bytearray()
    while (found := stream_start(header)) is None:
        if not (piece := next(pieces, b"")):
            raise EncoderFailed(f"{path} has no sound.\nCheck that it is a whole audio file.")
        header += piece
    form, begin = found
    blocks = _blocks(chain((bytes(header[begin:]),), pieces), form.n_channels)
    return AudioStream(form.sample_rate, form.n_channels, blocks)


def _blocks(pieces: Iterator[bytes], n_channels: int) -> Iterator[NDArray[np.float32]]:
    rest = b""
    for piece in pieces:
        data = rest + piece if rest else piece
        whole = len(data) - len(data) % (_SAMPLE_BYTES * n_channels)
        rest = data[whole:]
        if whole:
            yield np.frombuffer(data[:whole], "<f4").reshape(-1, n_channels)


def read_file_text(path: Path) -> FileText:
    """The title and the chapters that ffmpeg finds in an audio file.

    Raises EncoderFailed with ffmpeg's messages, EncoderMissing.
    """
    written = b"".join(output_of(metadata_command(find_ffmpeg(), path), path))
    titled, sections = metadata_sections(written.decode(errors="replace"))
    chapters = map(file_chapter, sections)
    in_order = sorted(chapters, key=lambda chapter: chapter.start_s)
    return FileText(next((one["title"] for one in titled if one.get("title")), ""), tuple(in_order))


def metadata_sections(text: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """(the fields of the file and its streams, those of its chapters) in ffmpeg's metadata format.

    Names are in lower case.
    """
    fields: dict[str, str] = {}
    chapters, others = list[dict[str, str]](), [fields]
    for words in _LINE.findall(text):
        if words[0] == "[":
            fields = {}
            (chapters if words == "[CHAPTER]" else others).append(fields)
        elif field := _FIELD.fullmatch(words):
            name, value = (_ESCAPED.sub(r"\1", part) for part in field.groups())
            fields[name.lower()] = value
    return others, chapters


def file_chapter(fields: Mapping[str, str]) -> FileChapter:
    """A chapter of its fields in ffmpeg's metadata format."""
    unit = Fraction(fields.get("timebase", "1/1000000000"))
    start_s, end_s = (float(int(fields[name]) * unit) for name in ("start", "end"))
    return FileChapter(fields.get("title", ""), start_s, end_s)
