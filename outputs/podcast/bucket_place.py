"""A show's files in a bucket, or in any other file system of fsspec.

One put of an object replaces it at once in the object stores (S3, GCS, Azure). On SFTP a file is
put under another name and renamed. Elsewhere a reader may meet half a file while it is replaced.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from audiomill.outputs.podcast.http_headers import cache_control, media_type
from audiomill.outputs.podcast.show_folder import MAX_BYTES
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.store.remote_errors import RemotePlace, words_of
from audiomill.renderers.store.remote_files import RemoteFiles

_PROBE = ".podcast-probe"
_PART = ".podcast.part"  # one at a time: what a killed run left of it is replaced
_RENAMING = frozenset(("sftp", "ssh"))
_S3 = frozenset(("s3", "s3a"))
_GCS = frozenset(("gs", "gcs"))
_AZURE = frozenset(("abfs", "abfss", "az"))
_FOLDER, _INSTEAD = "podcast's folder", "choose another folder"


def open_remote_place(url: str, waiter: Waiter | None) -> BucketPlace:
    """The place at a URL. Raises OutputUnwritable for one that fsspec cannot use."""
    url = url.rstrip("/")
    with _unwritable(url):
        files = RemoteFiles(RemotePlace(url, _FOLDER, _INSTEAD), waiter)
    return BucketPlace(url, files)


class BucketPlace:
    """Implements `ShowPlace`. Only one process may use a place at a time: sizes are remembered."""

    def __init__(self, url: str, files: RemoteFiles) -> None:
        self._url, self._files = url, files
        self._protocol = url.partition("://")[0]
        self._sizes: dict[str, int | None] = {}
        self._denies_absent: bool | None = None  # not known yet

    def where(self, name: str = "") -> str:
        """Implement `ShowPlace.where`."""
        return f"{self._url}/{name}" if name else self._url

    def size(self, name: str) -> int | None:
        """Implement `ShowPlace.size`."""
        if name not in self._sizes:
            with _unwritable(self.where(name)):
                self._sizes[name] = self._size(name)
        return self._sizes[name]

    def read(self, name: str) -> bytes:
        """Implement `ShowPlace.read`."""
        with _unwritable(self.where(name), "read"):
            return self._files.read(name, MAX_BYTES)

    def write(self, name: str, content: bytes) -> None:
        """Implement `ShowPlace.write`."""
        options = _headers(self._protocol, name)
        with self._replacing(name, len(content)) as target:
            self._files.write(target, content, **options)

    def put(self, name: str, source: Path) -> None:
        """Implement `ShowPlace.put`."""
        options = _headers(self._protocol, name)
        if self._protocol in _AZURE:
            options = {**options, "overwrite": True}
        with self._replacing(name, source.stat().st_size) as target:
            self._files.put(target, source, **options)

    def remove(self, name: str) -> bool:
        """Implement `ShowPlace.remove`."""
        try:
            self._files.remove(name)
        except (OSError, StoreError):
            return False
        self._sizes[name] = None
        return True

    def sweep(self, names: Iterable[str]) -> None:
        """Implement `ShowPlace.sweep`. A put leaves nothing."""

    @contextmanager
    def _replacing(self, name: str, n_bytes: int) -> Generator[str]:
        """The name under which a file is put, which then is `name`."""
        self._sizes.pop(name, None)
        with _unwritable(self.where(name)):
            if self._protocol in _RENAMING:
                yield _PART
                self._files.rename(_PART, name)
            else:
                yield name
        self._sizes[name] = n_bytes

    def _size(self, name: str) -> int | None:
        try:
            return self._files.size(name)
        except PermissionError:
            if self._denies_absent is None:
                self._denies_absent = self._is_readable()
            if self._denies_absent:
                return None
            raise

    def _is_readable(self) -> bool:
        """Whether what is there may be read: S3 also denies what is not there, if it may not list.

        Writes a file, reads and removes it.
        """
        self._files.write(_PROBE, b"Shows that audiomill can read here.\n")
        try:
            return self._files.size(_PROBE) is not None
        except PermissionError:
            return False
        finally:
            self._files.remove(_PROBE)


def _headers(protocol: str, name: str) -> Mapping[str, Any]:
    """Options for the client of an object store, so that the store tells them to browsers."""
    if protocol in _S3:
        return {"ContentType": media_type(name), "CacheControl": cache_control(name)}
    if protocol in _GCS:
        return {
            "content_type": media_type(name),
            "fixed_key_metadata": {"cache_control": cache_control(name)},
        }
    return MappingProxyType({})


@contextmanager
def _unwritable(where: str, done: str = "written") -> Generator[None]:
    """Turn the errors of a place into OutputUnwritable."""
    try:
        yield
    except StoreError as error:
        raise OutputUnwritable(str(error)) from error
    except OSError as error:
        raise OutputUnwritable(
            f"{where} cannot be {done} ({words_of(error)})."
            " Check the permissions of its credentials, or choose another folder."
        ) from error
