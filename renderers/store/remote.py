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
from typing import Any

import fsspec.config
import fsspec.core

from audiomill.renderers.base import StoreError
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.store.remote_errors import as_os_error, words_of
from audiomill.renderers.store.retries import Retries, Waiter
from audiomill.renderers.store.shard_format import MAX_BYTES

PROBE = b"Shows that audiomill can write here.\n"
# `Retries` tries again, and tells the user. S3's client would do so for minutes in silence.
S3_PROTOCOLS = ("s3", "s3a")
S3_CONFIG = {"retries": {"total_max_attempts": 1}}


class FsspecBackend:
    """Stores each shard as one object below a URL. Repeats what is not answered, with a waiter."""

    is_remote = True

    def __init__(self, url: str, waiter: Waiter | None = None) -> None:
        """Raises StoreError for a URL that fsspec cannot use."""
        self._url = url if url.endswith("://") else url.rstrip("/")
        self._files, self._root = _opened(url)
        self._retries = Retries(self._url, waiter)
        self._denies_absent = False  # found out by `session`

    def where(self, key: str) -> str:
        """The shard's URL; the store's own for the key ""."""
        return f"{self._url}/{key[:2]}/{key}.shard" if key else self._url

    def read(self, key: str) -> bytes:
        """The shard's bytes. Raises OSError, FileNotFoundError if it does not exist; StoreError."""
        try:
            return self._retries.run(lambda: self._read(self._path(key)))
        except PermissionError as error:
            if not self._denies_absent:
                raise
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from error

    def write(self, key: str, data: bytes) -> None:
        """Write or replace the whole object. Raises OSError, StoreError."""
        self._retries.run(lambda: self._write(self._path(key), data))

    @contextmanager
    def session(self) -> Generator[None]:
        """Write a probe and read it. There is no lock, and nothing to sweep.

        Raises StoreError if the store does not answer, has no such bucket or wants credentials, and
        OSError if it cannot be written or read.
        """
        path = f"{self._root}/probe"
        self._retries.run(lambda: self._write(path, PROBE))
        if self._retries.run(lambda: self._read(path)) != PROBE:
            raise OSError(errno.EIO, "what was just written reads differently")
        self._denies_absent = self._is_denied(f"{self._root}/absent")
        yield

    def _is_denied(self, absent: str) -> bool:
        """Whether reading what does not exist is denied, as S3 does to those who may not list."""
        try:
            self._retries.run(lambda: self._read(absent))
        except FileNotFoundError:
            return False
        except PermissionError:
            return True
        return False

    def _path(self, key: str) -> str:
        return f"{self._root}/{key[:2]}/{key}.shard"

    def _read(self, path: str) -> bytes:
        with as_os_error(self._url):
            # Not more, whoever wrote it. A range also saves S3's client from asking for the size.
            data: bytes = self._files.cat_file(path, start=0, end=MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise OSError(errno.EFBIG, "it is too large for a shard")
        return data

    def _write(self, path: str, data: bytes) -> None:
        with as_os_error(self._url):
            try:
                self._files.pipe_file(path, data)
            except FileNotFoundError:
                self._make_folder(path.rpartition("/")[0])
                self._files.pipe_file(path, data)

    def _make_folder(self, folder: str) -> None:
        """Create a folder, in file systems that have folders, but no bucket: it may be mistyped.

        Raises StoreError if the bucket, or the first folder, does not exist.
        """
        first = folder.lstrip("/").partition("/")[0]
        bucket = folder[: folder.index(first)] + first
        if not self._files.exists(bucket):
            raise StoreError(
                f"The store {self._url} has no bucket or folder “{first}”."
                " Correct the name, or create it first."
            )
        self._files.makedirs(folder, exist_ok=True)


def _opened(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it. Raises StoreError."""
    try:
        files, root = fsspec.core.url_to_fs(url, **_client_options(url))
    except ImportError as error:
        hint = f" {this_installation().hint('s3')}" if url.startswith("s3") else ""
        raise StoreError(
            f"The store {url} needs a package that is not here: {words_of(error)}.{hint}"
        ) from error
    # What else a file system raises for a URL that it does not understand is its own choice.
    except Exception as error:
        raise StoreError(
            f"The store {url} cannot be used: {words_of(error)}."
            " Give a folder, or a URL such as s3://bucket/shards."
        ) from error
    if url.partition("://")[0] in S3_PROTOCOLS:
        files.retries = 1
    return files, root.rstrip("/")


def _client_options(url: str) -> dict[str, Any]:
    """Options for the client, below those of the user's configuration of fsspec."""
    protocol = url.partition("://")[0]
    if protocol not in S3_PROTOCOLS:
        return {}
    users: dict[str, Any] = fsspec.config.conf.get(protocol, {})
    return {"config_kwargs": S3_CONFIG | users.get("config_kwargs", {})}
