"""Anonymous memory of this process that its children can open by a path. Linux only."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass


class OpenMemory:
    """A descriptor of anonymous memory, which is closed with the last who needs it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        # Others of the same user may open it as long as this process holds it.
        self.path = f"/proc/{os.getpid()}/fd/{descriptor}"

    def __del__(self) -> None:
        os.close(self._descriptor)


@dataclass(frozen=True, slots=True)
class SharedPiece:
    """`n_bytes` of anonymous memory, from the byte `first` on."""

    memory: OpenMemory
    first: int
    n_bytes: int


def kept_open(descriptor: int) -> OpenMemory | None:
    """The memory of a descriptor, which may be closed then; None where no child could open it."""
    return OpenMemory(os.dup(descriptor)) if sys.platform == "linux" else None


@contextmanager
def opened_piece(path: str, first: int, n_bytes: int) -> Generator[memoryview]:
    """A piece of the memory at `path`, of this process or another. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        memory = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)
    with memory, memoryview(memory) as whole, whole[first : first + n_bytes] as piece:
        yield piece
