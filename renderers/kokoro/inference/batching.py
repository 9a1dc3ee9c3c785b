"""Rows of like length put together, so that little of a padded batch is padding. Pure.

lengths  9 4 8 3 9      budget 30, overhead 2
batches  9 9 8 · | 4 3 ·        computed 27 + 8; one batch of all would be 45, and over the budget

Every way to cut is weighed at once, by dynamic programming: a batch costs its rows times its
longest, and its overhead. Of all ways to put rows together the best is one of these: rows of each
batch next to each other, by length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

# What one more batch costs a GPU, in frames it could have spoken: some 1,500 kernels are started,
# at about 5 µs each, and in 8 ms it speaks 4 s at 500 times real time. At the best of cuts padding
# and overheads cost about the same, and near it little changes: LOG.md says how little.
OVERHEAD_FRAMES = 160
# A token, in the step before, is a tenth of a frame's work: 0.13 of 1.34 GFLOP.
OVERHEAD_TOKENS = 10 * OVERHEAD_FRAMES
# What is padded of a packed batch (noise, source, audio, phonemes: 9 KB a frame) as a part of all
# that it takes, 190 KB a frame in bf16 and 356 in tf32, on the safe side.
PADDED_PART = 20
# What F0 takes of a frame's work is little, and its LSTM takes its time for every frame of the
# longest row, however many rows there are: some 12 ms a batch.
OVERHEAD_INTONED = 100 * OVERHEAD_FRAMES


def batches(
    lengths: Sequence[int], budget: int, overhead: int = OVERHEAD_FRAMES
) -> Iterator[tuple[int, ...]]:
    """Indices of `lengths`, the longest first, in batches of at most `budget` places.

    A row that is longer than the budget is a batch of its own. `overhead` is what a batch costs
    beside its places, in places.
    """
    order = np.argsort(-np.asarray(lengths, np.int64), kind="stable")
    taken = _best_cuts(np.asarray(lengths, np.int64)[order], budget, overhead)
    first = 0
    while first < len(order):
        yield tuple(order[first : first + taken[first]].tolist())
        first += int(taken[first])


def packed(lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
    """Indices of `lengths`, the longest first, in unpadded batches with room for `budget` places.

    A row that is longer than the budget is a batch of its own.
    """
    batch: list[int] = []
    places = longest = 0
    for index in np.argsort(-np.asarray(lengths, np.int64), kind="stable").tolist():
        places += lengths[index]
        if batch and room_packed(len(batch) + 1, longest, places) > budget:
            yield tuple(batch)
            batch, places = [], lengths[index]
        longest = longest if batch else lengths[index]
        batch.append(index)
    if batch:
        yield tuple(batch)


def room_packed(n_rows: int, longest: int, places: int) -> int:
    """How many places an unpadded batch takes memory for.

    What it is given and what comes out is padded: little, but for a long row among short ones.
    """
    return places + (n_rows * longest - places) // PADDED_PART


class BatchPolicy(Protocol):
    """A way to put rows together."""

    def batches(self, lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
        """Indices of `lengths` in batches of at most `budget` places."""
        ...

    def places(self, lengths: Sequence[int]) -> int:
        """What is computed for one batch of rows of these lengths."""
        ...


@dataclass(frozen=True, slots=True)
class PaddedBatches:
    """Rows side by side, all as long as the longest. See `batches` for the overhead."""

    overhead: int

    def batches(self, lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
        """See `Cut`."""
        return batches(lengths, budget, self.overhead)

    def places(self, lengths: Sequence[int]) -> int:
        """See `Cut`."""
        return len(lengths) * max(lengths)


@dataclass(frozen=True, slots=True)
class PackedBatches:
    """Rows one after the other."""

    def batches(self, lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
        """See `Cut`."""
        return packed(lengths, budget)

    def places(self, lengths: Sequence[int]) -> int:
        """See `Cut`."""
        return sum(lengths)


def computed(lengths: Sequence[int], budget: int, cut: BatchPolicy | None = None) -> int:
    """The places that are computed for rows of these lengths, padding included."""
    cut = cut or PaddedBatches(OVERHEAD_FRAMES)
    return sum(
        cut.places([lengths[index] for index in batch]) for batch in cut.batches(lengths, budget)
    )


def _best_cuts(lengths: NDArray[np.int64], budget: int, overhead: int) -> NDArray[np.int64]:
    """How many rows the batch takes that begins with each row; `lengths` fall."""
    n = len(lengths)
    rows = np.arange(1, n + 1)
    cheapest = np.zeros(n + 1, np.int64)  # of all rows from this one on
    taken = np.ones(n, np.int64)
    for first in range(n - 1, -1, -1):
        most = max(1, min(budget // int(lengths[first]), n - first))
        costs = rows[:most] * lengths[first] + cheapest[first + 1 : first + 1 + most]
        best = int(costs.argmin())
        cheapest[first] = costs[best] + overhead
        taken[first] = best + 1
    return taken
