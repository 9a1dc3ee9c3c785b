"""Limits the memory that the C library keeps for itself. Knows glibc; does nothing elsewhere.

By default glibc starts a heap for each thread, up to eight per core, and memory that is free in one
heap is of no use to another. It also takes arrays of up to 32 MiB from heaps, which can only shrink
at their ends. So a 10-hour book took 44 MiB more than a 1-hour book.

But an array that comes from no heap comes from the kernel, page by page, and so does an array from
a heap that has just shrunk. Audio is passed on a segment at a time, 330 KB on average and sometimes
1 MB. With a threshold of 256 KiB, a quarter of our own processor time was spent on such pages. With
512 KiB it was still a fifth of the time of mastering, with seventeen times as many pages as now.
"""

from __future__ import annotations

import ctypes

# mallopt(3)
_M_ARENA_MAX, _N_HEAPS = -8, 2
_M_MMAP_THRESHOLD, _LARGE_BYTES = -3, 2 << 20  # an array of this size is returned when it is freed
_M_TRIM_THRESHOLD, _KEPT_BYTES = -1, 8 << 20  # free at a heap's end before it shrinks


def limit_malloc_arenas() -> None:
    """Make threads that start from now on share two heaps, and keep large arrays out of both."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, _N_HEAPS)
        mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
