"""Hands that work until they are sent home: by whoever is done, or when the interpreter ends.

Knows no work. A hand is a thread, often with a process behind it.
"""

from __future__ import annotations

import atexit
from abc import ABC, abstractmethod
from threading import Lock
from typing import Generic, Protocol, Self, TypeVar


class Joins(Protocol):
    """One who works elsewhere."""

    def join(self) -> None:
        """Wait until the work has ended."""
        ...


H = TypeVar("H", bound=Joins)


class Staff(ABC, Generic[H]):
    """Hands that are hired when they are needed. Leaving it closes it."""

    def __init__(self) -> None:
        self._hands: list[H] = []
        self._lock = Lock()
        atexit.register(self.close)

    @abstractmethod
    def _stop(self) -> None:
        """Have all hands stop soon."""

    def close(self) -> None:
        """Let go of what is not done, and wait for all hands."""
        atexit.unregister(self.close)
        self._stop()
        with self._lock:
            hands, self._hands = self._hands, []
        for hand in hands:
            hand.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
