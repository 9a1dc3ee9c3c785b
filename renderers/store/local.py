"""Stores shards in a local folder. Knows files, not their content.

    store/lock                     a shared lock, held by each run until it ends
    store/5f/5f0c…e1.shard         256 folders by the first two digits of the key
    store/5f/.5f0c…-812-9a3b.tmp   being written, or left by a killed run

A shard is written to a temporary file, synced to the disk (fsync) and renamed. So a kill or a power
cut leaves a whole shard or none.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH
from pathlib import Path
from typing import Protocol

from audiomill.renderers.store.shard_format import MAX_BYTES

READ_BYTES = 1 << 18  # as large as most shards
# The names that a sweep may remove, and their folders: people keep files of their own beside them.
FOLDER = re.compile("[0-9a-f]{2}")
TEMPORARY = re.compile(r"\.[0-9a-f]{64}-[0-9]+-[0-9a-f]{8}\.tmp")


class FileSystem(Protocol):
    """The system calls of the local store, so that tests can make each fail. All raise OSError."""

    def open(self, path: Path, flags: int) -> int:
        """Open a file; return its descriptor."""
        ...

    def size(self, descriptor: int) -> int:
        """The size of a regular file in bytes. Raises OSError for all that is none."""
        ...

    def read(self, descriptor: int, n_bytes: int) -> bytes:
        """Up to `n_bytes`; b"" at the end of the file."""
        ...

    def write(self, descriptor: int, data: memoryview) -> int:
        """Write some or all of `data`; return the number of bytes written."""
        ...

    def fsync(self, descriptor: int) -> None:
        """Block until the file's data is on the disk."""
        ...

    def close(self, descriptor: int) -> None:
        """Close the descriptor."""
        ...

    def rename(self, source: Path, target: Path) -> None:
        """Replace `target` with `source`, atomically."""
        ...

    def unlink(self, path: Path) -> None:
        """Remove a file."""
        ...

    def remove_folder(self, path: Path) -> None:
        """Remove a folder and its content."""
        ...

    def make_folders(self, path: Path) -> None:
        """Create a folder and its parents, if they do not exist."""
        ...

    def require_writable(self, folder: Path) -> None:
        """Raise OSError if no file can be created in `folder`."""
        ...

    def names(self, folder: Path) -> Sequence[str]:
        """The names of the entries of `folder`."""
        ...

    def flock(self, descriptor: int, operation: int) -> None:
        """Take or change a lock, which the kernel releases when the process ends."""
        ...


class OsFileSystem:
    """The real system calls."""

    def open(self, path: Path, flags: int) -> int:
        """Open with close-on-exec, so that no child process inherits a lock."""
        return os.open(path, flags | os.O_CLOEXEC, 0o666)

    def size(self, descriptor: int) -> int:
        """Implement `FileSystem.size`."""
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        return status.st_size

    def read(self, descriptor: int, n_bytes: int) -> bytes:
        """Implement `FileSystem.read`."""
        return os.read(descriptor, n_bytes)

    def write(self, descriptor: int, data: memoryview) -> int:
        """Implement `FileSystem.write`."""
        return os.write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        """Implement `FileSystem.fsync`."""
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """Implement `FileSystem.close`."""
        os.close(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        """Implement `FileSystem.rename`."""
        source.replace(target)

    def unlink(self, path: Path) -> None:
        """Implement `FileSystem.unlink`."""
        path.unlink()

    def remove_folder(self, path: Path) -> None:
        """Implement `FileSystem.remove_folder`."""
        shutil.rmtree(path)

    def make_folders(self, path: Path) -> None:
        """Implement `FileSystem.make_folders`."""
        path.mkdir(parents=True, exist_ok=True)

    def require_writable(self, folder: Path) -> None:
        """Implement `FileSystem.require_writable`."""
        if not os.access(folder, os.W_OK | os.X_OK):
            is_read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
            code = errno.EROFS if is_read_only else errno.EACCES
            raise OSError(code, os.strerror(code))

    def names(self, folder: Path) -> Sequence[str]:
        """Implement `FileSystem.names`."""
        return [path.name for path in folder.iterdir()]

    def flock(self, descriptor: int, operation: int) -> None:
        """Implement `FileSystem.flock`."""
        fcntl.flock(descriptor, operation)


class LocalBackend:
    """Stores each shard as one file below `root`. Threads and processes may share a folder."""

    is_remote = False

    def __init__(self, root: Path, files: FileSystem | None = None) -> None:
        self._root = root
        self._files = files or OsFileSystem()

    def where(self, key: str) -> str:
        """The shard's path; the store's own for the key ""."""
        return str(self._path(key) if key else self._root)

    def read(self, key: str) -> bytes:
        """The shard's bytes. Raises OSError; FileNotFoundError if the shard does not exist."""
        # Others may write to a shared store. A link could lead to any file, a named pipe would be
        # waited for, a device may never end, and a huge file would fill the memory.
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW
        descriptor = self._files.open(self._path(key), flags)
        chunks: list[bytes] = []
        n_bytes = 0
        try:
            if self._files.size(descriptor) > MAX_BYTES:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
            while n_bytes <= MAX_BYTES and (chunk := self._files.read(descriptor, READ_BYTES)):
                chunks.append(chunk)
                n_bytes += len(chunk)
        finally:
            self._files.close(descriptor)
        return b"".join(chunks)  # does not copy a single chunk

    def write(self, key: str, data: bytes) -> None:
        """Write or replace the whole file. Raises OSError."""
        try:
            self._write(self._path(key), data)
        except FileNotFoundError:
            # Outside a session, another run may have swept the temporary file.
            self._write(self._path(key), data)

    @contextmanager
    def session(self) -> Generator[None]:
        """Keep other runs from sweeping. Sweeps on entry and on exit if no other run is active.

        Raises OSError if the folder cannot be created or written to.
        """
        self._files.make_folders(self._root)
        self._files.require_writable(self._root)
        # A link is not followed: in a shared store, a stranger could have any file created.
        lock = self._files.open(self._root / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
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
            self._replace(temporary, path)
        except BaseException:  # also on an interrupt, the temporary file must go
            with suppress(OSError):
                self._files.unlink(temporary)
            raise
        self._sync_folder(path.parent)

    def _created(self, temporary: Path) -> int:
        """A descriptor of the new file. Creates its folder if needed."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            return self._files.open(temporary, flags)
        except FileNotFoundError:
            self._files.make_folders(temporary.parent)
            self._sync_folder(self._root)
            return self._files.open(temporary, flags)

    def _write_through(self, descriptor: int, data: bytes) -> None:
        """Write all of `data` to the disk and close the descriptor."""
        try:
            remaining = memoryview(data)
            while remaining:
                n_written = self._files.write(descriptor, remaining)
                if n_written == 0:
                    raise OSError(errno.EIO, "nothing was written")
                remaining = remaining[n_written:]
            self._files.fsync(descriptor)
        finally:
            self._files.close(descriptor)

    def _replace(self, temporary: Path, path: Path) -> None:
        try:
            self._files.rename(temporary, path)
        except IsADirectoryError:
            self._files.rename(path, _temporary(path))  # the next sweep removes it
            self._files.rename(temporary, path)

    def _sync_folder(self, folder: Path) -> None:
        descriptor = self._files.open(folder, os.O_RDONLY)
        try:
            self._files.fsync(descriptor)
        finally:
            self._files.close(descriptor)

    def _share(self, lock: int) -> None:
        """Take the shared lock; continue without it if the file system has no locks.

        Other runs hold it exclusively only while they sweep, and `write` tolerates a sweep. So
        waiting ends after a second.
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
        """Remove temporary files, unless another run is active: some may belong to it."""
        with suppress(OSError):
            self._files.flock(lock, LOCK_EX | LOCK_NB)
            for folder in self._files.names(self._root):
                if FOLDER.fullmatch(folder):
                    self._sweep(self._root / folder)

    def _sweep(self, folder: Path) -> None:
        for name in self._files.names(folder):
            if not TEMPORARY.fullmatch(name):
                continue
            with suppress(OSError):
                try:
                    self._files.unlink(folder / name)
                except (IsADirectoryError, PermissionError):  # unlink was given a folder
                    self._files.remove_folder(folder / name)


def _temporary(path: Path) -> Path:
    """A unique temporary path next to `path`. It matches TEMPORARY."""
    return path.with_name(f".{path.stem}-{os.getpid()}-{secrets.token_hex(4)}.tmp")
