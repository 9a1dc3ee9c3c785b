"""Waits for conditions, and the processes that a test has started and that still run."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import psutil

T = TypeVar("T")

# Only ends a test that hangs: no test needs nearly as long, also on a busy machine.
PATIENCE_S = 600.0
POLL_S = 0.01


def wait_until(
    condition: Callable[[], T], process: subprocess.Popen | None = None, every_s: float = POLL_S
) -> T:
    """Return the first true result of `condition()`.

    Fails if `process` ends before, or after PATIENCE_S.
    """
    deadline = time.monotonic() + PATIENCE_S
    while not (result := condition()):
        assert process is None or process.poll() is None, "the process ended"
        assert time.monotonic() < deadline, f"nothing within {PATIENCE_S} s"
        time.sleep(every_s)
    return result


def has_imported(log: Path, module: str) -> bool:
    """True once a process with PYTHONPROFILEIMPORTTIME=1 and stderr in `log` has `module`."""
    return any(line.split()[-1:] == [module] for line in log.read_text().splitlines())


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
        time.sleep(POLL_S)
    return found


def _words(process: psutil.Process, home: Path) -> list[str]:
    """None for what runs elsewhere, is somebody else's, or has ended but is still in the table."""
    try:
        return process.cmdline() if process.environ().get("HOME") == str(home) else []
    except psutil.Error:
        return []
