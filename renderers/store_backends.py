"""Where shards can lie, and which kind a URL means."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from renderers.store_local import LocalBackend


class Backend(Protocol):
    """Bytes by key. Knows nothing of audio; what it reads is verified by its user."""

    @property
    def is_remote(self) -> bool:
        """Whether it answers late: then ask ahead, and send little."""
        ...

    def where(self, key: str) -> str:
        """Path or URL, for people to read; the store's own for the key ""."""
        ...

    def read(self, key: str) -> bytes:
        """All of it. Raises OSError, FileNotFoundError if it is not there."""
        ...

    def write(self, key: str, data: bytes) -> None:
        """All of it, in place of whatever is there, or nothing. Raises OSError."""
        ...

    def session(self) -> AbstractContextManager[None]:
        """Held by a run while it puts. Raises OSError if putting cannot work."""
        ...


def open_backend(url: str) -> Backend:
    """For "/path", "~/path", "file:///path", or any URL that fsspec knows. Raises StoreError."""
    if "://" not in url:
        return LocalBackend(Path(os.path.expanduser(url)))  # noqa: PTH111  an unknown ~user stays
    if url.startswith("file://"):
        return LocalBackend(Path(unquote(urlsplit(url).path)))
    from renderers.store_fsspec import FsspecBackend  # takes 0.1 s, and most runs need none of it

    return FsspecBackend(url)
