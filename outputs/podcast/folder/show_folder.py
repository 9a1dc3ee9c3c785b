"""The folder of a published show, and the list of the files in it that are the show's.

What the list does not name is never written over or removed: people keep files of their own there.
So a name is in the list before its file is in the folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from audiomill.outputs.podcast.folder.place import ShowPlace
from audiomill.outputs.podcast.urls import is_file_name
from audiomill.outputs.types import OutputUnwritable

MANIFEST_NAME = ".podcast.json"


class ShowFolder:
    """The files of a show in a place, by their names."""

    def __init__(self, place: ShowPlace) -> None:
        self._place = place

    def where(self, name: str = "") -> str:
        """The path or URL of a file; that of the folder for ""."""
        return self._place.where(name)

    def size(self, name: str) -> int | None:
        """The size of a file in bytes; None if there is no such file. Raises OutputUnwritable."""
        return self._place.size(name)

    def read(self, name: str) -> bytes:
        """The content of a file. Raises OutputUnwritable if it cannot be read."""
        return self._place.read(name)

    def write(self, name: str, content: bytes) -> bool:
        """Replace a file at once; return False if it had this content already.

        Raises OutputUnwritable; the old file then stays.
        """
        if self.size(name) == len(content) and self.read(name) == content:
            return False  # its date stays, so clients need not load it again
        self._place.write(name, content)
        return True

    def put(self, name: str, source: Path) -> None:
        """Replace a file with a copy of a local one, whose name tells its content.

        Raises OutputUnwritable.
        """
        if self.size(name) != source.stat().st_size:
            self._place.put(name, source)

    def remove(self, name: str) -> bool:
        """Remove a file of the show; return False if that is refused."""
        return self._place.remove(name)

    def made_names(self) -> frozenset[str]:
        """The names in the list, less those that no show may have. Raises OutputUnwritable."""
        if self.size(MANIFEST_NAME) is None:
            return frozenset()
        content = self.read(MANIFEST_NAME)
        try:
            names = json.loads(content)["files"]
            return frozenset(name for name in names if isinstance(name, str) and is_file_name(name))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise OutputUnwritable(
                f"{self.where(MANIFEST_NAME)}, the list of the show's files, is damaged."
                " Remove it, and remove old episodes yourself."
            ) from error

    def write_names(self, names: Iterable[str]) -> None:
        """Replace the list. Raises OutputUnwritable."""
        self.write(MANIFEST_NAME, _listed(names))

    def add_names(self, names: Iterable[str]) -> None:
        """Add to the list, before the files are there. Raises OutputUnwritable."""
        self.write_names(self.made_names() | frozenset(names))

    def check_writable(self) -> None:
        """Raise OutputUnwritable if the folder cannot be written, by replacing the list."""
        names = self.made_names()
        self._place.write(MANIFEST_NAME, _listed(names))

    def require_own(self, names: Iterable[str], made: frozenset[str]) -> None:
        """Raise OutputUnwritable if a file that would be replaced is none of the show's."""
        for name in names:
            if name not in made and self.size(name) is not None:
                raise OutputUnwritable(
                    f"{self.where(name)} is there already, and this podcast did not make it."
                    " Choose another folder, or move it away."
                )

    def sweep(self, names: Iterable[str]) -> None:
        """Remove what killed runs left of these files. No other process may be writing them."""
        self._place.sweep((*names, MANIFEST_NAME))


def _listed(names: Iterable[str]) -> bytes:
    content = json.dumps({"files": sorted(names)}, ensure_ascii=False, indent=1)
    return content.encode() + b"\n"
