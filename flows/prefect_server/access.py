"""How programs of one user find the Prefect server that `audiomill serve` brings, and its password.

In Prefect's folder ($PREFECT_HOME), which only the user can read:

    prefect.db                  the server's database, which also has the key of its Secret blocks
    audiomill-server.password   of every Prefect server that audiomill starts
    audiomill-server.url        of the one that `audiomill serve` runs, which holds the lock
    audiomill-server.lock
"""

from __future__ import annotations

import http.client
import os
import secrets
import stat
import tempfile
import time
from base64 import b64encode
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from audiomill.flows.file_lock import FileLock
from audiomill.flows.prefect_server.settings import prefect_home
from audiomill.outputs.files import write_atomically

_ANSWER_TIMEOUT_S = 5.0
_MAX_ANSWER_BYTES = 100
_PASSWORD_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_LOCK_TIMEOUT_S = 2.0  # others hold the lock for a moment when they look whether it is held
_POLL_S = 0.05
_FOREIGN_PAGE = "http://audiomill.example"


def password_file() -> Path:
    """The file with the password of the Prefect servers that audiomill starts for this user."""
    return prefect_home() / "audiomill-server.password"


def make_password() -> str:
    """The password of this user's Prefect servers; a new one if there is none. Raises OSError."""
    path = password_file()
    keep_folder_private()
    with suppress(FileNotFoundError):
        _keep_private(path)
        if password := path.read_text("utf-8").strip():
            return password
    password = secrets.token_urlsafe(_PASSWORD_BYTES)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:  # only the user reads it
        file.write(password)
        file.flush()
        os.fsync(descriptor)
    Path(temporary).replace(path)
    return password


def keep_folder_private() -> None:
    """Create Prefect's folder if need be, and let only the user read it. Raises OSError."""
    prefect_home().mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)
    _keep_private(prefect_home())


def keep_database_private() -> None:
    """Let only the user read the files of this process from now on, and the database there is."""
    os.umask(_OTHERS)
    keep_folder_private()
    for path in prefect_home().glob("prefect.db*"):
        with suppress(FileNotFoundError):  # SQLite's journals come and go
            _keep_private(path)


def _keep_private(path: Path) -> None:
    """Let only its owner read a file or folder, as far as its file system and owner allow."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _OTHERS:
        with suppress(PermissionError):  # another user's, who has shared it
            path.chmod(mode & ~_OTHERS)


@contextmanager
def announced(url: str) -> Generator[None]:
    """Let this user's other runs find the server at `url` while the block runs."""
    with _announcer() as lock:
        until = time.monotonic() + _LOCK_TIMEOUT_S
        while not (is_ours := lock.try_acquire()) and time.monotonic() < until:
            time.sleep(_POLL_S)
        if not is_ours:  # another server of this user is announced
            yield
            return
        write_atomically(_url_file(), url.encode())
        try:
            yield
        finally:
            _url_file().unlink(missing_ok=True)


def served_url() -> str | None:
    """The URL of the server that `audiomill serve` runs for this user, if it does and answers."""
    url = _announced_url()
    return url if url and _is_announcer_alive() and is_healthy(url) else None


def open_server_of_earlier_version() -> str | None:
    """The URL of a server of this user's that an audiomill before passwords runs, if one does."""
    url = _announced_url()
    return url if url and not _is_announcer_alive() and is_open(url) else None


def own_password(api_url: str) -> str | None:
    """The password of the server at `api_url`, if it is the one that `audiomill serve` runs."""
    if api_url.rstrip("/").replace("//localhost", "//127.0.0.1") != _announced_url():
        return None
    try:
        # Only while its announcer lives: a stranger may listen where a dead server did.
        return password_file().read_text("utf-8").strip() if _is_announcer_alive() else None
    except (OSError, UnicodeDecodeError):
        return None


def _announced_url() -> str | None:
    try:
        return _url_file().read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _is_announcer_alive() -> bool:
    """Whether a process holds the lock of the announcement."""
    try:
        with _announcer() as lock:
            return not lock.try_acquire()
    except OSError:
        return False


def _announcer() -> FileLock:
    return FileLock(prefect_home() / "audiomill-server.lock")


def _url_file() -> Path:
    return prefect_home() / "audiomill-server.url"


def answers(api_url: str) -> bool:
    """True if a server answers at `api_url`, even if it only asks for an API key."""
    status, _, _ = _got(f"{api_url.rstrip('/')}/health")
    return 0 < status < http.client.INTERNAL_SERVER_ERROR


def is_healthy(api_url: str) -> bool:
    """True if a healthy Prefect server answers at `api_url`."""
    status, body, _ = _got(f"{api_url.rstrip('/')}/health")
    return (status, body) == (http.client.OK, b"true")


def wants_another_password(api_url: str, password: str | None) -> bool:
    """True if a server answers at `api_url`, but not to those who have this password, or none."""
    headers = (
        {"Authorization": f"Basic {b64encode(password.encode()).decode()}"} if password else {}
    )
    status, _, _ = _got(f"{api_url.rstrip('/')}/admin/version", headers)
    return status == http.client.UNAUTHORIZED


def is_open(api_url: str) -> bool:
    """True if any web page that a browser shows here may read and change what a server has."""
    status, _, shared_with = _got(f"{api_url.rstrip('/')}/admin/version", {"Origin": _FOREIGN_PAGE})
    return status == http.client.OK and shared_with in ("*", _FOREIGN_PAGE)


def _got(url: str, headers: Mapping[str, str] | None = None) -> tuple[int, bytes, str]:
    """The status of an answer, or 0, the start of its body, and the origins that may read it."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        with closing(
            kind(parts.hostname or "", parts.port, timeout=_ANSWER_TIMEOUT_S)
        ) as connection:
            connection.request("GET", parts.path, headers=dict(headers or {}))
            response = connection.getresponse()
            shared_with = response.headers.get("Access-Control-Allow-Origin", "")
            return response.status, response.read(_MAX_ANSWER_BYTES), shared_with
    except (OSError, ValueError, http.client.HTTPException):
        return 0, b"", ""  # ValueError: the port is not a number
