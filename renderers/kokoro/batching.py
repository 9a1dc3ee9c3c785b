"""Rows of like length put together, so that little of a padded batch is padding. Pure.

lengths  9 4 8 3 9      budget 20
batches  9 9 | 8 4 · · · · | 3        a batch computes rows times its longest
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
    """Indices of `lengths`, the longest first, in batches of at most `budget` places.

    A row that is longer than the budget is a batch of its own.
    """
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    first = 0
    while first < len(order):
        rows = max(1, budget // lengths[order[first]])
        yield tuple(order[first : first + rows])
        first += rows


def computed(lengths: Sequence[int], budget: int) -> int:
    """The places that are computed for rows of these lengths, padding included."""
    return sum(
        len(batch) * max(lengths[index] for index in batch) for batch in batches(lengths, budget)
    )
