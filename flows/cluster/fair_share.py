"""Shares the places for windows among books: each may have as many in flight as any other.

    capacity 6     long novel   ■ ■ ■ ▢ ▢ ▢ ▢ ▢ …
                   novel        ■ ■   ▢ ▢ ▢
                   article      ■                    done after one window's time

Runs in one event loop; needs no lock.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class _Waiting:
    book: Hashable
    priority: int
    is_its_turn: asyncio.Event = field(default_factory=asyncio.Event)


class FairShare:
    """Places in flight. `capacity` tells how many there are; it may change at any time."""

    def __init__(self, capacity: Callable[[], int]) -> None:
        self._capacity = capacity
        self._waiting: list[_Waiting] = []  # in order of arrival
        self._in_flight = Counter[Hashable]()  # by book

    @asynccontextmanager
    async def turn(self, book: Hashable, priority: int = 0) -> AsyncGenerator[None]:
        """Wait for a place, and have it in the block.

        A free place goes to the highest priority, then to the book that has the fewest.
        """
        waiting = _Waiting(book, priority)
        self._waiting.append(waiting)
        try:
            self.give()
            await waiting.is_its_turn.wait()
            yield
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._in_flight[book] -= 1
            self.give()

    def give(self) -> None:
        """Give away all free places: after the capacity has grown, for example."""
        while self._waiting and self._in_flight.total() < self._capacity():
            chosen = min(self._waiting, key=lambda one: (-one.priority, self._in_flight[one.book]))
            self._waiting.remove(chosen)
            self._in_flight[chosen.book] += 1
            chosen.is_its_turn.set()
