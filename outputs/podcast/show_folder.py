"""The folder of a published show, and the list of the files in it that are the show's.

What the list does not name is never written over or removed: people keep files of their own there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from audiomill.outputs.files import read_file, sweep, unwritable_errors, write_atomically
from audiomill.outputs.podcast.urls import is_file_name
from audiomill.outputs.types import OutputUnwritable

MANIFEST_NAME = ".podcast.json"
_MAX_BYTES = 64 << 20  # of a transcript, a page or a feed


class ShowFolder:
    """Files below a folder, by their names in the show, with "/" between folders."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """Where the file of a name is."""
        return self._folder / name

    def size(self, name: str) -> int | None:
        """The size of a file in bytes; None if there is no such file."""
        path = self.path(name)
        try:
            return path.stat().st_size if path.is_file() else None
        except OSError:
            return None

    def read(self, name: str) -> bytes:
        """The content of a file. Raises OutputUnwritable if it cannot be read."""
        try:
            return read_file(self.path(name), _MAX_BYTES)
        except OSError as error:
            raise OutputUnwritable(
                f"{self.path(name)} cannot be read ({error.strerror})."
            ) from error

    def write(self, name: str, content: bytes) -> bool:
        """Replace a file at once; return False if it had this content already.

        Raises OutputUnwritable; the old file then stays.
        """
        path = self.path(name)
        if self.size(name) == len(content) and self.read(name) == content:
            return False  # its date stays, so clients need not load it again
        with unwritable_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
        return True

    def remove(self, name: str) -> bool:
        """Remove a file of the show; return False if the system refuses."""
        path = self.path(name)
        try:
            # A link could lead out of the folder, to files of others.
            if path.parent.resolve().is_relative_to(self._folder.resolve()):
                path.unlink(missing_ok=True)
                return True
        except OSError:
            pass
        return False

    def made_names(self) -> frozenset[str]:
        """The names in the list, less those that no show may have. Raises OutputUnwritable."""
        if self.size(MANIFEST_NAME) is None:
            return frozenset()
        try:
            names = json.loads(self.read(MANIFEST_NAME))["files"]
            return frozenset(name for name in names if isinstance(name, str) and is_file_name(name))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise OutputUnwritable(
                f"{self.path(MANIFEST_NAME)}, the list of the show's files, is damaged."
                " Remove it, and remove old episodes yourself."
            ) from error

    def write_names(self, names: Iterable[str]) -> None:
        """Replace the list. Raises OutputUnwritable."""
        content = json.dumps({"files": sorted(names)}, ensure_ascii=False, indent=1)
        self.write(MANIFEST_NAME, content.encode() + b"\n")

    def require_own(self, names: Iterable[str], made: frozenset[str]) -> None:
        """Raise OutputUnwritable if a file that would be replaced is none of the show's."""
        for name in names:
            if name not in made and self.size(name) is not None:
                raise OutputUnwritable(
                    f"{self.path(name)} is there already, and this podcast did not make it."
                    " Choose another folder, or move it away."
                )

    def sweep(self, names: Iterable[str]) -> None:
        """Remove what killed runs left of these files. No other process may be writing them."""
        paths = [self.path(name) for name in (*names, MANIFEST_NAME)]
        for folder in sorted({path.parent for path in paths}):
            if any(folder.glob(".*.part")):
                for path in paths:
                    if path.parent == folder:
                        sweep(folder, path.name)
