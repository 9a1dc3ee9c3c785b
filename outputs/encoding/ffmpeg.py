"""Runs ffmpeg: feeds encoders, reads decoders, and reports ffmpeg's own messages.

Knows processes and pipes, not formats, chapters or tags.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import numpy as np

from audiomill.outputs.encoding.commands import (
    decode_command,
    metadata_command,
    stream_decode_command,
)
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg, install_hint
from audiomill.outputs.files import unwritable
from audiomill.outputs.text import capped, one_line
from audiomill.outputs.types import EncoderFailed, EncoderMissing, OutputError
from audiomill.renderers.base import Samples

# The most that Linux grants without privileges: 20 s of speech, so that a pause in this process
# starves no encoder.
PIPE_BYTES = 1 << 20
DECODE_BYTES = 1 << 18
MAX_MESSAGE_LINES = 40  # kept of ffmpeg's standard error; the last lines say why it stopped
SHOWN_LINES = 4
SHOWN_BYTES = 160  # of each line
# ffmpeg's messages for disk errors, as opposed to encoding errors.
_DISK_ERRORS = {
    "No space left on device": errno.ENOSPC,
    "Disk quota exceeded": errno.EDQUOT,
    "File too large": errno.EFBIG,
    "Read-only file system": errno.EROFS,
    "Permission denied": errno.EACCES,
}


class Encoder:
    """A running ffmpeg that encodes what `write` gives it. Not thread-safe.

    Use as a context manager: on exit ffmpeg has finished, or is killed and reaped. Its standard
    output is appended to `stdout`, if given. All methods raise EncoderFailed with ffmpeg's
    messages, or OutputUnwritable if these report a disk error.
    """

    def __init__(
        self, command: Sequence[str], output: Path, stdout: bytearray | None = None
    ) -> None:
        self._command = list(command)
        self._output = output
        self._stdout = stdout
        self._messages: deque[bytes] = deque(maxlen=MAX_MESSAGE_LINES)

    def __enter__(self) -> Self:
        stdout = subprocess.DEVNULL if self._stdout is None else subprocess.PIPE
        self._process = _started(self._command, subprocess.PIPE, stdout)
        self._readers = [_reader(self._process.stderr, self._messages.extend)]
        if self._stdout is not None:
            result = self._stdout
            self._readers.append(
                _reader(self._process.stdout, lambda pipe: result.extend(pipe.read()))
            )
        return self

    def write(self, pcm: bytes) -> None:
        """Send the next samples; blocks while ffmpeg is behind."""
        try:
            _pipe(self._process.stdin).write(pcm)
        except BrokenPipeError:
            self._reap()
            raise self._failure() from None

    def close(self) -> None:
        """End the input. ffmpeg continues to finish the file; the context exit waits for it."""
        try:
            _pipe(self._process.stdin).close()
        except BrokenPipeError:
            self._reap()
            raise self._failure() from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.close()
                self._reap()
                # Some builds exit with 0 even though the last block could not be written.
                if self._process.returncode != 0 or self._disk_error():
                    raise self._failure()
        finally:
            _kill(self._process)
            self._join_readers()
            _close_pipes(self._process)

    def _reap(self) -> None:
        self._process.wait()
        self._join_readers()

    def _join_readers(self) -> None:
        for reader in self._readers:
            reader.join()

    def _disk_error(self) -> OSError | None:
        """The disk error that ffmpeg's messages or its end report, if any."""
        if self._process.returncode == -signal.SIGXFSZ:  # a limit of this process's user
            return OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        text = b"".join(self._messages).decode(errors="replace")
        errors = (OSError(code, reason) for reason, code in _DISK_ERRORS.items() if reason in text)
        return next(errors, None)

    def _failure(self) -> OutputError:
        if error := self._disk_error():
            return unwritable(self._output, error)
        if not self._output.parent.is_dir():
            return unwritable(self._output, FileNotFoundError(errno.ENOENT, "gone"))
        shown = _shown(self._messages, self._process.returncode)
        return EncoderFailed(
            f"ffmpeg failed on {self._output.name}: {shown}.\n"
            f"Try again or choose another format. If that does not help: {install_hint()}"
        )


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
    stdin = subprocess.DEVNULL if stream is None else subprocess.PIPE
    process = _started(list(command), stdin, subprocess.PIPE)
    threads = [_reader(process.stderr, messages.extend)]
    errors: list[BaseException] = []
    if stream is not None:
        threads.append(_feeder(process.stdin, stream, errors))
    try:
        while pcm := _pipe(process.stdout).read(DECODE_BYTES):
            yield pcm
        code = process.wait()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        if code != 0:
            raise EncoderFailed(f"ffmpeg cannot read {what}: {_shown(messages, code)}.\n{advice}")
    finally:
        _kill(process)
        for thread in threads:
            thread.join()
        _close_pipes(process)


def _feeder(
    pipe: IO[bytes] | None, stream: Iterable[bytes], errors: list[BaseException]
) -> threading.Thread:
    """Start a thread that writes the stream to `pipe`. Appends what reading the stream raises."""

    def feed() -> None:
        # A decoder that stops early says why itself.
        with contextlib.suppress(BrokenPipeError):
            try:
                for data in stream:
                    _pipe(pipe).write(data)
            except OSError as error:
                if not isinstance(error, BrokenPipeError):
                    errors.append(error)
            finally:
                _pipe(pipe).close()

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    return feeder


def describe(path: Path) -> tuple[str, str]:
    """(tags and chapters in ffmpeg's metadata format, ffmpeg's messages on the streams) of a file.

    The first is "" if ffmpeg finds no sound in it. Raises EncoderMissing.
    """
    command = metadata_command(find_ffmpeg(), path, with_streams=True)
    process = _started(command, subprocess.DEVNULL, subprocess.PIPE)
    written, messages = process.communicate()
    told = written.decode(errors="replace") if process.returncode == 0 else ""
    return told, messages.decode(errors="replace")


def _started(command: list[str], stdin: int, stdout: int) -> subprocess.Popen[bytes]:
    """Start ffmpeg in its own process group: Ctrl-C reaches only this process, which stops it."""
    try:
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            process_group=0,
        )
    except OSError as error:
        raise EncoderMissing(
            f"{command[0]} cannot be started ({error.strerror}).\n{install_hint()}"
        ) from error
    _widen(process.stdin or process.stdout)
    return process


def _widen(pipe: IO[bytes] | None) -> None:
    """Raise the pipe's capacity to PIPE_BYTES where the system can; only speed depends on it."""
    request = getattr(fcntl, "F_SETPIPE_SZ", None)
    if pipe is not None and request is not None:
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, request, PIPE_BYTES)


def _reader(pipe: IO[bytes] | None, consume: Callable[[IO[bytes]], None]) -> threading.Thread:
    """Start a thread that drains `pipe`, so that ffmpeg never blocks on writing to it."""

    def read() -> None:
        with _pipe(pipe) as opened:
            consume(opened)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    return reader


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("that end of ffmpeg was not opened as a pipe")
    return pipe


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process if it still runs, and reap it."""
    if process.poll() is None:
        process.kill()
    process.wait()


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):  # data that ffmpeg did not read is lost
                pipe.close()


def _shown(messages: deque[bytes], returncode: int) -> str:
    """The last of ffmpeg's messages, on one line."""
    lines = b"".join(messages).decode(errors="replace").strip().splitlines()[-SHOWN_LINES:]
    shown = "; ".join(capped(one_line(line).rstrip("."), SHOWN_BYTES) for line in lines)
    return shown or f"no message, exit status {returncode}"
