"""The system calls that the local store is made of, so that a test can make each of them fail."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol


class FileSystem(Protocol):
    """System calls, under their own names where they have one. All raise OSError."""

    def open(self, path: Path, flags: int) -> int:
        """A descriptor."""
        ...

    def read(self, descriptor: int, n_bytes: int) -> bytes:
        """Up to `n_bytes`; none at the end."""
        ...

    def write(self, descriptor: int, data: memoryview) -> int:
        """How many bytes of `data` were written, perhaps not all."""
        ...

    def fsync(self, descriptor: int) -> None:
        """Return once it is on the disk."""
        ...

    def close(self, descriptor: int) -> None:
        """Give the descriptor back."""
        ...

    def rename(self, source: Path, target: Path) -> None:
        """Put `source` in the place of `target`, in one step."""
        ...

    def unlink(self, path: Path) -> None:
        """Remove a file."""
        ...

    def remove_folder(self, path: Path) -> None:
        """Remove a folder and all in it."""
        ...

    def make_folders(self, path: Path) -> None:
        """Make a folder and those above it, where they are not there."""
        ...

    def names(self, folder: Path) -> Sequence[str]:
        """What is in `folder`."""
        ...

    def flock(self, descriptor: int, operation: int) -> None:
        """Take or change a lock that the kernel gives back when the process ends."""
        ...


class OsFileSystem:
    """The calls themselves."""

    def open(self, path: Path, flags: int) -> int:
        """Close-on-exec, so that no child process holds a lock of ours."""
        return os.open(path, flags | os.O_CLOEXEC, 0o666)

    def read(self, descriptor: int, n_bytes: int) -> bytes:
        """See FileSystem."""
        return os.read(descriptor, n_bytes)

    def write(self, descriptor: int, data: memoryview) -> int:
        """See FileSystem."""
        return os.write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        """See FileSystem."""
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """See FileSystem."""
        os.close(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        """See FileSystem."""
        source.replace(target)

    def unlink(self, path: Path) -> None:
        """See FileSystem."""
        path.unlink()

    def remove_folder(self, path: Path) -> None:
        """See FileSystem."""
        shutil.rmtree(path)

    def make_folders(self, path: Path) -> None:
        """See FileSystem."""
        path.mkdir(parents=True, exist_ok=True)

    def names(self, folder: Path) -> Sequence[str]:
        """See FileSystem."""
        return [path.name for path in folder.iterdir()]

    def flock(self, descriptor: int, operation: int) -> None:
        """See FileSystem."""
        fcntl.flock(descriptor, operation)
