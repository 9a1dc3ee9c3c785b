"""Runs ffmpeg: feeds encoders, and reports ffmpeg's own messages. `decoding.py` reads decoders.

Knows processes and pipes, not formats, chapters or tags.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from audiomill.outputs.ffmpeg.find_ffmpeg import install_hint
from audiomill.outputs.files import unwritable
from audiomill.outputs.text import capped, one_line
from audiomill.outputs.types import EncoderFailed, EncoderMissing, OutputError
from audiomill.renderers.host.pipes import end_process, opened_pipe

# The most that Linux grants without privileges: 20 s of speech, so that a pause in this process
# starves no encoder.
PIPE_BYTES = 1 << 20
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
        self._process = start_ffmpeg(self._command, has_output=self._stdout is not None)
        _schedule_as_batch(self._process.pid)
        self._readers = [start_reader(self._process.stderr, self._messages.extend)]
        if self._stdout is not None:
            result = self._stdout
            self._readers.append(
                start_reader(self._process.stdout, lambda pipe: result.extend(pipe.read()))
            )
        return self

    def write(self, pcm: bytes) -> None:
        """Send the next samples; blocks while ffmpeg is behind."""
        try:
            opened_pipe(self._process.stdin).write(pcm)
        except BrokenPipeError:
            self._reap()
            raise self._failure() from None

    def close(self) -> None:
        """End the input. ffmpeg continues to finish the file; the context exit waits for it."""
        try:
            opened_pipe(self._process.stdin).close()
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
            end_process(self._process)
            self._join_readers()
            close_pipes(self._process)

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
        shown = shown_messages(self._messages, self._process.returncode)
        return EncoderFailed(
            f"ffmpeg failed on {self._output.name}: {shown}.\n"
            f"Try again or choose another format. If that does not help: {install_hint()}"
        )


def start_ffmpeg(
    command: Sequence[str], *, has_input: bool = True, has_output: bool = True
) -> subprocess.Popen[bytes]:
    """Start ffmpeg with pipes, in its own process group. Raises EncoderMissing.

    So Ctrl-C reaches only this process, which stops it.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE if has_output else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            process_group=0,
        )
    except OSError as error:
        raise EncoderMissing(
            f"{command[0]} cannot be started ({error.strerror}).\n{install_hint()}"
        ) from error
    _widen(process.stdin or process.stdout)
    return process


def _schedule_as_batch(pid: int) -> None:
    """Have Linux let a thread go on that wakes another one; only speed depends on it.

    ffmpeg hands each packet from one thread to the next. Where packets are copied, most of its time
    would be switching between the two.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # not allowed here, or the process has ended
            os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))


def _widen(pipe: IO[bytes] | None) -> None:
    """Raise the pipe's capacity to PIPE_BYTES where the system can; only speed depends on it."""
    request = getattr(fcntl, "F_SETPIPE_SZ", None)
    if pipe is not None and request is not None:
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, request, PIPE_BYTES)


def start_reader(pipe: IO[bytes] | None, consume: Callable[[IO[bytes]], None]) -> threading.Thread:
    """Start a thread that drains `pipe`, so that ffmpeg never blocks on writing to it."""

    def read() -> None:
        with opened_pipe(pipe) as opened:
            consume(opened)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    return reader


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """Close what was written to and read from the process."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):  # data that ffmpeg did not read is lost
                pipe.close()


def shown_messages(messages: deque[bytes], returncode: int) -> str:
    """The last of ffmpeg's messages, on one line."""
    lines = b"".join(messages).decode(errors="replace").strip().splitlines()[-SHOWN_LINES:]
    shown = "; ".join(capped(one_line(line).rstrip("."), SHOWN_BYTES) for line in lines)
    return shown or f"no message, exit status {returncode}"
