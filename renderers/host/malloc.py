"""How much memory the C library keeps for itself. Knows glibc; does nothing elsewhere.

Left alone, glibc starts a heap for each thread, up to eight a core, and what is free in one is of
no use in another; and it takes arrays of up to 32 MiB from heaps, which can only shrink at their
ends. A 10-hour book then took 44 MiB more than a 1-hour one.

But an array that comes from no heap comes from the kernel, page by page, each time anew, and so
does one from a heap that was just shrunk. Audio is passed on a segment at a time, 330 KB on average
and a megabyte now and then. With 256 KiB as the limit that was a quarter of the mill's own
processor time; with 512 KiB still a fifth of what mastering takes, which asked the kernel for
seventeen times as many pages as now.
"""

from __future__ import annotations

import ctypes

# mallopt(3)
_M_ARENA_MAX, _N_HEAPS = -8, 2
_M_MMAP_THRESHOLD, _LARGE_BYTES = -3, 2 << 20  # an array of that size goes back when it is freed
_M_TRIM_THRESHOLD, _KEPT_BYTES = -1, 8 << 20  # free at a heap's end, before it shrinks


def limit_malloc_arenas() -> None:
    """Let threads that begin from now on share two heaps, and large arrays come from neither."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, _N_HEAPS)
        mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
