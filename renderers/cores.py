"""How many cores are ours. Knows nothing of what is done on them."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Those that this process may run on: of sixty-four, a container may be bound to two."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
