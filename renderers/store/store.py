"""The shard store: rendered audio by key. Knows no engine.

    put ─▶ bytes (shard_format) ─▶ backend ─▶ bytes, all verified ─▶ get

Audio that cannot be verified is a `Miss` with a reason, never an error and never damaged audio. The
pipeline takes audio only from `get`, even right after a `put`; so a fresh and a cached segment are
identical to the last bit.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.engine.protocol import Rendered, Samples, ShardInfo
from audiomill.renderers.host.child_process import RunLocally, do_nothing
from audiomill.renderers.host.process_pool import ProcessPool
from audiomill.renderers.host.shared_memory import SharedPiece
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.store import shard_format, shared_shards
from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.store.notes import (
    IDENTITY_KEY,
    identity_bytes,
    note_bytes,
    read_identity,
    read_note,
)
from audiomill.renderers.store.shard_format import InvalidShard, MissReason
from audiomill.renderers.store.shard_header import KEY, Codec
from audiomill.renderers.store.shard_layout import Part, Parts
from audiomill.renderers.store.shared_shards import SharedShard, SharedShards, write_shared

# Of a store that can be read but not written.
_READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS}
_FULL = "The disk is full. Free some space, or choose another place with --store."
_FORBIDDEN = "Give yourself permission, or choose another place with --store."
_ADVICE = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: "Choose another place with --store.",
}
# Bytes may change on the way, and reading again costs less than rendering again. Even if a fifth of
# all reads is changed, of 3,000 shards one is then rendered again.
N_REMOTE_READS = 5
T = TypeVar("T")


class Backend(Protocol):
    """Stores bytes by key. Knows no audio; the store verifies what it reads."""

    @property
    def is_remote(self) -> bool:
        """Whether latency is high, so that reading ahead and small files pay off."""
        ...

    @property
    def folder(self) -> Path | None:
        """The folder of shards that `LocalBackend` can write; None if it is no such store."""
        ...

    def where(self, key: str) -> str:
        """Path or URL of a shard, for messages; of the store for the key ""."""
        ...

    def read(self, key: str) -> bytes:
        """The shard's bytes.

        Raises OSError, FileNotFoundError if the shard does not exist; StoreError if the whole store
        cannot be used.
        """
        ...

    def has(self, key: str) -> bool:
        """Whether there is something under the key; nothing of it is read.

        Raises OSError, StoreError.
        """
        ...

    def write(self, key: str, *parts: Part) -> None:
        """Write or replace the shard, whole or not at all; its parts are joined.

        Raises OSError, StoreError.
        """
        ...

    def create(self, key: str, data: bytes) -> None:
        """Write the shard if there is none, whole or not at all.

        Of many that create at once, one does. Raises OSError, if there is one already or the place
        cannot do this; StoreError.
        """
        ...

    def session(self) -> AbstractContextManager[None]:
        """A context for a run that writes. Raises OSError, StoreError if writing cannot work."""
        ...


@dataclass(frozen=True, slots=True)
class StoredShard:
    """A shard and its samples, which are the same at every `get`."""

    info: ShardInfo
    samples: Samples


@dataclass(frozen=True, slots=True)
class PackedShard:
    """A shard and its bytes, ready to be stored."""

    info: ShardInfo
    parts: Parts
    shared: SharedPiece | None = None  # the last part, where a child process can read it


@dataclass(frozen=True, slots=True)
class Miss:
    """The store has no such audio. `detail` says for people what it has instead."""

    key: str
    reason: MissReason
    detail: str


class ShardStore:
    """Stores shards by key. Thread-safe; any number of runs may share a store."""

    def __init__(
        self, backend: Backend, unwritable: str = "", writer: ProcessPool | None = None
    ) -> None:
        """`unwritable` says why the store cannot be written, if that is known.

        `writer` writes what lies in shared memory.
        """
        self._backend = backend
        self._writer = writer
        self.unwritable = unwritable

    @property
    def location(self) -> str:
        """Path or URL."""
        return self._backend.where("")

    @property
    def absolute_location(self) -> str:
        """URL or absolute path, by which another process or machine may find it."""
        return self.location if "://" in self.location else str(Path(self.location).absolute())

    @property
    def is_remote(self) -> bool:
        """Whether latency is high, so that reading ahead pays off."""
        return self._backend.is_remote

    def get(self, key: str) -> StoredShard | Miss:
        """The shard, verified and decoded. Raises StoreError if the whole store cannot be used.

        Raises nothing for any content of the store.
        """
        return self._read(key, lambda data: StoredShard(*shard_format.unpack(key, data)))

    def has(self, key: str) -> bool:
        """Whether there is something under the key, which may be damaged. Raises StoreError."""
        try:
            return self._backend.has(key)
        except OSError as error:
            raise _store_error("read", self._backend.where(key), error) from error

    def check(self, key: str) -> ShardInfo | Miss:
        """The shard without samples: every byte is read and verified, but not decoded.

        Raises StoreError as `get` does.
        """
        return self._read(key, lambda data: shard_format.inspect(key, data))

    def put(self, key: str, rendered: Rendered, *, sample_rate: int, bits: int) -> ShardInfo:
        """Store `rendered` as PCM of `bits` (16 or 24); it is on the disk on return.

        Replaces the shard with this key, whether whole or damaged. Raises StoreError; EngineFailed
        for audio that is empty or not finite.
        """
        return self.write(self.packed(key, rendered, sample_rate=sample_rate, bits=bits))

    def packed(self, key: str, rendered: Rendered, *, sample_rate: int, bits: int) -> PackedShard:
        """The first half of `put`, which is CPU-bound. Raises EngineFailed."""
        codec = Codec.FLAC if self.is_remote else Codec.PCM
        parts = shard_format.pack(
            _checked(key), rendered, sample_rate=sample_rate, bits=bits, codec=codec
        )
        n_samples = rendered.samples.size
        info = ShardInfo(
            *(key, n_samples, sample_rate, rendered.timings, rendered.remarks, rendered.findings),
            digest=shard_format.digest_of(parts[0]),
        )
        shared = rendered.pcm.shared if rendered.pcm and codec is Codec.PCM else None
        return PackedShard(info, parts, shared)

    def write(self, shard: PackedShard) -> ShardInfo:
        """The second half of `put`, which is I/O-bound. Raises StoreError."""
        self._write(shard.info.key, *shard.parts)
        return shard.info

    def prepare_writer(self) -> None:
        """Start the child process of `write_shared`, which a run has for a store in a folder."""
        if self._writer and self._backend.folder:
            self._writer.prepare()

    def has_writer(self) -> bool:
        """Whether the child process has started: until then, this process writes faster."""
        return (
            self._writer is not None
            and self._backend.folder is not None
            and self._writer.is_ready()
        )

    def write_shared(self, shards: Sequence[PackedShard]) -> list[StoreError | None]:
        """Write shards that lie in shared memory, by a child process; each one's error.

        Raises RunLocally if no child can; then each is to be written with `write`.
        """
        root = self._backend.folder
        if self._writer is None or root is None or self.unwritable:
            raise RunLocally("the store is written by this process")
        work = SharedShards(root, [_shared(shard) for shard in shards])
        errors = self._writer.do_in_child(write_shared, work, do_nothing)
        return [
            error and _store_error("keep audio in", self._backend.where(shard.info.key), error)
            for shard, error in zip(shards, errors, strict=True)
        ]

    def note(self, key: str) -> str:
        """The note under a key of `note_key`; "" if there is none that is whole.

        Raises StoreError as `get` does.
        """
        found = self._read(key, read_note)
        return "" if isinstance(found, Miss) else found

    def keep_note(self, key: str, text: str) -> None:
        """Keep a note, if the store can be written; it is on the disk on return.

        Raises StoreError.
        """
        if not self.unwritable:
            self._write(key, note_bytes(text))

    def identity(self) -> str:
        """What tells this store from all others, at whatever path or URL it is reached.

        It is "" for a store that has been given none, or whose own is damaged. Raises StoreError.
        """
        try:
            return self._parsed(IDENTITY_KEY, read_identity)
        except (FileNotFoundError, InvalidShard):
            return ""
        except OSError as error:
            raise _store_error("read", self._backend.where(IDENTITY_KEY), error) from error

    def give_identity(self) -> str:
        """The identity, a new one if there is none yet. Raises StoreError.

        Runs that give one at the same moment get the same one, where the store's place can create
        what is not there. Where it cannot, or where a damaged one is there, the last one counts.
        """
        if found := self.identity():
            return found
        self.require_writable()
        data = identity_bytes(secrets.token_hex(16))
        with suppress(OSError):
            self._backend.create(IDENTITY_KEY, data)
        if not self.identity():
            self._write(IDENTITY_KEY, data)
        return self.identity()

    def require_writable(self) -> None:
        """Raise StoreError if it is known that the store cannot be written."""
        if self.unwritable:
            raise StoreError(self.unwritable)

    @contextmanager
    def session(self) -> Generator[ShardStore]:
        """The store for a run, checked. Raises StoreError if it cannot be used.

        A store that the run may not write is no error until something is written: if it has all
        that the run needs, reading is enough.
        """
        with ExitStack() as stack:
            unwritable = ""
            try:
                stack.enter_context(self._backend.session())
            except OSError as error:
                problem = _store_error("write to the store", self.location, error)
                if error.errno not in _READ_ONLY:
                    raise problem from error
                unwritable = str(problem)
            # One, with threads of its own, which mostly wait for the disk.
            writer = stack.enter_context(ProcessPool(1, [shared_shards.__name__]))
            yield ShardStore(self._backend, unwritable, writer)

    def _write(self, key: str, *parts: Part) -> None:
        self.require_writable()
        try:
            self._backend.write(key, *parts)
        except OSError as error:
            raise _store_error("keep audio in", self._backend.where(key), error) from error

    def _read(self, key: str, parse: Callable[[bytes], T]) -> T | Miss:
        """What `parse` makes of the shard's bytes."""
        where = self._backend.where(key)
        try:
            return self._parsed(_checked(key), parse)
        except FileNotFoundError:
            return Miss(key, MissReason.ABSENT, f"nothing at {where}")
        except OSError as error:
            return Miss(key, MissReason.UNREADABLE, f"{where}: {error.strerror or error}")
        except InvalidShard as error:
            return Miss(key, error.reason, f"{where}: {error.detail}")

    def _parsed(self, key: str, parse: Callable[[bytes], T]) -> T:
        """What `parse` makes of the bytes; it may take several reads.

        Raises OSError, StoreError; InvalidShard if the bytes are never right.
        """
        for _ in range(N_REMOTE_READS - 1 if self.is_remote else 0):
            try:
                return parse(self._backend.read(key))
            except InvalidShard as error:
                if error.reason is MissReason.UNKNOWN_SCHEMA:  # its header is whole
                    raise
        return parse(self._backend.read(key))


def open_store(url: str, waiter: Waiter | None = None) -> ShardStore:
    """The store at a path or URL. Creates and reads nothing yet. Raises StoreError.

    With a `waiter`, a store on the network that does not answer is waited for.
    """
    return ShardStore(_open_backend(url, waiter))


def _open_backend(url: str, waiter: Waiter | None) -> Backend:
    """The backend for "/path", "~/path", "file:///path" or a URL of fsspec. Raises StoreError."""
    if "://" not in url:
        return LocalBackend(Path(os.path.expanduser(url)))  # noqa: PTH111  an unknown ~user stays
    if url.startswith("file://"):
        return LocalBackend(Path(unquote(urlsplit(url).path)))
    # Imported here, because fsspec loads slowly and most stores are folders.
    from audiomill.renderers.store.remote import FsspecBackend

    return FsspecBackend(url, waiter)


def _store_error(action: str, where: str, error: OSError) -> StoreError:
    advice = _ADVICE.get(error.errno or 0, "Check it, or choose another place with --store.")
    return StoreError(f"Cannot {action} {where}: {error.strerror or error}. {advice}")


def _shared(shard: PackedShard) -> SharedShard:
    """Raises RunLocally."""
    head, piece = bytes(shard.parts[0]), shard.shared
    if piece is None:
        raise RunLocally("its audio is in no shared memory")
    return SharedShard(shard.info.key, head, piece.memory.path, piece.first, piece.n_bytes)


def _checked(key: str) -> str:
    if not KEY.fullmatch(key):
        raise ValueError(f"a shard's key is a SHA-256 in hexadecimal, not {key!r}")
    return key
