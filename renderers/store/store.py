"""The shard store: finished audio, found by what decides its sound. Knows no engine.

    put ─▶ bytes (shard_file) ─▶ backend ─▶ bytes ─▶ every one verified ─▶ get

What cannot be verified is a `Miss` with its reason, never an error and never a wrong sound. The
pipeline takes audio from `get` only, also right after a `put`: a fresh segment and a cached one
are then the same to the last bit.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from audiomill.renderers.base import AudioShard, Rendered, Samples, StoreError
from audiomill.renderers.store import shard_format as shard_file
from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.store.shard_format import Codec, Flaw, MissReason

# Where shards can lie, and which kind a URL means.


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
    from audiomill.renderers.store.remote import FsspecBackend

    return FsspecBackend(url)


KEY = re.compile(r"[0-9a-f]{64}")
FULL = "The disk is full. Free some space, or choose another place with --store."
FORBIDDEN = "Give yourself permission, or choose another place with --store."
ADVICE = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EACCES: FORBIDDEN,
    errno.EPERM: FORBIDDEN,
    errno.EROFS: FORBIDDEN,
}
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class StoredShard:
    """A shard and its samples, as they will always come from the store."""

    shard: AudioShard
    samples: Samples


@dataclass(frozen=True, slots=True)
class PackedShard:
    """A shard and the bytes that are to be stored."""

    shard: AudioShard
    data: bytes


@dataclass(frozen=True, slots=True)
class Miss:
    """No such audio here. `detail` says in words what was found instead."""

    key: str
    reason: MissReason
    detail: str


class ShardStore:
    """Shards by key. Any thread may use it, and any number of runs may share one place."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @property
    def location(self) -> str:
        """Path or URL."""
        return self._backend.where("")

    @property
    def is_remote(self) -> bool:
        """Whether it answers late, so that one should ask ahead."""
        return self._backend.is_remote

    def get(self, key: str) -> StoredShard | Miss:
        """The audio, verified and decoded; never raises for what is in the store."""
        return self._found(key, lambda data: StoredShard(*shard_file.unpack(key, data)))

    def check(self, key: str) -> AudioShard | Miss:
        """What the audio is, every byte of it read and verified, but not decoded."""
        return self._found(key, lambda data: shard_file.inspect(key, data))

    def put(self, key: str, rendered: Rendered, *, sample_rate: int, bits: int) -> AudioShard:
        """Keep `rendered` in PCM of `bits` (16 or 24); it is on the disk when this returns.

        Whatever stood there, whole or damaged, is replaced. Raises StoreError; EngineFailed for
        audio that is empty or no numbers.
        """
        return self.keep(self.packed(key, rendered, sample_rate=sample_rate, bits=bits))

    def packed(self, key: str, rendered: Rendered, *, sample_rate: int, bits: int) -> PackedShard:
        """The first half of a put, which takes a core. Raises EngineFailed."""
        codec = Codec.FLAC if self.is_remote else Codec.PCM
        data = shard_file.pack(
            _checked(key), rendered, sample_rate=sample_rate, bits=bits, codec=codec
        )
        size = rendered.samples.size
        shard = AudioShard(key, size, sample_rate, rendered.timings, rendered.remarks)
        return PackedShard(shard, data)

    def keep(self, shard: PackedShard) -> AudioShard:
        """The second half of a put, which waits for the disk. Raises StoreError."""
        key = shard.shard.key
        try:
            self._backend.write(key, shard.data)
        except OSError as error:
            raise self._error("keep audio in", self._backend.where(key), error) from error
        return shard.shard

    @contextmanager
    def session(self) -> Generator[None]:
        """Held by a run for as long as it puts. Raises StoreError if putting cannot work."""
        with ExitStack() as stack:
            try:
                stack.enter_context(self._backend.session())
            except OSError as error:
                raise self._error("use the store", self.location, error) from error
            yield

    def _found(self, key: str, read: Callable[[bytes], Found]) -> Found | Miss:
        try:
            return read(self._backend.read(_checked(key)))
        except FileNotFoundError:
            return Miss(key, MissReason.ABSENT, f"nothing at {self._backend.where(key)}")
        except OSError as error:
            detail = f"{self._backend.where(key)}: {error.strerror or error}"
            return Miss(key, MissReason.UNREADABLE, detail)
        except Flaw as flaw:
            return Miss(key, flaw.reason, f"{self._backend.where(key)}: {flaw.detail}")

    @staticmethod
    def _error(doing: str, where: str, error: OSError) -> StoreError:
        advice = ADVICE.get(error.errno or 0, "Check it, or choose another place with --store.")
        return StoreError(f"Cannot {doing} {where}: {error.strerror or error}. {advice}")


def open_store(url: str) -> ShardStore:
    """The store at a path or URL; nothing is made or read yet. Raises StoreError."""
    return ShardStore(open_backend(url))


def _checked(key: str) -> str:
    if not KEY.fullmatch(key):
        raise ValueError(f"a shard's key is a SHA-256 in hexadecimal, not {key!r}")
    return key
