"""A socket by which processes of one user talk on this machine, a message of JSON at a time.

Its folder is the user's alone, and both ends ask the kernel whose process the other one is, where
it tells that (Linux). Imports little, as `beginning_cache`.
"""

from __future__ import annotations

import json
import os
import select
import socket
import stat
import struct
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_PEER = struct.Struct("3i")  # process, user, group: `struct ucred` of Linux
_BLOCK_BYTES = 1 << 16
# Tells the user of the process at the other end; None where the system does not.
UserOf = Callable[[socket.socket], int | None]


def peer_uid(connection: socket.socket) -> int | None:
    """The user of the process at the other end; None where the system does not tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    return int(_PEER.unpack(found)[1])


def require_own_peer(connection: socket.socket, uid_of: UserOf) -> None:
    """Raise PermissionError if the process at the other end is another user's."""
    if uid_of(connection) not in (None, os.geteuid()):
        raise PermissionError("It is the process of another user.")


@contextmanager
def listening_at(path: Path) -> Generator[socket.socket]:
    """A socket at a path while in the block. Raises OSError, also if another process has it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _require_own_folder(path.parent)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        if not _is_served(path):
            path.unlink(missing_ok=True)
        listener.bind(str(path))
        own = path.lstat().st_ino
        try:
            path.chmod(0o600)
            listener.listen(1)
            yield listener
        finally:
            with suppress(OSError):
                if path.lstat().st_ino == own:
                    path.unlink()


def connected_to(path: Path, timeout_s: float, uid_of: UserOf = peer_uid) -> socket.socket:
    """A connection to the process of this user that listens at a path. Raises OSError."""
    _require_own_folder(path.parent)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout_s)
        connection.connect(str(path))
        require_own_peer(connection, uid_of)
    except BaseException:
        connection.close()
        raise
    return connection


def send_message(connection: socket.socket, content: object) -> None:
    """Send plain data. Raises OSError, also if it is not taken within the timeout."""
    connection.sendall(json.dumps(content).encode() + b"\n")


def received_message(connection: socket.socket, max_bytes: int, within_s: float) -> Any:
    """The plain data that is sent next. Raises OSError, and ValueError for what is no message."""
    until_s, data = time.monotonic() + within_s, bytearray()
    while not data.endswith(b"\n"):
        connection.settimeout(max(0.001, until_s - time.monotonic()))
        block = connection.recv(_BLOCK_BYTES)
        data += block
        if not block or len(data) > max_bytes or time.monotonic() > until_s:
            raise ValueError("It is no message, or too long.")
    try:
        return json.loads(data)
    except RecursionError as error:
        raise ValueError("It is nested too deeply.") from error


def is_left(connection: socket.socket) -> bool:
    """Whether the other end, which should only wait, has gone, or sends more."""
    waiting = select.poll()  # `select` takes no descriptor over 1023
    waiting.register(connection, select.POLLIN)
    return bool(waiting.poll(0))


def _is_served(path: Path) -> bool:
    """Whether a process listens at a path. One that was killed leaves its file there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except OSError:  # one that is busy
            pass
        return True


def _require_own_folder(folder: Path) -> None:
    """Raise PermissionError for a folder in which others may put something."""
    found = folder.stat()
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise PermissionError(f"{folder} is not this user's alone.")
