"""Waits for conditions, and the processes that a test has started and that still run."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import psutil

from support.paths import ROOT, TESTS_PATH

T = TypeVar("T")

# Only ends a test that hangs: no test needs nearly as long, also on a busy machine. The longest
# proofs set it (`make prove-long`).
TIMEOUT_S = float(os.environ.get("AUDIOMILL_TEST_TIMEOUT_S", "600"))
POLL_S, LONGEST_POLL_S = 0.01, 0.1
ASKING_SHARE = 0.1  # of the time of a wait, or it takes much from what is waited for


def wait_until(
    condition: Callable[[], T], process: subprocess.Popen | None = None, every_s: float = POLL_S
) -> T:
    """Return the first true result of `condition()`.

    Fails if `process` ends before, or after TIMEOUT_S.
    """
    deadline = time.monotonic() + TIMEOUT_S
    asked_at = time.monotonic()
    while not (result := condition()):
        now = time.monotonic()
        assert process is None or process.poll() is None, "the process ended"
        assert now < deadline, f"nothing within {TIMEOUT_S} s"
        pause_s = min((now - asked_at) / ASKING_SHARE, LONGEST_POLL_S)
        time.sleep(max(every_s, pause_s))
        asked_at = time.monotonic()
    return result


def start_python(
    code: str, *words: object, variables: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[str]:
    """A process that runs this code, and can import what a test can. What it prints is piped."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": TESTS_PATH} | dict(variables or {}),
        stdout=subprocess.PIPE,
        text=True,
        **options,
    )


def printed_by(code: str, *words: object, **variables: str) -> str:
    """What such a process prints. It must end well, and write nothing to stderr."""
    with start_python(code, *words, variables=variables, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=TIMEOUT_S)
    assert (process.returncode, err) == (0, ""), err
    return out


def has_imported(log: Path, module: str) -> bool:
    """True once a process with PYTHONPROFILEIMPORTTIME=1 and stderr in `log` has `module`."""
    return any(line.split()[-1:] == [module] for line in log.read_text().splitlines())


# Python's own helpers and the one of `forked_run`, which outlive a test.
HELPERS = ("resource_tracker", "multiprocessing.forkserver", "support.forked_run")


def children() -> list[psutil.Process]:
    """This process's children and theirs, without HELPERS."""
    return [child for child in psutil.Process().children(recursive=True) if _is_ours(child)]


def _is_ours(child: psutil.Process) -> bool:
    try:
        return not any(helper in word for word in child.cmdline() for helper in HELPERS)
    except psutil.NoSuchProcess:  # it has just ended
        return False


def wait_for_end(processes: list[psutil.Process]) -> None:
    """Until all are dead; orphans may stay in the table until they are reaped."""
    wait_until(lambda: not any(map(_has_not_ended, processes)))


def _has_not_ended(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def started_in(home: Path) -> list[list[str]]:
    """The command lines of all processes with that home folder, orphans included."""
    return [line for one in psutil.process_iter() if (line := command_line(one, home))]


def outlived(home: Path) -> list[list[str]]:
    """The command lines of the processes that still run after the time they may take to end."""
    deadline = time.monotonic() + TIMEOUT_S
    while (running := started_in(home)) and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return running


def command_line(process: psutil.Process, home: Path) -> list[str]:
    """Empty for a process with another home, another user's, or one that has ended."""
    try:
        return process.cmdline() if process.environ().get("HOME") == str(home) else []
    except psutil.Error:
        return []
