"""A show's files in a folder of this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from audiomill.outputs.files import (
    publish,
    read_file,
    sweep,
    temporary_file,
    unwritable_errors,
    write_atomically,
)
from audiomill.outputs.types import OutputUnwritable

_MAX_BYTES = 64 << 20  # of a transcript, a page, a feed or a picture


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
