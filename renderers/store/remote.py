"""Stores shards in a bucket, or any other file system of fsspec. Knows URLs, not audio.

Each shard is one put of one object, which is atomic in the intended object stores (S3, GCS, Azure).
Elsewhere (SFTP, for example) an interrupted put leaves a torn file; reading detects that, and the
shard is rendered again. There are no temporary objects, so nothing to sweep and no lock.
"""

from __future__ import annotations

import errno
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import fsspec.core

from audiomill.renderers.base import StoreError
from audiomill.renderers.host.installation import this_installation


class FsspecBackend:
    """Stores each shard as one object below a URL."""

    is_remote = True

    def __init__(self, url: str) -> None:
        """Raises StoreError for a URL that fsspec cannot use."""
        try:
            files, root = fsspec.core.url_to_fs(url)
        except ImportError as error:
            raise StoreError(
                f"The store {url} needs a package that is not here: {error}."
                f" For S3: {this_installation().hint('s3')}"
            ) from error
        # What else a file system raises for a URL that it does not understand is its own choice.
        except Exception as error:
            raise StoreError(
                f"The store {url} cannot be used: {error}."
                " Give a folder, or a URL such as s3://bucket/shards."
            ) from error
        self._files: Any = files
        self._root = root.rstrip("/")
        self._url = url.rstrip("/")

    def where(self, key: str) -> str:
        """The shard's URL; the store's own for the key ""."""
        return f"{self._url}/{key[:2]}/{key}.shard" if key else self._url

    def read(self, key: str) -> bytes:
        """The shard's bytes. Raises OSError; FileNotFoundError if the shard does not exist."""
        with _as_os_error():
            return self._files.cat_file(self._path(key))

    def write(self, key: str, data: bytes) -> None:
        """Write or replace the whole object. Raises OSError."""
        path = self._path(key)
        with _as_os_error():
            try:
                self._files.pipe_file(path, data)
            except FileNotFoundError:  # file systems with real folders
                self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
                self._files.pipe_file(path, data)

    @contextmanager
    def session(self) -> Generator[None]:
        """Do nothing: there is no lock, and nothing to sweep."""
        yield

    def _path(self, key: str) -> str:
        return f"{self._root}/{key[:2]}/{key}.shard"


@contextmanager
def _as_os_error() -> Generator[None]:
    try:
        yield
    except OSError:
        raise
    # fsspec documents no error type: each of its file systems raises those of its own client.
    except Exception as error:
        raise OSError(errno.EIO, f"{type(error).__name__}: {error}") from error
