"""Where a show's files are kept: a local folder, or one in a bucket or on another server.

A place knows names and bytes, and nothing of shows. Names have "/" between folders.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from audiomill.outputs.files import (
    publish,
    read_file,
    sweep,
    temporary_file,
    unwritable_errors,
    write_atomically,
)
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.host.waiting import Waiter

_MAX_BYTES = 64 << 20  # of a transcript, a page, a feed or a picture


class ShowPlace(Protocol):
    """Files by their names. A file is replaced at once: a reader gets the old or the new one."""

    def where(self, name: str = "") -> str:
        """The path or URL of a file, for messages; that of the place for ""."""
        ...

    def size(self, name: str) -> int | None:
        """The size of a file in bytes; None if there is no such file. Raises OutputUnwritable."""
        ...

    def read(self, name: str) -> bytes:
        """The content of a file. Raises OutputUnwritable if it cannot be read."""
        ...

    def write(self, name: str, content: bytes) -> None:
        """Replace a file. Raises OutputUnwritable; the old file then stays."""
        ...

    def put(self, name: str, source: Path) -> None:
        """Replace a file with a copy of a local one. Raises OutputUnwritable."""
        ...

    def remove(self, name: str) -> bool:
        """Remove a file; return False if that is refused."""
        ...

    def sweep(self, names: Iterable[str]) -> None:
        """Remove what killed runs left of these files. No other process may be writing them."""
        ...


def open_place(folder: str, waiter: Waiter | None = None) -> ShowPlace:
    """The place at a path or a URL of fsspec. Raises OutputUnwritable if none can be there.

    With a `waiter`, a place on the network that does not answer is waited for.
    """
    path = local_path(folder)
    if path is not None:
        return LocalPlace(path)
    # Imported here, because fsspec loads slowly and most shows are in folders.
    from audiomill.outputs.podcast.folder.remote_place import open_remote_place

    return open_remote_place(folder, waiter)


def local_path(folder: str) -> Path | None:
    """The path of a folder on this machine; None for a URL of another place."""
    if folder.startswith("file://"):
        return Path(unquote(urlsplit(folder).path))
    return None if "://" in folder else Path(folder)


class LocalPlace:
    """Implements `ShowPlace`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def where(self, name: str = "") -> str:
        """Implement `ShowPlace.where`."""
        return str(self._folder / name)

    def size(self, name: str) -> int | None:
        """Implement `ShowPlace.size`."""
        path = self._folder / name
        try:
            return path.stat().st_size if path.is_file() else None
        except OSError:
            return None

    def read(self, name: str) -> bytes:
        """Implement `ShowPlace.read`."""
        path = self._folder / name
        try:
            return read_file(path, _MAX_BYTES)
        except OSError as error:
            raise OutputUnwritable(f"{path} cannot be read ({error.strerror}).") from error

    def write(self, name: str, content: bytes) -> None:
        """Implement `ShowPlace.write`."""
        write_atomically(self._made_path(name), content)

    def put(self, name: str, source: Path) -> None:
        """Implement `ShowPlace.put`. On one disk it is the same file under two names."""
        path = self._made_path(name)
        with temporary_file(path) as temporary:
            temporary.unlink()
            try:
                os.link(source, temporary)
            except OSError:
                with unwritable_errors(path):
                    shutil.copyfile(source, temporary)
            publish({temporary: path})

    def remove(self, name: str) -> bool:
        """Implement `ShowPlace.remove`."""
        path = self._folder / name
        try:
            # A link could lead out of the folder, to files of others.
            if path.parent.resolve().is_relative_to(self._folder.resolve()):
                path.unlink(missing_ok=True)
                return True
        except OSError:
            pass
        return False

    def sweep(self, names: Iterable[str]) -> None:
        """Implement `ShowPlace.sweep`."""
        paths = [self._folder / name for name in names]
        for folder in sorted({path.parent for path in paths}):
            if any(folder.glob(".*.part")):
                for path in paths:
                    if path.parent == folder:
                        sweep(folder, path.name)

    def _made_path(self, name: str) -> Path:
        """The path of a file, whose folder is there. Raises OutputUnwritable."""
        path = self._folder / name
        with unwritable_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        return path
