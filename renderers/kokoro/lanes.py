"""Threads that each do one piece of work at a time, alone. Knows nothing of what they do.

PyTorch would rather share out each operation among threads, which then wait for each other after
each. On a machine that does something else besides, that waiting takes many times as long as the
work: a thread that the kernel has put aside holds up all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

T = TypeVar("T")
R = TypeVar("R")


class Lanes:
    """As many threads as PyTorch would take, in each of which PyTorch takes one."""

    def __init__(self, n_lanes: int = 0) -> None:
        """`n_lanes`; 0: as many as PyTorch, which goes by the cores or by OMP_NUM_THREADS."""
        self._pool = ThreadPoolExecutor(
            n_lanes or torch.get_num_threads(),
            "kokoro",
            initializer=torch.set_num_threads,
            initargs=(1,),
        )

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """What `work` makes of each, in their order. Raises what `work` raises."""
        return self._pool.map(work, items)
