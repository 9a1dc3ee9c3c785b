"""Stores shards in a bucket, or any other file system of fsspec. Knows URLs, not audio.

    bucket/shards/probe               written and read when a run begins
    bucket/shards/5f/5f0c…e1.shard    256 folders by the first two digits of the key

Each shard is one put of one object, which is atomic in the intended object stores (S3, GCS, Azure).
Elsewhere (SFTP, for example) an interrupted put leaves a torn file; reading detects that, and the
shard is rendered again. There are no temporary objects, so nothing to sweep and no lock.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.store.remote_errors import RemotePlace
from audiomill.renderers.store.remote_files import RemoteFiles
from audiomill.renderers.store.shard_layout import MAX_BYTES, Part

PROBE = b"Shows that audiomill can write here.\n"
N_PROBE_READS = 5  # bytes may change on the way


class FsspecBackend:
    """Stores each shard as one object below a URL. Repeats what is not answered, with a waiter."""

    is_remote = True
    folder: Path | None = None

    def __init__(self, url: str, waiter: Waiter | None = None) -> None:
        """Raises StoreError for a URL that fsspec cannot use."""
        self._url = url if url.endswith("://") else url.rstrip("/")
        self._files = RemoteFiles(RemotePlace(self._url), waiter)
        self._denies_absent: bool | None = None  # not known yet

    def where(self, key: str) -> str:
        """The shard's URL; the store's own for the key ""."""
        return f"{self._url}/{_path(key)}" if key else self._url

    def read(self, key: str) -> bytes:
        """The shard's bytes. Raises OSError, FileNotFoundError if it does not exist; StoreError."""
        try:
            return self._files.read(_path(key), MAX_BYTES)
        except PermissionError as error:
            if self._denies_absent is None:
                # Who may read the probe of an earlier session may read.
                self._denies_absent = not self._is_denied("probe") and self._is_denied("absent")
            if not self._denies_absent:
                raise
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from error

    def has(self, key: str) -> bool:
        """Whether there is such an object, which is not empty. Raises OSError, StoreError."""
        return bool(self._files.size(_path(key)))

    def write(self, key: str, *parts: Part) -> None:
        """Write or replace the whole object. Raises OSError, StoreError."""
        self._files.write(_path(key), b"".join(parts))

    def create(self, key: str, data: bytes) -> None:
        """Write the object if there is none. Raises OSError, StoreError.

        An object store refuses all but the first. A place that does not know this raises, or looks
        first, which is not atomic.
        """
        self._files.write(_path(key), data, mode="create")

    @contextmanager
    def session(self) -> Generator[None]:
        """Write a probe and read it. There is no lock, and nothing to sweep.

        Raises StoreError if the store does not answer, has no such bucket or wants credentials, and
        OSError if it cannot be written or read.
        """
        self._files.write("probe", PROBE)
        if not any(self._files.read("probe", MAX_BYTES) == PROBE for _ in range(N_PROBE_READS)):
            raise OSError(errno.EIO, "what was just written reads differently")
        self._denies_absent = self._is_denied("absent")
        yield

    def _is_denied(self, path: str) -> bool:
        """Whether reading is denied. S3 denies what does not exist to those who may not list."""
        try:
            self._files.read(path, MAX_BYTES)
        except FileNotFoundError:
            return False
        except PermissionError:
            return True
        return False


def _path(key: str) -> str:
    return f"{key[:2]}/{key}.shard"
