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
# As many as PyTorch takes, by the cores or by OMP_NUM_THREADS. Looked up once: a lane's choice of
# one thread holds for every thread that is started after it.
N_LANES = torch.get_num_threads()


class Lanes:
    """Threads in each of which PyTorch takes one."""

    def __init__(self, n_lanes: int = N_LANES) -> None:
        self._pool = ThreadPoolExecutor(
            n_lanes, "kokoro", initializer=torch.set_num_threads, initargs=(1,)
        )

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """What `work` makes of each, in their order. Raises what `work` raises."""
        return self._pool.map(work, items)
