"""One call's rows in shares, one for each card. Pure.

lengths  9 2 8 3 9 1      two cards      shares  9 9 | 8 3 2 1

Rows of like length stay together, so that batches cut from a share are padded little more than
those that are cut from all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

# Of phonemes in a share. Fewer are spoken in the time that it takes to start their batches.
LEAST_TOKENS = 1_000


def shares(lengths: Sequence[int], n_cards: int) -> list[tuple[int, ...]]:
    """Indices of `lengths`, the longest first, in at most `n_cards` runs that are as long to say.

    Together they are all indices. A share is longer than the mean by one row at most.
    """
    longest_first = np.argsort(-np.asarray(lengths, np.int64), kind="stable")
    sorted_lengths = np.asarray(lengths, np.int64)[longest_first]
    total = int(sorted_lengths.sum())
    n_shares = max(1, min(n_cards, total // LEAST_TOKENS))
    middles = np.cumsum(sorted_lengths) - sorted_lengths / 2
    numbers = (middles * n_shares // max(1, total)).tolist()
    pairs = zip(numbers, longest_first.tolist(), strict=True)
    return [tuple(index for _, index in run) for _, run in groupby(pairs, key=lambda pair: pair[0])]
