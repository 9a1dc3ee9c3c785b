"""A lock on a file that the kernel releases when its process ends, however it ends."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Self

from audiomill.flows.job import UsageError


class Busy(UsageError):
    """Another process does what only one may do at a time."""


class FileLock(AbstractContextManager["FileLock"]):
    """The lock on `path`, which is created if need be. Leaving the context releases it.

    Raises OSError, also if `path` is a symbolic link: in a shared folder, a stranger could have any
    file created by one.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._descriptor = os.open(path, flags, 0o666)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def try_acquire(self) -> bool:
        """Take the lock, unless another process holds it. Raises OSError."""
        try:
            flock(self._descriptor, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def held_alone(path: Path, busy: str) -> Generator[None]:
    """Hold the lock on `path`.

    Raises Busy, which says `busy`, if another process holds it; UsageError if it cannot be had.
    """
    try:
        lock = FileLock(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}).") from error
    with lock:
        if not lock.try_acquire():
            raise Busy(busy)
        yield
