"""How much memory the C library keeps for itself. Knows glibc; does nothing elsewhere.

Left alone, glibc starts a heap for each thread, up to eight a core, and what is free in one is of
no use in another; and it takes arrays of up to 32 MiB from heaps, which can only shrink at their
ends. A 10-hour book then took 44 MiB more than a 1-hour one.
"""

from __future__ import annotations

import ctypes

# mallopt(3)
_M_ARENA_MAX, _N_HEAPS = -8, 2
_M_MMAP_THRESHOLD, _LARGE_BYTES = -3, 256 << 10  # an array of that size goes back when it is freed


def keep_heaps_small() -> None:
    """Let threads that begin from now on share two heaps, and large arrays come from neither."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, _N_HEAPS)
        mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
