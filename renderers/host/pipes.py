"""The pipes of a process that was started with them, and its end. Imports nothing slow."""

from __future__ import annotations

import subprocess
from typing import TypeVar

Pipe = TypeVar("Pipe")


def opened_pipe(pipe: Pipe | None) -> Pipe:
    """The pipe, which a process was started with."""
    if pipe is None:
        raise RuntimeError("that end of the process was not opened as a pipe")
    return pipe


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End the process if it still runs, and reap it."""
    if process.poll() is None:
        process.kill()
    process.wait()
