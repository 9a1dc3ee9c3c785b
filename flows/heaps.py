"""How much memory the C library keeps for itself. Knows glibc; does nothing elsewhere."""

from __future__ import annotations

import ctypes

_M_ARENA_MAX = -8  # mallopt(3)
# One heap for two threads at work. Left alone, glibc starts one for each thread up to eight a
# core, and what is free in one is of no use in another: a 10-hour book then took 44 MiB more than
# a 1-hour one, with this 18 MiB, most of it the book's text.
_N_HEAPS = 2


def share_heaps() -> None:
    """Let all threads that begin from now on share two heaps."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, _N_HEAPS)
