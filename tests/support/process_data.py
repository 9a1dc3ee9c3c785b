"""The processes that a test has started and that still run."""

import time
from pathlib import Path

import psutil

PATIENCE_S = 60.0


def children() -> list[psutil.Process]:
    """Of this process and of its children, but for Python's own helper, which outlives a test."""
    return [child for child in psutil.Process().children(recursive=True) if _is_ours(child)]


def _is_ours(child: psutil.Process) -> bool:
    try:
        return not any("resource_tracker" in word for word in child.cmdline())
    except psutil.NoSuchProcess:  # it has ended meanwhile
        return False


def started_in(home: Path) -> list[list[str]]:
    """The command lines of all whose home folder that is, orphans among them."""
    return [words for one in psutil.process_iter() if (words := _words(one, home))]


def outlived(home: Path) -> list[list[str]]:
    """What still runs there after all the time that it may take to notice that it should not."""
    deadline = time.monotonic() + PATIENCE_S
    while (found := started_in(home)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _words(process: psutil.Process, home: Path) -> list[str]:
    """None for what runs elsewhere, is somebody else's, or has ended but is still in the table."""
    try:
        return process.cmdline() if process.environ().get("HOME") == str(home) else []
    except psutil.Error:
        return []
