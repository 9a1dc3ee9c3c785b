"""Phonemes that were made before, in memory and in a file. Knows no language.

What a text is found by is the fingerprint of whatever made its phonemes, and the text itself.
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
from types import TracebackType
from typing import Self

from audiomill.renderers.kokoro.g2p.phonemes import Damaged, Phonemes, pack, unpack

# A file of packed phonemes by key, shared by any number of processes.

BUSY_S = 2.0  # to wait for another process's write
DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
# The number is that of what is in a row; another one makes another table.
_TABLE = (
    "CREATE TABLE IF NOT EXISTS phonemes_1"
    " (key BLOB PRIMARY KEY, packed BLOB NOT NULL) WITHOUT ROWID"
)


class PhonemeFile:
    """Bytes by key, at `path` if that can be. Any thread may use it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        with self._mended():
            self._connection = _opened(path)

    def get(self, key: bytes) -> bytes | None:
        """What was put there, if it can be read."""
        with self._lock, self._mended():
            if self._connection:
                query = "SELECT packed FROM phonemes_1 WHERE key = ?"
                row = self._connection.execute(query, (key,)).fetchone()
                return bytes(row[0]) if row else None
        return None

    def put(self, key: bytes, packed: bytes) -> None:
        """Keep `packed`, if that can be."""
        with self._lock, self._mended():
            if self._connection:
                order = "INSERT OR REPLACE INTO phonemes_1 VALUES (?, ?)"
                self._connection.execute(order, (key, packed))

    def close(self) -> None:
        """Give the file back; it then holds nothing."""
        with self._lock, self._mended():
            connection, self._connection = self._connection, None
            if connection:
                with closing(connection), _alone(self._path):
                    connection.close()

    @contextmanager
    def _mended(self) -> Generator[None]:
        """Begin a damaged file anew; let all else pass: locked, full, read-only, no folder."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if _is_damage(error):
                self._begin_anew()

    def _begin_anew(self) -> None:
        try:
            if self._connection:
                self._connection.close()
            self._connection = None
            _set_aside(self._path)
            self._connection = _opened(self._path)
        except (sqlite3.Error, OSError):
            self._connection = None


def _opened(path: Path) -> sqlite3.Connection:
    """Raises sqlite3.Error, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path):
        connection = sqlite3.connect(
            path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)
        except sqlite3.Error:
            connection.close()
            raise
    return connection


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """Keep other processes from opening and closing meanwhile. Raises OSError.

    SQLite waits for a lock only where no two can wait for each other: one that begins the log
    while another does, or while the last one ends it, is told at once that the file is busy.
    """
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


def _is_damage(error: Exception) -> bool:
    # The low byte is the kind; what is above it only tells more.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGE


def _set_aside(path: Path) -> None:
    """Rename the file, unless another process has done so. Raises OSError."""
    with _alone(path):
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


# Some 500 bytes each, for a passage of thirty words: a few books.
N_KEPT = 50_000


class PhonemeCache:
    """The last `n_kept` in memory, and all at `path` if one is given. Any thread may use it."""

    def __init__(self, path: Path | None = None, n_kept: int = N_KEPT) -> None:
        self._file = PhonemeFile(path) if path else None
        self._n_kept = n_kept
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, fingerprint: str, text: str) -> Phonemes | None:
        """The phonemes of `text`, if they are here and whole."""
        key = _key(fingerprint, text)
        packed = self._kept.get(key) or (self._file.get(key) if self._file else None)
        if packed is None:
            return None
        try:
            phonemes = unpack(packed)
        except Damaged:
            return None
        self._keep(key, packed)
        return phonemes

    def put(self, fingerprint: str, text: str, phonemes: Phonemes) -> None:
        """Keep the phonemes of `text`."""
        self.put_packed(fingerprint, text, pack(phonemes))

    def put_packed(self, fingerprint: str, text: str, packed: bytes) -> None:
        """Keep what `pack` made of the phonemes of `text`."""
        key = _key(fingerprint, text)
        self._keep(key, packed)
        if self._file:
            self._file.put(key, packed)

    def close(self) -> None:
        """Give the file back."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _keep(self, key: bytes, packed: bytes) -> None:
        with self._lock:
            self._kept[key] = packed
            self._kept.move_to_end(key)
            while len(self._kept) > self._n_kept:
                self._kept.popitem(last=False)


def _key(fingerprint: str, text: str) -> bytes:
    # Neither a lone surrogate nor a text that begins like a fingerprint may end or confuse it.
    digest = hashlib.sha256(fingerprint.encode("utf-8", "surrogatepass"))
    digest.update(b"\xff" + text.encode("utf-8", "surrogatepass"))
    return digest.digest()[:20]
