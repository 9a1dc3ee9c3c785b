"""Samples that one process has made and another reads, without a copy. Knows arrays, no engine.

The memory has no name: it is passed on as a file descriptor, and the kernel takes it back once
neither process maps it any more, whatever they died of. It is not bound by the size of /dev/shm,
which in a container is often 64 MB.
"""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from renderers.shard import Samples


def written(pieces: Sequence[Samples]) -> int:
    """A descriptor of memory that holds `pieces`, one after the other. To be closed."""
    descriptor = _nameless()
    try:
        n_samples = sum(piece.size for piece in pieces)
        if n_samples:
            os.ftruncate(descriptor, n_samples * np.dtype(np.float32).itemsize)
            with mmap.mmap(descriptor, 0) as room:
                np.concatenate(pieces, out=np.frombuffer(room, np.float32))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read(descriptor: int, sizes: Sequence[int]) -> list[Samples]:
    """The pieces of those sizes, in samples. They may be changed here; nobody else sees it.

    Closes the descriptor. The memory lasts until the last of them is gone.
    """
    try:
        if not any(sizes):
            return [np.zeros(0, np.float32) for _ in sizes]
        room = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    finally:
        os.close(descriptor)
    samples = np.frombuffer(room, np.float32)
    ends = accumulate(sizes, initial=0)
    return [samples[first:end] for first, end in pairwise(ends)]


def _nameless() -> int:
    if sys.platform == "linux":
        return os.memfd_create("audiomill")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
