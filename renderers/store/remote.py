"""Shards in a bucket, or wherever else fsspec reaches. Knows URLs; knows no audio.

Each shard is one put of one object: atomic in object stores (S3, GCS, Azure), which are what this
is for. Elsewhere (SFTP, say) a put that is cut off leaves a torn file, which reading finds out, so
it is rendered again. There are no temporary objects, so there is nothing to sweep and no lock.
"""

from __future__ import annotations

import errno
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import fsspec.core

from audiomill.renderers.base import StoreError


class FsspecBackend:
    """Whole objects below a URL, by key."""

    is_remote = True

    def __init__(self, url: str) -> None:
        """Raises StoreError for a URL that fsspec cannot use."""
        try:
            files, root = fsspec.core.url_to_fs(url)
        except ImportError as error:
            raise StoreError(
                f"The store {url} needs a package that is not here: {error}."
                " For S3: pip install 'audiomill[s3]'"
            ) from error
        except (ValueError, OSError) as error:
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
        """Raises OSError, FileNotFoundError if it is not there."""
        with _as_os_error():
            return self._files.cat_file(self._path(key))

    def write(self, key: str, data: bytes) -> None:
        """Put a whole object in place of whatever is there. Raises OSError."""
        path = self._path(key)
        with _as_os_error():
            try:
                self._files.pipe_file(path, data)
            except FileNotFoundError:  # where folders are real
                self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
                self._files.pipe_file(path, data)

    @contextmanager
    def session(self) -> Generator[None]:
        """Nothing is held: see the file's opening."""
        yield

    def _path(self, key: str) -> str:
        return f"{self._root}/{key[:2]}/{key}.shard"


@contextmanager
def _as_os_error() -> Generator[None]:
    try:
        yield
    except OSError:
        raise
    # fsspec promises no error type: each of its backends lets those of its own client through.
    except Exception as error:
        raise OSError(errno.EIO, f"{type(error).__name__}: {error}") from error
