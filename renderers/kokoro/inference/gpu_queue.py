"""Shares of work waiting for cards, and what is done where one fails. Knows no processes, no sound.

put ─▶ waiting ─▶ taken by whichever card is free ─▶ its future
          └── given back: the card has failed ──┘

What a card has failed at goes to another, while there is one; what has failed too often fails for
good, and so does everything once no card is left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import groupby
from threading import Condition
from typing import Generic, TypeVar

import numpy as np

from audiomill.renderers.base import EngineFailed, RenderError

T = TypeVar("T")
MOST_TRIES = 3  # of one share, by whichever cards
PLENTY = 2  # shares for each card; with 1 the end of a book took a fifth longer on four


@dataclass(slots=True, eq=False)
class WorkItem(Generic[T]):
    """Some rows for one card, and what will come of them."""

    order: object  # what the card is sent
    done: Future[T] = field(default_factory=Future[T])
    failed_on: list[int] = field(default_factory=list[int])  # cards, once for each try


class GpuQueue(Generic[T]):
    """Any thread may use it."""

    def __init__(self, devices: Iterable[str]) -> None:
        """A card is known by its place in `devices`, whose names are for people."""
        self._devices = tuple(devices)
        self._cards = set(range(len(self._devices)))  # that are not given up
        self._waiting: deque[WorkItem[T]] = deque()
        self._words = "Kokoro was closed"
        self._is_closed = False
        self._changed = Condition()

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is taken."""
        return self._is_closed

    def put(self, shares: Iterable[WorkItem[T]]) -> None:
        """Have `shares` done, in about their order."""
        with self._changed:
            self._waiting.extend(shares)
            self._settle()

    def take(self, card: int) -> WorkItem[T] | None:
        """The next for a card that has nothing to do, once there is one; None when it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._next(card) is not None)
            return self._taken(card)

    def take_ahead(self, card: int) -> WorkItem[T] | None:
        """The next for a card that is still at work, where there are enough for all the others.

        What waits at a card could otherwise have been begun by one that is free before.
        """
        with self._changed:
            is_plenty = len(self._waiting) >= PLENTY * len(self._cards)
            return self._taken(card) if is_plenty else None

    def give_back(self, share: WorkItem[T]) -> None:
        """A card has not begun it, and will not."""
        with self._changed:
            self._waiting.appendleft(share)
            self._settle()

    def fail(self, card: int, share: WorkItem[T], reason: str) -> None:
        """A card has failed at `share`, for a `reason` that may be the card's own."""
        with self._changed:
            share.failed_on.append(card)
            self._words = f"Kokoro has failed on {self._devices[card]}: {reason}"
            if len(share.failed_on) < MOST_TRIES:
                self._waiting.appendleft(share)
            else:
                share.done.set_exception(self._failure())
            self._settle()

    def refuse(self, error: RenderError) -> None:
        """Whatever is waiting would end in `error` too."""
        with self._changed:
            while self._waiting:
                self._waiting.popleft().done.set_exception(error)

    def give_up(self, card: int) -> None:
        """A card takes no more."""
        with self._changed:
            self._cards.discard(card)
            self._settle()

    def close(self) -> None:
        """Nothing more is taken."""
        with self._changed:
            self._is_closed = True
            self._settle()

    def _settle(self) -> None:
        while self._waiting and (self._is_closed or not self._cards):
            self._waiting.popleft().done.set_exception(self._failure())
        self._changed.notify_all()

    def _next(self, card: int) -> WorkItem[T] | None:
        """The first that it has not failed at, or that all others have failed at too."""
        others = self._cards - {card}
        return next(
            (
                share
                for share in self._waiting
                if card not in share.failed_on or others <= set(share.failed_on)
            ),
            None,
        )

    def _taken(self, card: int) -> WorkItem[T] | None:
        share = self._next(card)
        if share is not None:
            self._waiting.remove(share)
        return share

    def _failure(self) -> EngineFailed:
        return EngineFailed(
            f"{self._words}. What is finished is kept: run the same command again. If that ends the"
            " same way, set kokoro.device to a device that works, or to cpu."
        )


# One call's rows in shares, one for each card.

# Of phonemes in a share. Fewer are spoken in the time that it takes to start their batches.
LEAST_TOKENS = 1_000


def split_by_phonemes(lengths: Sequence[int], n_cards: int) -> list[tuple[int, ...]]:
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
