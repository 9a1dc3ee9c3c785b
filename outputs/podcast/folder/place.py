"""Where a show's files are kept: a local folder, or one in a bucket or on another server.

A place knows names and bytes, and nothing of shows. Names have "/" between folders.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from audiomill.outputs.podcast.folder.local_place import LocalPlace
from audiomill.renderers.host.waiting import Waiter


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
