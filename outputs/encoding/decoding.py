"""Reads the output of an ffmpeg that decodes or describes a file or a stream."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np

from audiomill.outputs.encoding.commands import (
    decode_command,
    metadata_command,
    stream_decode_command,
)
from audiomill.outputs.encoding.ffmpeg import (
    MAX_MESSAGE_LINES,
    SHOWN_LINES,
    close_pipes,
    end_process,
    opened_pipe,
    shown_messages,
    start_ffmpeg,
    start_reader,
)
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.text import one_line
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.engine.protocol import Samples

DECODE_BYTES = 1 << 18


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
    told = written.decode(errors="replace") if process.returncode == 0 else ""
    return told, messages.decode(errors="replace")
