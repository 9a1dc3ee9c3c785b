"""The folder of a published show: where its files are kept, and which of them are the show's.

A place is a local folder, or one in a bucket or on another server. It knows names and bytes, and
nothing of shows. Names have "/" between folders.

What the list of the show's files does not name is never written over or removed: people keep files
of their own there. So a name is in the list before its file is in the folder.
"""

from __future__ import annotations

import json
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
from audiomill.outputs.podcast.urls import is_file_name
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.host.waiting import Waiter

MAX_BYTES = 64 << 20  # of a transcript, a page, a feed or a picture


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
    from audiomill.outputs.podcast.bucket_place import open_remote_place

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
            return read_file(path, MAX_BYTES)
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

    def write(self, name: str, content: bytes) -> None:
        """Replace a file at once, unless it has this content already.

        Its date then stays, so clients need not load it again. Raises OutputUnwritable; the old
        file then stays.
        """
        if self.size(name) != len(content) or self.read(name) != content:
            self._place.write(name, content)

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
