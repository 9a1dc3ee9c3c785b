"""How many cores this process may use.

    affinity   taskset, Slurm, docker --cpuset-cpus   the cores themselves
    quota      docker --cpus, limits of Kubernetes    time: 2 cores of 64, wherever they are

The files of quotas: https://docs.kernel.org/admin-guide/cgroup-v2.html (cpu.max), and
https://docs.kernel.org/scheduler/sched-bwc.html for version 1.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

OWN_GROUPS = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")
UNLIMITED = ("max", "-1")


def usable_cores() -> int:
    """The number of cores that this process may use: a container may have two of 64."""
    return max(1, math.ceil(min(len(affinity()), quota_cores())))


def quota_cores() -> float:
    """The smallest quota of this process's control groups, in cores; infinity without one."""
    return min(map(_quota, _group_folders()), default=math.inf)


def affinity() -> Collection[int]:
    """The numbers of the cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return range(os.cpu_count() or 1)


def _group_folders() -> Iterator[Path]:
    """The folders of our groups and of those above them. A container sees its own as the root."""
    try:
        lines = OWN_GROUPS.read_text().splitlines()
    except OSError:  # not Linux
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        root = GROUPS / "cpu" if controllers else GROUPS
        own = PurePosixPath(path.lstrip("/"))
        yield from (root / folder for folder in (own, *own.parents))


def _quota(folder: Path) -> float:
    """The quota of a group in cores; infinity if it has none, or cannot be read."""
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota = (folder / "cpu.cfs_quota_us").read_text().strip()
            period = (folder / "cpu.cfs_period_us").read_text().strip()
        return math.inf if quota in UNLIMITED else int(quota) / int(period)
    except (OSError, ValueError):
        return math.inf
