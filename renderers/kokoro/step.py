"""Rows through one step of the model, in batches that fit. Knows lengths and memory; knows no rows.

lengths 9 9 4 3     batches  9 9 | 4 3     out of memory at the first: 9 | 9 | 4 3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import torch

from renderers.kokoro.batching import Cut
from renderers.shard import EngineFailed

T = TypeVar("T")
Indices = Sequence[int]
# In the words of PyTorch's allocator for CPUs, of the driver, and of its libraries.
NO_MEMORY = (
    *("DefaultCPUAllocator", "CUDA error: out of memory", "Triton Error [CUDA]: out of memory"),
    *("CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED"),
)


class Spread(Protocol):
    """Like `map`."""

    def __call__(
        self, work: Callable[[Indices], list[T]], batches: Iterable[Indices], /
    ) -> Iterator[list[T]]:
        """What `work` makes of each batch, in their order, perhaps several at a time."""
        ...


class Step:
    """One step on one device. It takes on less after it has run out of memory."""

    def __init__(self, device: torch.device, budget: int, cut: Cut, spread: Spread) -> None:
        """`budget`: places that a batch has room for, as `cut` counts; `spread` is like `map`."""
        self.budget = budget
        self._device, self.cut, self._spread = device, cut, spread

    def run(self, lengths: Sequence[int], work: Callable[[Indices], list[T]]) -> list[T]:
        """What `work` makes of each row, in the rows' order.

        Where memory runs out, what is not done yet is cut anew, to batches of half the size. Raises
        EngineFailed if there is no room for a single row.
        """
        done: dict[int, T] = {}
        while len(done) < len(lengths):
            left = [index for index in range(len(lengths)) if index not in done]
            batches = self._batches(lengths, left)
            made = self._spread(work, batches)
            for batch in batches:
                try:
                    done.update(zip(batch, next(made), strict=True))
                except (RuntimeError, MemoryError) as error:
                    if not is_out_of_memory(error):
                        raise
                    self._take_on_less([lengths[index] for index in batch], error)
                    break
        return [done[index] for index in range(len(lengths))]

    def _batches(self, lengths: Sequence[int], left: Sequence[int]) -> list[Indices]:
        batches = self.cut.batches([lengths[index] for index in left], self.budget)
        return [[left[place] for place in batch] for batch in batches]

    def _take_on_less(self, lengths: Sequence[int], error: Exception) -> None:
        """Half of what has just failed, which may be far less than the budget."""
        if len(lengths) == 1:
            raise EngineFailed(_no_room(self._device)) from error
        self.budget = self.cut.places(lengths) // 2


def is_out_of_memory(error: Exception) -> bool:
    """Whether that is what PyTorch or NumPy has met; not all that may tell of it have a type."""
    kinds = (torch.OutOfMemoryError, MemoryError)
    return isinstance(error, kinds) or any(words in str(error) for words in NO_MEMORY)


def _no_room(device: torch.device) -> str:
    way_out = (
        "have fewer of them spoken at a time: OMP_NUM_THREADS=1"
        if device.type == "cpu"
        else "set kokoro.device to cpu"
    )
    return (
        f"{device} has no memory left for a single segment. Give it less other work, or {way_out}."
    )
