"""The system calls of the local store, so that tests can make each fail."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from audiomill.renderers.host.durable import fsync


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
        """Block until the file's data, or the names in a folder, are on the disk."""
        ...

    def close(self, descriptor: int) -> None:
        """Close the descriptor."""
        ...

    def rename(self, source: Path, target: Path) -> None:
        """Replace `target` with `source`, atomically."""
        ...

    def link(self, source: Path, target: Path) -> None:
        """Give `source` the name `target` too, atomically. Fails if it is another file's."""
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
        fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """Implement `FileSystem.close`."""
        os.close(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        """Implement `FileSystem.rename`."""
        source.replace(target)

    def link(self, source: Path, target: Path) -> None:
        """Implement `FileSystem.link`."""
        target.hardlink_to(source)

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
