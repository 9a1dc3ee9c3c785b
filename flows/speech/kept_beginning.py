"""Has a server of speech begin with a book before this process has read it.

    last time   first segment ──────────────────────────▶ kept
    this time   kept ─▶ server, as fast as now ──────────▶ store
                book ─▶ first segment ─▶ it is stored, or being rendered ─▶ heard

Nothing depends on it: what is heard is what the book has. If it begins otherwise now, the server
has rendered a segment for nothing. Imports little: what reads a book takes half a second.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from audiomill.flows.web_address import connection_to
from audiomill.renderers.host.folders import cache_folder

MAX_KEPT = 32  # beginnings; those that were kept last stay
CONNECT_S = 0.3  # for a server on this machine or in its network; the run asks again, patiently
# Is told the body of a request for the first row of a book.
KeepRow = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """Where a server of speech takes rows, and the file of its key, if it wants one."""

    rows_url: str
    key_file: Path | None


class KeptBeginning:
    """The first segment of a book, as it was heard with the same options but the speed."""

    def __init__(self, source: Path, options: Mapping[str, object], speed: float | None) -> None:
        """None: as fast as the settings say. Raises OSError if there is no such file."""
        found = source.stat()
        what = (str(source.absolute()), found.st_size, found.st_mtime_ns, sorted(options.items()))
        self._file = _folder() / hashlib.sha256(repr(what).encode()).hexdigest()
        self._speed = speed

    def keep(self, place: ServerPlace, rows: bytes) -> None:
        """Keep what a server is asked for: the body of a request for one row."""
        key_file = str(place.key_file.absolute()) if place.key_file else None
        content = {"rows_url": place.rows_url, "key_file": key_file, "speed": self._speed}
        unfinished = self._file.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            unfinished.write_text(json.dumps(content | {"rows": json.loads(rows)}))
            unfinished.replace(self._file)
            _drop_oldest()

    @contextmanager
    def sent(self) -> Generator[None]:
        """Have the server render it during the block, if it is kept."""
        try:
            connection = self._send()
        except (OSError, HTTPException, ValueError, TypeError, LookupError):
            yield  # it was not kept, or there is no server: the run tells what is wrong
            return
        with closing(connection):
            yield

    def _send(self) -> HTTPConnection:
        """A connection whose answer nobody reads: while it is open, somebody waits for the row."""
        content = json.loads(self._file.read_text())
        if self._speed is None and content["speed"] is not None:
            raise LookupError("how fast the settings say is not known yet")
        body = json.dumps(_at_speed(content["rows"], self._speed)).encode()
        url = str(content["rows_url"])
        connection = connection_to(url, CONNECT_S)
        connection.request("POST", urlsplit(url).path, body, _headers(content["key_file"]))
        return connection


def _folder() -> Path:
    return cache_folder() / "beginnings"


def _drop_oldest() -> None:
    by_age = sorted(_folder().iterdir(), key=lambda file: file.stat().st_mtime)
    for file in by_age[:-MAX_KEPT]:
        file.unlink(missing_ok=True)


def _headers(key_file: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {Path(key_file).read_text().strip()}"} if key_file else {}


def _at_speed(rows: dict[str, Any], speed: float | None) -> dict[str, Any]:
    """Rows at a speed, without their keys, which the server computes; None: as they are."""
    changes = {"key": ""} if speed is None else {"key": "", "speed": speed}
    return rows | {"rows": [one | changes for one in rows["rows"]]}
