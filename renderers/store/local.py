"""Stores shards in a local folder. Knows files, not their content.

    store/lock                     a shared lock, held by each run until it ends
    store/5f/5f0c…e1.shard         256 folders by the first two digits of the key
    store/5f/.5f0c…-812-9a3b.tmp   being written, or left by a killed run

A shard is written to a temporary file, synced to the disk (fsync) and renamed. So a kill or a power
cut leaves a whole shard or none.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH
from pathlib import Path

from audiomill.renderers.store.local_files import FileSystem, OsFileSystem
from audiomill.renderers.store.shard_layout import MAX_BYTES, Part, Parts

READ_BYTES = 1 << 18  # as large as most shards
# The names that a sweep may remove, and their folders: people keep files of their own beside them.
FOLDER = re.compile("[0-9a-f]{2}")
TEMPORARY = re.compile(r"\.[0-9a-f]{64}-[0-9]+-[0-9a-f]{8}\.tmp")
# Others may write to a shared store. A link could lead to any file, a named pipe would be waited
# for, a device may never end, and a huge file would fill the memory.
READ_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW


class LocalBackend:
    """Stores each shard as one file below `root`. Threads and processes may share a folder."""

    is_remote = False

    def __init__(self, root: Path, files: FileSystem | None = None) -> None:
        self._root = root
        self._files = files or OsFileSystem()

    @property
    def folder(self) -> Path | None:
        """The folder; None if its files are not the system's, which another process would write."""
        return self._root.absolute() if isinstance(self._files, OsFileSystem) else None

    def where(self, key: str) -> str:
        """The shard's path; the store's own for the key ""."""
        return str(self._path(key) if key else self._root)

    def read(self, key: str) -> bytes:
        """The shard's bytes. Raises OSError; FileNotFoundError if the shard does not exist."""
        descriptor = self._files.open(self._path(key), READ_FLAGS)
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

    def has(self, key: str) -> bool:
        """Whether there is such a file, which is not empty. Raises OSError."""
        try:
            descriptor = self._files.open(self._path(key), READ_FLAGS)
        except FileNotFoundError:
            return False
        try:
            return self._files.size(descriptor) > 0
        finally:
            self._files.close(descriptor)

    def write(self, key: str, *parts: Part) -> None:
        """Write or replace the whole file. Raises OSError."""
        try:
            self._write(self._path(key), parts)
        except FileNotFoundError:
            # Outside a session, another run may have swept the temporary file.
            self._write(self._path(key), parts)

    def create(self, key: str, data: bytes) -> None:
        """Write the file if there is none. Raises OSError, also where there are no hard links."""
        path = self._path(key)
        with self._temporary(path, (data,)) as temporary:
            self._files.link(temporary, path)
            self._files.unlink(temporary)
        self._sync_folder(path.parent)

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

    def _write(self, path: Path, parts: Parts) -> None:
        with self._temporary(path, parts) as temporary:
            self._replace(temporary, path)
        self._sync_folder(path.parent)

    @contextmanager
    def _temporary(self, path: Path, parts: Parts) -> Generator[Path]:
        """A file with `parts` beside `path`, for a block that renames it."""
        temporary = _temporary(path)
        try:
            self._write_through(self._created(temporary), parts)
            yield temporary
        except BaseException:  # also on an interrupt, the temporary file must go
            with suppress(OSError):
                self._files.unlink(temporary)
            raise

    def _created(self, temporary: Path) -> int:
        """A descriptor of the new file. Creates its folder if needed."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            return self._files.open(temporary, flags)
        except FileNotFoundError:
            self._files.make_folders(temporary.parent)
            self._sync_folder(self._root)
            return self._files.open(temporary, flags)

    def _write_through(self, descriptor: int, parts: Parts) -> None:
        """Write all `parts` to the disk and close the descriptor."""
        try:
            for part in parts:
                self._write_all(descriptor, memoryview(part))
            self._files.fsync(descriptor)
        finally:
            self._files.close(descriptor)

    def _write_all(self, descriptor: int, remaining: memoryview) -> None:
        while remaining:
            n_written = self._files.write(descriptor, remaining)
            if n_written == 0:
                raise OSError(errno.EIO, "nothing was written")
            remaining = remaining[n_written:]

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
