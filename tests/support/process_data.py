"""The processes that a test has started and that still run."""

import time
from pathlib import Path

import psutil

PATIENCE_S = 60.0


def children() -> list[psutil.Process]:
    """This process's children and theirs, without Python's own helper, which outlives a test."""
    return [child for child in psutil.Process().children(recursive=True) if _is_ours(child)]


def _is_ours(child: psutil.Process) -> bool:
    try:
        return not any("resource_tracker" in word for word in child.cmdline())
    except psutil.NoSuchProcess:  # it has just ended
        return False


def started_in(home: Path) -> list[list[str]]:
    """The command lines of all processes with that home folder, orphans included."""
    return [line for one in psutil.process_iter() if (line := _command_line(one, home))]


def outlived(home: Path) -> list[list[str]]:
    """The command lines of the processes that still run after the time they may take to end."""
    deadline = time.monotonic() + PATIENCE_S
    while (running := started_in(home)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return running


def _command_line(process: psutil.Process, home: Path) -> list[str]:
    """Empty for a process with another home, another user's, or one that has ended."""
    try:
        return process.cmdline() if process.environ().get("HOME") == str(home) else []
    except psutil.Error:
        return []
