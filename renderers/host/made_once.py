"""Values that are made once for each key, whichever thread asks first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class MadeOnce(Generic[Key, Value]):
    """Makes a value when its key is first asked for. One is made at a time. Thread-safe."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make
        self._made: dict[Key, Value] = {}
        self._lock = Lock()

    def of(self, key: Key) -> Value:
        """The value of `key`. What `make` raises is raised, and the next call tries again."""
        with self._lock:
            if key not in self._made:
                self._made[key] = self._make(key)
            return self._made[key]
