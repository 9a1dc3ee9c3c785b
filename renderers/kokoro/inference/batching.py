"""Groups rows of similar length into batches, so that little of a padded batch is padding. Pure.

lengths  9 4 8 3 9      budget 30, overhead 2
batches  9 9 8 · | 4 3 ·        computed 27 + 8; one batch of all would be 45, and over the budget

Dynamic programming finds the cheapest of all groupings. A batch costs the number of its rows times
its longest row, plus an overhead. The cheapest grouping is always one of consecutive rows, sorted
by length. A place is one frame or token of a batch, padding included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

# The cost of one more batch on a GPU, in frames: it starts some 1,500 kernels at about 5 µs each,
# and in these 8 ms the GPU could compute 4 s of audio, at 500 times real time. In the cheapest
# grouping, padding and overheads cost about the same; near it, costs change little
# (docs/design/kokoro.md).
OVERHEAD_FRAMES = 160
# The padded tensors of a packed batch (noise, source, audio, phonemes) take 9 KB a frame, of 190 KB
# a frame in fp16 and 356 KB in tf32: a twentieth, on the safe side.
PADDED_PART = 20
# Text and prosody are little work for each token or frame: 1.1 and 0.3 µs on an H100. But their
# LSTMs take 13 µs for every token or frame of the longest row, however many rows there are: some 25
# ms a batch for the five of a text, 12 ms for the one of prosody.
OVERHEAD_LSTM = 100 * OVERHEAD_FRAMES


def batches(
    lengths: Sequence[int], budget: int, overhead: int = OVERHEAD_FRAMES
) -> Iterator[tuple[int, ...]]:
    """Indices of `lengths`, the longest first, in padded batches of at most `budget` places.

    A row that is longer than the budget is a batch of its own. `overhead` is the cost of a batch
    beside its places, in places.
    """
    order = np.argsort(-np.asarray(lengths, np.int64), kind="stable")
    n_rows = _cheapest_batches(np.asarray(lengths, np.int64)[order], budget, overhead)
    first = 0
    while first < len(order):
        yield tuple(order[first : first + n_rows[first]].tolist())
        first += int(n_rows[first])


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
    """The number of places that an unpadded batch takes memory for.

    Its inputs and outputs are padded. That is little, except for a long row among short ones.
    """
    return places + (n_rows * longest - places) // PADDED_PART


class BatchPolicy(Protocol):
    """A way to group rows into batches."""

    def batches(self, lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
        """Indices of `lengths`, the longest first, in batches of at most `budget` places."""
        ...

    def places(self, lengths: Sequence[int]) -> int:
        """The number of places computed for one batch of rows of these lengths."""
        ...


@dataclass(frozen=True, slots=True)
class PaddedBatches:
    """Rows padded to the longest of the batch; `overhead` as in `batches`."""

    overhead: int

    def batches(self, lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
        """Implement `BatchPolicy.batches`."""
        return batches(lengths, budget, self.overhead)

    def places(self, lengths: Sequence[int]) -> int:
        """Implement `BatchPolicy.places`."""
        return len(lengths) * max(lengths)


@dataclass(frozen=True, slots=True)
class PackedBatches:
    """Rows one after the other, without padding."""

    def batches(self, lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
        """Implement `BatchPolicy.batches`."""
        return packed(lengths, budget)

    def places(self, lengths: Sequence[int]) -> int:
        """Implement `BatchPolicy.places`."""
        return sum(lengths)


def computed(lengths: Sequence[int], budget: int, policy: BatchPolicy | None = None) -> int:
    """The number of places computed for rows of these lengths, padding included."""
    policy = policy or PaddedBatches(OVERHEAD_FRAMES)
    return sum(
        policy.places([lengths[index] for index in batch])
        for batch in policy.batches(lengths, budget)
    )


def _cheapest_batches(lengths: NDArray[np.int64], budget: int, overhead: int) -> NDArray[np.int64]:
    """For each row, the number of rows in the cheapest batch that starts there.

    `lengths` are sorted, the longest first.
    """
    n = len(lengths)
    rows = np.arange(1, n + 1)
    costs = np.zeros(n + 1, np.int64)  # of this row and all after it
    n_rows = np.ones(n, np.int64)
    for first in range(n - 1, -1, -1):
        most = max(1, min(budget // int(lengths[first]), n - first))
        candidates = rows[:most] * lengths[first] + costs[first + 1 : first + 1 + most]
        best = int(candidates.argmin())
        costs[first] = candidates[best] + overhead
        n_rows[first] = best + 1
    return n_rows
