"""The one door to ffmpeg: finding it, feeding it, and passing on its own words when it fails.

Knows processes and pipes, not formats, chapters or tags.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import imageio_ffmpeg
import numpy as np

from audiomill.outputs.encoding.commands import decode_command
from audiomill.outputs.files import unwritable
from audiomill.outputs.text import capped, one_line
from audiomill.outputs.types import EncoderFailed, EncoderMissing, OutputError
from audiomill.renderers.base import Samples

# As much as Linux lets anyone have: 20 s of speech, so that a pause of ours starves no encoder.
PIPE_BYTES = 1 << 20
DECODE_BYTES = 1 << 18
KEPT_LINES = 40  # of what ffmpeg says; the last ones tell why it stopped
SHOWN_LINES = 4
SHOWN_BYTES = 160  # of each line
INSTALL = (
    "Install a full build of ffmpeg, or reinstall ours with: "
    "pip install --force-reinstall imageio-ffmpeg"
)
# What ffmpeg says when the disk, not the sound, is at fault.
_DISK_FAULTS = {
    "No space left on device": errno.ENOSPC,
    "Disk quota exceeded": errno.EDQUOT,
    "File too large": errno.EFBIG,
    "Read-only file system": errno.EROFS,
    "Permission denied": errno.EACCES,
}


def find_ffmpeg(explicit: str | Path | None = None, encoders: Collection[str] = ()) -> str:
    """The ffmpeg to use: the one named, else the one installed with us, else the system's.

    Ours first, because it is the one that is tested: ffmpeg 5.1, which Debian has, ends an M4B a
    sample early and does not trim the end of what it decodes. It runs and has all `encoders`
    ("aac", "libmp3lame"). Raises EncoderMissing, which says what to do.
    """
    named = [str(explicit)] if explicit is not None else [_installed(), shutil.which("ffmpeg")]
    problems: list[str] = []
    for executable in filter(None, named):
        problem = _problem(executable, encoders)
        if not problem:
            return executable
        problems.append(problem)
    wanted = f" that can encode {', '.join(sorted(encoders))}" if encoders else ""
    found = "; ".join(problems) or "none is installed"
    raise EncoderMissing(f"No ffmpeg{wanted} was found: {found}.\n{INSTALL}")


def _installed() -> str | None:
    try:
        return imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        return None


def _problem(executable: str, encoders: Collection[str]) -> str:
    """Why this ffmpeg will not do; nothing if it will."""
    try:
        missing = sorted(set(encoders) - _encoders(executable))
    except OSError as error:
        return f"{executable} does not run ({error.strerror})"
    except subprocess.CalledProcessError as error:
        return f"{executable} does not run (exit status {error.returncode})"
    return f"{executable} has no encoder {', '.join(missing)}" if missing else ""


@functools.cache
def _encoders(executable: str) -> frozenset[str]:
    """Names of the encoders that `executable` lists. Raises OSError, CalledProcessError."""
    listing = subprocess.run(
        [executable, "-hide_banner", "-encoders"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        process_group=0,
    ).stdout.decode(errors="replace")
    rows = (line.split() for line in listing.partition("------")[2].splitlines())
    return frozenset(row[1] for row in rows if len(row) > 1)


class Encoder:
    """An ffmpeg at work, fed by `write`. On leaving it has finished, or is dead and reaped.

    What it writes to its standard output is added to `kept`, if that is given. Raises
    EncoderFailed with ffmpeg's own words, or OutputUnwritable if those blame the disk. Not for
    several threads.
    """

    def __init__(self, command: Sequence[str], output: Path, kept: bytearray | None = None) -> None:
        self._command = list(command)
        self._output = output
        self._kept = kept
        self._words: deque[bytes] = deque(maxlen=KEPT_LINES)

    def __enter__(self) -> Self:
        # A process group of its own: a terminal's Ctrl-C is for us, who then end it in order.
        stdout = subprocess.DEVNULL if self._kept is None else subprocess.PIPE
        self._process = _started(self._command, subprocess.PIPE, stdout)
        self._listeners = [_listening(self._process.stderr, self._words.extend)]
        if self._kept is not None:
            kept = self._kept
            self._listeners.append(
                _listening(self._process.stdout, lambda said: kept.extend(said.read()))
            )
        return self

    def write(self, pcm: bytes) -> None:
        """The next samples; waits while ffmpeg is behind."""
        try:
            _pipe(self._process.stdin).write(pcm)
        except BrokenPipeError:
            self._reap()
            raise self._failure() from None

    def close(self) -> None:
        """No more samples. ffmpeg goes on to finish the file; leaving waits for that."""
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
                # Some builds exit with 0 though the disk took none of the last block.
                if self._process.returncode != 0 or self._disk_fault():
                    raise self._failure()
        finally:
            _stopped(self._process)
            self._hear_out()
            _closed(self._process)

    def _reap(self) -> None:
        self._process.wait()
        self._hear_out()

    def _hear_out(self) -> None:
        for listener in self._listeners:
            listener.join()

    def _disk_fault(self) -> OSError | None:
        """What ffmpeg said of the disk, if it blames the disk."""
        said = b"".join(self._words).decode(errors="replace")
        faults = (OSError(code, reason) for reason, code in _DISK_FAULTS.items() if reason in said)
        return next(faults, None)

    def _failure(self) -> OutputError:
        if fault := self._disk_fault():
            return unwritable(self._output, fault)
        shown = _shown(self._words, self._process.returncode)
        return EncoderFailed(
            f"ffmpeg failed on {self._output.name}: {shown}.\n"
            f"Try again or choose another format. If that does not help: {INSTALL}"
        )


def decode(path: Path, executable: str | None = None) -> Iterator[Samples]:
    """The mono samples of an audio file at its own rate, block by block.

    Raises EncoderFailed with ffmpeg's own words.
    """
    command = decode_command(executable or find_ffmpeg(), path)
    words: deque[bytes] = deque(maxlen=KEPT_LINES)
    process = _started(command, subprocess.DEVNULL, subprocess.PIPE)
    listener = _listening(process.stderr, words.extend)
    try:
        while pcm := _pipe(process.stdout).read(DECODE_BYTES):
            yield np.frombuffer(pcm, "<f4")
        if process.wait() != 0:
            listener.join()
            shown = _shown(words, process.returncode)
            raise EncoderFailed(
                f"ffmpeg cannot read {path}: {shown}.\nCheck that it is a whole audio file."
            )
    finally:
        _stopped(process)
        listener.join()
        _closed(process)


def _started(command: list[str], stdin: int, stdout: int) -> subprocess.Popen[bytes]:
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
            f"{command[0]} cannot be started ({error.strerror}).\n{INSTALL}"
        ) from error
    _widen(process.stdin or process.stdout)
    return process


def _widen(pipe: IO[bytes] | None) -> None:
    """Let the pipe hold PIPE_BYTES where the system can; it works without, a little slower."""
    request = getattr(fcntl, "F_SETPIPE_SZ", None)
    if pipe is not None and request is not None:
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, request, PIPE_BYTES)


def _listening(pipe: IO[bytes] | None, hear: Callable[[IO[bytes]], None]) -> threading.Thread:
    """A thread that takes all ffmpeg says there, so that it never waits to say more."""

    def listen() -> None:
        with _pipe(pipe) as said:
            hear(said)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    return listener


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("that end of ffmpeg was not opened as a pipe")
    return pipe


def _stopped(process: subprocess.Popen[bytes]) -> None:
    """Dead and reaped, whatever it was doing."""
    if process.poll() is None:
        process.kill()
    process.wait()


def _closed(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):  # what it had not read goes with it
                pipe.close()


def _shown(words: deque[bytes], returncode: int) -> str:
    """The last of what ffmpeg said, on one line."""
    lines = b"".join(words).decode(errors="replace").strip().splitlines()[-SHOWN_LINES:]
    shown = "; ".join(capped(one_line(line).rstrip("."), SHOWN_BYTES) for line in lines)
    return shown or f"no message, exit status {returncode}"
