"""Reads audio files of any kind by ffmpeg: samples as a stream, title and chapters.

Reads finished audio files of any kind: their samples as a stream, their title and chapters.

Source: ffmpeg.org/ffmpeg-formats.html, "Metadata".
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from audiomill.outputs.ffmpeg.commands import (
    decode_command,
    metadata_command,
    stream_decode_command,
    wav_command,
)
from audiomill.outputs.ffmpeg.ffmpeg import (
    MAX_MESSAGE_LINES,
    SHOWN_LINES,
    close_pipes,
    shown_messages,
    start_ffmpeg,
    start_reader,
)
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.text import one_line
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.pipes import end_process, opened_pipe
from audiomill.renderers.speech.wav import stream_start

DECODE_BYTES = 1 << 18
_SAMPLE_BYTES = 4
_LINE = re.compile(r"(?:\\.|[^\\\n])+", re.DOTALL)
_FIELD = re.compile(r"((?:\\.|[^\\=])*)=(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def decode(
    path: Path,
    executable: str | None = None,
    *,
    sample_rate: int | None = None,
    max_s: float | None = None,
) -> Iterator[Samples]:
    """The mono samples of an audio file, block by block.

    `sample_rate` None is the file's; `max_s` None is all of it. Raises EncoderFailed with ffmpeg's
    messages.
    """
    command = decode_command(executable or find_ffmpeg(), path, sample_rate, max_s)
    return (np.frombuffer(pcm, "<f4") for pcm in output_of(command, path))


def output_of(
    command: Sequence[str], path: Path, damages: list[str] | None = None
) -> Iterator[bytes]:
    """The standard output of an ffmpeg that reads the file at `path`, in pieces.

    At the end `damages` has its last messages on what it could not read and has passed over.
    Raises EncoderFailed with ffmpeg's messages.
    """
    messages: deque[bytes] = deque(maxlen=MAX_MESSAGE_LINES)
    yield from _output(command, None, f"{path}", "Check that it is a whole audio file.", messages)
    if damages is not None:
        damages += [one_line(line.decode(errors="replace")) for line in messages]


def decode_stream(
    stream: Iterable[bytes], format_name: str, executable: str, name: str
) -> Iterator[Samples]:
    """The samples of an encoded stream, block by block, with its channels interleaved.

    `format_name` is ffmpeg's; `name` is that of the file in errors. Raises EncoderFailed with
    ffmpeg's messages, and what reading the stream raises.
    """
    command = stream_decode_command(executable, format_name)
    pieces = _output(
        command, stream, f"what it has encoded for {name}", "Try again.", deque(maxlen=SHOWN_LINES)
    )
    return (np.frombuffer(pcm, "<f4") for pcm in pieces)


def _output(
    command: Sequence[str],
    stream: Iterable[bytes] | None,
    what: str,
    advice: str,
    messages: deque[bytes],
) -> Iterator[bytes]:
    """The standard output of ffmpeg; of a stream on its input if there is one.

    Appends its messages.
    """
    process = start_ffmpeg(command, has_input=stream is not None)
    threads = [start_reader(process.stderr, messages.extend)]
    errors: list[BaseException] = []
    if stream is not None:
        threads.append(_feeder(process.stdin, stream, errors))
    try:
        while pcm := opened_pipe(process.stdout).read(DECODE_BYTES):
            yield pcm
        code = process.wait()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        if code != 0:
            raise EncoderFailed(
                f"ffmpeg cannot read {what}: {shown_messages(messages, code)}.\n{advice}"
            )
    finally:
        end_process(process)
        for thread in threads:
            thread.join()
        close_pipes(process)


def _feeder(
    pipe: IO[bytes] | None, stream: Iterable[bytes], errors: list[BaseException]
) -> threading.Thread:
    """Start a thread that writes the stream to `pipe`. Appends what reading the stream raises."""

    def feed() -> None:
        # A decoder that stops early says why itself.
        with contextlib.suppress(BrokenPipeError):
            try:
                for data in stream:
                    opened_pipe(pipe).write(data)
            except OSError as error:
                if not isinstance(error, BrokenPipeError):
                    errors.append(error)
            finally:
                opened_pipe(pipe).close()

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    return feeder


def describe(path: Path) -> tuple[str, str]:
    """(tags and chapters in ffmpeg's metadata format, ffmpeg's messages on the streams) of a file.

    The first is "" if ffmpeg finds no sound in it. Raises EncoderMissing.
    """
    command = metadata_command(find_ffmpeg(), path, with_streams=True)
    process = start_ffmpeg(command, has_input=False)
    written, messages = process.communicate()
    report = written.decode(errors="replace") if process.returncode == 0 else ""
    return report, messages.decode(errors="replace")


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
