"""How much memory this process and those it started have held at most. Knows Linux and others.

Linux keeps the peak of each process (VmHWM) and forgets it when asked; elsewhere there is only the
peak since a process began.
"""

from __future__ import annotations

import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
FORGET_PEAK = "5"  # to be written to clear_refs; see proc_pid_clear_refs(5)
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
KIB = 1 << 10


def forget_peak() -> None:
    """Count from now on, where the system can."""
    for process in _family(PROC / "self"):
        try:
            (process / "clear_refs").write_text(FORGET_PEAK)
        except OSError:
            continue  # no such file, not ours, or gone


def peak_bytes() -> int:
    """The most that this process has held, and each of its children, added up.

    Of children that have ended, the largest counts. Peaks need not have been at the same time, so
    this is never too little.
    """
    known = [peak for process in _family(PROC / "self") if (peak := _peak_bytes(process))]
    living = sum(known) or _since_its_start(resource.RUSAGE_SELF)
    return living + _since_its_start(resource.RUSAGE_CHILDREN)


def _since_its_start(who: int) -> int:
    unit = 1 if sys.platform == "darwin" else KIB
    return resource.getrusage(who).ru_maxrss * unit


def _family(process: Path) -> Iterator[Path]:
    """The folders in /proc of a process and of all that it started and that still run."""
    yield process
    for children in process.glob("task/*/children"):
        try:
            pids = children.read_text().split()
        except OSError:
            continue
        for pid in pids:
            yield from _family(PROC / pid)


def _peak_bytes(process: Path) -> int | None:
    try:
        found = _PEAK.search((process / "status").read_text())
    except OSError:
        return None
    return int(found[1]) * KIB if found else None
