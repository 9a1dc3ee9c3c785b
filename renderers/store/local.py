"""Shards in a folder of this machine. Knows files; knows nothing of what is in them.

    store/lock                     held by every run, shared, while it lasts
    store/5f/5f0c…e1.shard         256 folders by the key's first two digits
    store/5f/.5f0c…-812-9a3b.tmp   being written, or left over by a run that was killed

A shard appears in one step (rename) once it is on the disk (fsync), so a kill or a power cut leaves
a whole shard or none.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH
from pathlib import Path
from typing import Protocol

# The system calls that the local store is made of, so that a test can make each of them fail.


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


READ_BYTES = 1 << 18  # as much as most shards have
MOST_BYTES = 1 << 30  # of a shard; an hour takes a sixth of that
TEMPORARY = ".tmp"


class LocalBackend:
    """Whole files below `root`, by key. Any number of threads and processes may share it."""

    is_remote = False

    def __init__(self, root: Path, files: FileSystem | None = None) -> None:
        self._root = root
        self._files = files or OsFileSystem()

    def where(self, key: str) -> str:
        """The shard's path; the store's own for the key ""."""
        return str(self._path(key) if key else self._root)

    def read(self, key: str) -> bytes:
        """Raises OSError, FileNotFoundError if it is not there."""
        # A pipe in the shard's place must not make us wait for a writer.
        descriptor = self._files.open(self._path(key), os.O_RDONLY | os.O_NONBLOCK)
        chunks: list[bytes] = []
        n_bytes = 0
        try:
            while chunk := self._files.read(descriptor, READ_BYTES):
                chunks.append(chunk)
                n_bytes += len(chunk)
                if n_bytes > MOST_BYTES:  # a device, perhaps: it may never end
                    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        finally:
            self._files.close(descriptor)
        return b"".join(chunks)  # which copies nothing of a single one

    def write(self, key: str, data: bytes) -> None:
        """Put a whole file in place of whatever is there. Raises OSError."""
        try:
            self._write(self._path(key), data)
        except FileNotFoundError:
            # Outside a session, another run may have swept our temporary file away.
            self._write(self._path(key), data)

    @contextmanager
    def session(self) -> Generator[None]:
        """Keep other runs' sweeps away. Whoever is alone sweeps, on entry and on exit.

        Raises OSError if the folder cannot be made or written to.
        """
        self._files.make_folders(self._root)
        lock = self._files.open(self._root / "lock", os.O_RDWR | os.O_CREAT)
        try:
            self._sweep_if_alone(lock)
            self._share(lock)
            yield
        finally:
            self._sweep_if_alone(lock)
            self._files.close(lock)

    def _path(self, key: str) -> Path:
        return self._root / f"{key[:2]}/{key}.shard"

    def _write(self, path: Path, data: bytes) -> None:
        temporary = _temporary(path)
        try:
            self._write_through(self._created(temporary), data)
            self._put_in_place(temporary, path)
        except BaseException:
            with suppress(OSError):
                self._files.unlink(temporary)
            raise
        self._sync_folder(path.parent)

    def _created(self, temporary: Path) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            return self._files.open(temporary, flags)
        except FileNotFoundError:
            self._files.make_folders(temporary.parent)
            self._sync_folder(self._root)
            return self._files.open(temporary, flags)

    def _write_through(self, descriptor: int, data: bytes) -> None:
        """All of `data`, on the disk. Closes the descriptor."""
        try:
            left = memoryview(data)
            while left:
                written = self._files.write(descriptor, left)
                if written == 0:
                    raise OSError(errno.EIO, "nothing was written")
                left = left[written:]
            self._files.fsync(descriptor)
        finally:
            self._files.close(descriptor)

    def _put_in_place(self, temporary: Path, path: Path) -> None:
        try:
            self._files.rename(temporary, path)
        except IsADirectoryError:
            self._files.rename(path, _temporary(path))  # the next sweep takes it
            self._files.rename(temporary, path)

    def _sync_folder(self, folder: Path) -> None:
        descriptor = self._files.open(folder, os.O_RDONLY)
        try:
            self._files.fsync(descriptor)
        finally:
            self._files.close(descriptor)

    def _share(self, lock: int) -> None:
        """Hold the lock together with other runs; go on without it where there is none.

        Others hold it alone only while they sweep, which a put survives (see `write`): so one
        that takes longer than a second is not waited for.
        """
        for _ in range(100):
            try:
                self._files.flock(lock, LOCK_SH | LOCK_NB)
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:
                return
            else:
                return

    def _sweep_if_alone(self, lock: int) -> None:
        """Remove what killed runs left, unless another run is there: some of it may be its."""
        with suppress(OSError):
            self._files.flock(lock, LOCK_EX | LOCK_NB)
            for folder in self._files.names(self._root):
                if len(folder) == 2:
                    self._sweep(self._root / folder)

    def _sweep(self, folder: Path) -> None:
        for name in self._files.names(folder):
            if not (name.startswith(".") and name.endswith(TEMPORARY)):
                continue
            with suppress(OSError):
                try:
                    self._files.unlink(folder / name)
                except (IsADirectoryError, PermissionError):  # what unlink says of a folder
                    self._files.remove_folder(folder / name)


def _temporary(path: Path) -> Path:
    """A name beside `path` that nobody else uses."""
    return path.with_name(f".{path.stem}-{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}")
