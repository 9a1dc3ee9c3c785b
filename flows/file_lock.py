"""A lock on a file that the kernel releases when its process ends, however it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Self

from audiomill.flows.console import say
from audiomill.flows.errors import UsageError

# A process that was killed may be dying still, or have left a child that is between its fork and
# its program: for that moment the child has a copy of every descriptor, and so of the lock.
DYING_S = 3.0
POLL_S = 0.05


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

    def acquire_from_dying(self) -> bool:
        """Take the lock, if need be from a process that is just ending. Raises OSError."""
        if self.try_acquire():
            return True
        say("Another audiomill does this now, or is just ending: waiting for it ...")
        until = time.monotonic() + DYING_S
        while not (is_ours := self.try_acquire()) and time.monotonic() < until:
            time.sleep(POLL_S)
        return is_ours


@contextmanager
def held_alone(path: Path, busy: str) -> Generator[None]:
    """Hold the lock on `path`.

    Raises Busy, which says `busy`, if another process holds it for longer than one takes to die;
    UsageError if it cannot be had.
    """
    try:
        lock = FileLock(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}).") from error
    with lock:
        if not lock.acquire_from_dying():
            raise Busy(busy)
        yield
