"""Caches phonemes in memory and in an SQLite file. Knows no language.

A key is a hash of a fingerprint (everything that decides the phonemes, see `requirements`) and
the text.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import OrderedDict
from collections.abc import Generator
from contextlib import closing, contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from threading import Lock
from typing import Self

from audiomill.renderers.kokoro.g2p.phonemes import Damaged, Phonemes, is_whole, pack, unpack

# A passage of 30 words takes about 500 bytes, so this is 25 MB: a few books.
MAX_IN_MEMORY = 50_000
BUSY_S = 2.0  # how long SQLite waits for another process's write
# The number is the version of the row format: a new format gets a new table.
_CREATE_TABLE = (
    "CREATE TABLE IF NOT EXISTS phonemes_1"
    " (key BLOB PRIMARY KEY, packed BLOB NOT NULL) WITHOUT ROWID"
)
_DAMAGE_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}


class PhonemeCache:
    """Phonemes by fingerprint and text; safe for threads and processes.

    The last `max_in_memory` texts are in memory. All are in the file at `path`, if one is given.
    """

    def __init__(self, path: Path | None = None, max_in_memory: int = MAX_IN_MEMORY) -> None:
        self._file = _PhonemeFile(path) if path else None
        self._max_in_memory = max_in_memory
        self._in_memory: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, fingerprint: str, text: str) -> Phonemes | None:
        """The phonemes of `text`; None if they are missing or damaged."""
        key = _key(fingerprint, text)
        packed = self._packed(key)
        if packed is None:
            return None
        try:
            phonemes = unpack(packed)
        except Damaged:
            return None
        self._put_in_memory(key, packed)
        return phonemes

    def has(self, fingerprint: str, text: str) -> bool:
        """Whether it has phonemes of `text` which are not damaged."""
        key = _key(fingerprint, text)
        packed = self._packed(key)
        if packed is None or not is_whole(packed):
            return False
        self._put_in_memory(key, packed)
        return True

    def put(self, fingerprint: str, text: str, phonemes: Phonemes) -> None:
        """Store the phonemes of `text`."""
        self.put_packed(fingerprint, text, pack(phonemes))

    def put_packed(self, fingerprint: str, text: str, packed: bytes) -> None:
        """Store the phonemes of `text`, already packed by `phonemes.pack`."""
        key = _key(fingerprint, text)
        self._put_in_memory(key, packed)
        if self._file:
            self._file.put(key, packed)

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _packed(self, key: bytes) -> bytes | None:
        return self._in_memory.get(key) or (self._file.get(key) if self._file else None)

    def _put_in_memory(self, key: bytes, packed: bytes) -> None:
        with self._lock:
            self._in_memory[key] = packed
            self._in_memory.move_to_end(key)
            while len(self._in_memory) > self._max_in_memory:
                self._in_memory.popitem(last=False)


def _key(fingerprint: str, text: str) -> bytes:
    """The first 20 bytes of a SHA-256 of both.

    Lone surrogates are encoded, not refused. UTF-8 never contains the byte FF, so that it
    separates the two unambiguously.
    """
    digest = hashlib.sha256(fingerprint.encode("utf-8", "surrogatepass"))
    digest.update(b"\xff" + text.encode("utf-8", "surrogatepass"))
    return digest.digest()[:20]


class _PhonemeFile:
    """Packed phonemes by key, in an SQLite file that threads and processes may share.

    No method raises. If the file cannot be used (locked, full, read-only, no folder), `get` returns
    None and `put` does nothing. A damaged file is set aside and replaced by an empty one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        with self._recovering():
            self._connection = _connect(path)

    def get(self, key: bytes) -> bytes | None:
        """The bytes stored at `key`; None if there are none or they cannot be read."""
        with self._lock, self._recovering():
            if self._connection:
                query = "SELECT packed FROM phonemes_1 WHERE key = ?"
                row = self._connection.execute(query, (key,)).fetchone()
                return bytes(row[0]) if row else None
        return None

    def put(self, key: bytes, packed: bytes) -> None:
        """Store `packed` at `key`, if the file can be written."""
        with self._lock, self._recovering():
            if self._connection:
                statement = "INSERT OR REPLACE INTO phonemes_1 VALUES (?, ?)"
                self._connection.execute(statement, (key, packed))

    def close(self) -> None:
        """Close the connection; from then on the file is as if it were empty."""
        with self._lock, self._recovering():
            connection, self._connection = self._connection, None
            if connection:
                with closing(connection), _open_close_lock(self._path):
                    connection.close()

    @contextmanager
    def _recovering(self) -> Generator[None]:
        """Suppress errors of SQLite and of the file system; replace the file if it is damaged."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if _is_damage(error):
                self._replace_file()

    def _replace_file(self) -> None:
        try:
            if self._connection:
                self._connection.close()
            self._connection = None
            _set_aside(self._path)
            self._connection = _connect(self._path)
        except (sqlite3.Error, OSError):
            self._connection = None


def _connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode, with the table created. Raises sqlite3.Error, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _open_close_lock(path):
        connection = sqlite3.connect(
            path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_CREATE_TABLE)
        except sqlite3.Error:
            connection.close()
            raise
    return connection


@contextmanager
def _open_close_lock(path: Path) -> Generator[None]:
    """Hold the lock under which connections are opened and closed. Raises OSError.

    SQLite's own timeout does not cover these. A connection that creates the write-ahead log, while
    another creates it too or the last one deletes it, fails with SQLITE_BUSY at once, because
    waiting could deadlock.
    """
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


def _is_damage(error: Exception) -> bool:
    # The low byte is the primary code; the bytes above it only add detail.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE_CODES


def _set_aside(path: Path) -> None:
    """Rename a damaged file, unless another process has already replaced it. Raises OSError."""
    with _open_close_lock(path):
        if _is_sound(path):
            return
        path.replace(path.with_name(f"{path.name}.damaged"))
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_S)) as connection:
            return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.Error:
        return False
