"""A child process of any program, with two pipes of bytes, that never outlives this process.

    parent                                          child, with its own group of processes
    ForeignProcess([program, …]) ─────────────────▶ program … REQUESTS REPLIES HANG_UP
    send(bytes) ──────────────────────────────────▶ descriptor REQUESTS
    read(timeout_s) ◀────────────────────────────── descriptor REPLIES
    last_lines() ◀───────────────────────────────── standard output and error, mixed

The child's program gets the numbers of the three descriptors as its last words. `ChildProcess` is
for functions of ours; this is for programs that another interpreter runs, so nothing is pickled.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from audiomill.renderers.host.child_process import (
    END_TIMEOUT_S,
    POLL_S,
    ChildDied,
    do_nothing,
    signal_at_hang_up,
)

CHUNK_BYTES = 1 << 20
KEPT_LINES = 12
LONGEST_LINE = 1000  # bytes that are kept of a line of the child's
# What another interpreter must not take from ours: it would import our packages, or none.
OURS_ONLY = ("PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")


class ForeignProcess:
    """A running program. One thread at a time may use it."""

    def __init__(
        self, command: Sequence[str | Path], environment: Mapping[str, str] | None = None
    ) -> None:
        """The child's environment variables are ours and `environment`, but for OURS_ONLY.

        Raises OSError if it cannot be started.
        """
        requests, self._requests = os.pipe()
        self._replies, replies = os.pipe()
        hang_up, held_end = os.pipe()  # nothing is written to it
        theirs = (requests, replies, hang_up)
        self._ours = [self._requests, self._replies, held_end]
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        try:
            self._process = subprocess.Popen(
                [*map(str, command), *map(str, theirs)],
                env=foreign_environment(environment or {}),
                pass_fds=theirs,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
            signal_at_hang_up(hang_up, -self._process.pid)
        except BaseException:
            self._close()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        os.set_blocking(self._requests, False)
        self._reader = Thread(target=self._keep_lines, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Of the program, and of its group of processes."""
        return self._process.pid

    def send(self, message: bytes, check: Callable[[], None] = do_nothing) -> None:
        """Write all of `message`; calls `check` while the child does not read.

        Raises ChildDied, and what `check` raises.
        """
        left = memoryview(message)
        while left:
            check()
            if not select.select([], [self._requests], [], POLL_S)[1]:
                continue
            try:
                left = left[os.write(self._requests, left) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise ChildDied(self.kill()) from error

    def read(self, timeout_s: float) -> bytes:
        """Some bytes of its replies; b"" if there are none in time. Raises ChildDied at the end."""
        if not select.select([self._replies], [], [], timeout_s)[0]:
            return b""
        if found := os.read(self._replies, CHUNK_BYTES):
            return found
        raise ChildDied(self.end_code())

    def last_lines(self) -> tuple[str, ...]:
        """The last lines that it has printed."""
        return tuple(self._lines)

    def end_code(self) -> int | None:
        """Its exit code, once it has ended by itself or been killed for taking too long."""
        deadline = time.monotonic() + END_TIMEOUT_S
        # The code is looked at and not taken: as long as it is not, nobody else gets the number.
        while time.monotonic() < deadline:
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            time.sleep(POLL_S / 10)
        return self.kill()

    def kill(self) -> int | None:
        """End it and all that it has started, at once.

        Returns its exit code, which is negative for a signal, or None if it hangs in a driver. Then
        it is left there.
        """
        if self._process.returncode is None:  # else its number may be another process's by now
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_TIMEOUT_S)
            self._reader.join(END_TIMEOUT_S)
            self._close()
        return self._process.returncode

    def _close(self) -> None:
        """Close our ends once: later, their numbers may be those of other files."""
        while self._ours:
            os.close(self._ours.pop())

    def _keep_lines(self) -> None:
        """Keep the last lines, until everybody who could print has ended."""
        assert self._process.stdout is not None  # noqa: S101
        with self._process.stdout as printed:
            while line := printed.readline(LONGEST_LINE):
                # A bar of progress is one long line, which is written anew after each "\r".
                words = line.decode("utf-8", "replace").rstrip().rpartition("\r")[2]
                if words.strip():
                    self._lines.append(words)


def foreign_environment(added: Mapping[str, str]) -> dict[str, str]:
    """Our environment variables for another interpreter, and `added`."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS_ONLY}
    return kept | dict(added)


def run_program(
    command: Sequence[str | Path],
    tell: Callable[[str], None],
    defaults: Mapping[str, str] | None = None,
) -> int:
    """Run a program to its end, and `tell` each line that it prints. Returns its exit code.

    Its environment variables are ours, and those of `defaults` that are not set.

    What stops the run stops the program too, with all that it has started. Raises OSError.
    """
    hang_up, held_end = os.pipe()
    process = None
    try:
        process = subprocess.Popen(
            [*map(str, command)],
            env={**(defaults or {}), **foreign_environment({})},
            pass_fds=[hang_up],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            process_group=0,
        )
        signal_at_hang_up(hang_up, -process.pid)
        for line in process.stdout or ():
            tell(line.rstrip())
        return process.wait()
    finally:
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process is not None and process.stdout is not None:
            process.stdout.close()
        os.close(hang_up)
        os.close(held_end)
