"""The Prefect API that a run uses: the configured one, or a server of its own.

`python -m audiomill.flows.prefect_server PORT` is that server. It reads its standard input and
exits when its parent closes it, so it never outlives the run.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import urlsplit

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.file_lock import FileLock
from audiomill.flows.prefect_settings import point_prefect_pages_at, prefect_home, quiet_prefect
from audiomill.outputs.files import write_atomically

# The first start migrates a new database: 17 to 34 s were measured on two shared cores.
START_TIMEOUT_S = 180.0
POLL_INTERVAL_S = 0.1
ANSWER_TIMEOUT_S = 5.0
PORT_TIMEOUT_S = 10.0
DRAIN_TIMEOUT_S = 10.0
RESTART_AFTER_S = 1.0


class PrefectUnreachable(Exception):
    """No Prefect API answers. The message says which, and what to do."""


@contextmanager
def prefect_api(configured_url: str | None, context: RunContext) -> Generator[None]:
    """Make Prefect use `configured_url`, that of `audiomill serve`, or a server for this block.

    Raises PrefectUnreachable, Interrupted.
    """
    url = configured_url or _served_url()
    if url is not None:
        _require_answer(url, "or render without it (--no-prefect)")
        quiet_prefect(url)
        yield
        return
    say("Starting a Prefect server for this run ...")
    with _server(_free_port(), context) as server:
        quiet_prefect(server.url)
        try:
            yield
        finally:
            drain_prefect(DRAIN_TIMEOUT_S)


@contextmanager
def lasting_prefect_api(
    configured_url: str | None, port: int, context: RunContext
) -> Generator[str]:
    """Make Prefect use `configured_url`, or a server at `port` that other runs find.

    Yields the URL. Raises PrefectUnreachable, Interrupted.
    """
    if configured_url is not None:
        _require_answer(configured_url, "or unset PREFECT_API_URL for a server of our own")
        quiet_prefect(configured_url)
        yield configured_url
        return
    say("Starting a Prefect server. The first start takes half a minute ...")
    if not _becomes_free(port, context):
        raise PrefectUnreachable(
            f"Port {port} is taken: choose another one (--port), or name the Prefect server there:"
            f" PREFECT_API_URL=http://127.0.0.1:{port}/api."
        )
    with _server(port, context) as server, _announced(server.url):
        quiet_prefect(server.url)
        yield server.url


def drain_prefect(timeout_s: float) -> bool:
    """Wait until Prefect has sent its last events and log lines; false if it could not."""
    if "prefect" not in sys.modules:
        return True
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker

    waits = [worker.drain_all(timeout=timeout_s) for worker in (EventsWorker, APILogWorker)]
    return not any(not_done for _, not_done in cast("list[tuple[Any, Any]]", waits))


def _served_url() -> str | None:
    """The URL of the server that `audiomill serve` runs for this user, if it does."""
    try:
        url = _url_file().read_text()
    except (OSError, UnicodeDecodeError):
        return None
    return url if _is_healthy(url) else None


@contextmanager
def _announced(url: str) -> Generator[None]:
    """Let this user's other runs find the server while the block runs."""
    write_atomically(_url_file(), url.encode())
    try:
        yield
    finally:
        _url_file().unlink(missing_ok=True)


def _url_file() -> Path:
    return prefect_home() / "audiomill-server.url"


def _require_answer(api_url: str, otherwise: str) -> None:
    """Raise PrefectUnreachable if no server answers at `api_url`."""
    if not answers(api_url):
        raise PrefectUnreachable(
            f"No Prefect server answers at {api_url}. Start it (prefect server start), {otherwise}."
        )


def answers(api_url: str) -> bool:
    """True if a server answers at `api_url`, even if it only asks for an API key."""
    status, _ = _health(api_url)
    return 0 < status < http.client.INTERNAL_SERVER_ERROR


def _is_healthy(api_url: str) -> bool:
    """True if a Prefect server that needs no API key answers at `api_url`."""
    return _health(api_url) == (http.client.OK, b"true")


def _health(api_url: str) -> tuple[int, bytes]:
    """The status and body of the answer to a health check; 0 if there is none."""
    parts = urlsplit(api_url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        with closing(
            kind(parts.hostname or "", parts.port, timeout=ANSWER_TIMEOUT_S)
        ) as connection:
            connection.request("GET", f"{parts.path.rstrip('/')}/health")
            response = connection.getresponse()
            return response.status, response.read(100)
    except (OSError, ValueError, http.client.HTTPException):
        return 0, b""  # ValueError: the port is not a number


class _Server:
    """A Prefect server on 127.0.0.1, in a process that ends with this one.

    If it ends before, it is started again: its clients wait for it, and go on.
    """

    def __init__(self, port: int, log: IO[bytes], context: RunContext) -> None:
        self.url = f"http://127.0.0.1:{port}/api"
        self._command = [sys.executable, "-m", "audiomill.flows.prefect_server", str(port)]
        self._context = context
        self._log = log
        self._stopped = threading.Event()
        self._lock = threading.Lock()  # against a start after the stop
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            # In a session of its own: a terminal's Ctrl-C must not stop the server before the run.
            start_new_session=True,
        )

    def wait_until_healthy(self) -> None:
        """Wait for the server's first answer. Raises PrefectUnreachable, Interrupted."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while not _is_healthy(self.url):
            if self._process.poll() is not None:
                raise self._failure(f"exit code {self._process.returncode}")
            if time.monotonic() > deadline:
                raise self._failure(f"no answer within {START_TIMEOUT_S:.0f} s")
            self._context.check()
            time.sleep(POLL_INTERVAL_S)

    def keep_running(self) -> None:
        """Start the server again whenever its process ends, until `stop`."""
        while not self._stopped.wait(RESTART_AFTER_S):
            with self._lock:
                if self._process.poll() is not None and not self._stopped.is_set():
                    say("Prefect's server has ended; starting it again.")
                    self._process = self._start()

    def stop(self) -> None:
        """End the server."""
        with self._lock:
            self._stopped.set()
            self._process.kill()
        self._process.communicate()

    def _failure(self, reason: str) -> PrefectUnreachable:
        self._log.seek(0)
        last_line = self._log.read().decode(errors="replace").strip().rpartition("\n")[2]
        return PrefectUnreachable(
            f"Prefect's server did not start ({last_line or reason})."
            " Render without it (--no-prefect)."
        )


@contextmanager
def _server(port: int, context: RunContext) -> Generator[_Server]:
    """A running server. It ends with the block. Raises PrefectUnreachable, Interrupted."""
    quiet_prefect()
    with ExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())
        with _one_start_at_a_time(context):
            server = _Server(port, log, context)
            stack.callback(server.stop)
            server.wait_until_healthy()
        watcher = threading.Thread(target=server.keep_running, daemon=True)
        watcher.start()
        yield server


@contextmanager
def _one_start_at_a_time(context: RunContext) -> Generator[None]:
    """Hold a lock while a server starts: two that create one database break each other's start."""
    path = prefect_home() / "audiomill-start.lock"
    try:
        lock = FileLock(path)
    except OSError as error:
        raise PrefectUnreachable(
            f"Prefect's server needs a folder that it can write: {path.parent} ({error.strerror})."
            " Render without it (--no-prefect), or set PREFECT_HOME."
        ) from error
    with lock:
        while not lock.try_acquire():
            context.check()
            time.sleep(POLL_INTERVAL_S)
        yield


def _becomes_free(port: int, context: RunContext) -> bool:
    """Wait a little: the server of an `audiomill serve` that was killed ends soon after it."""
    deadline = time.monotonic() + PORT_TIMEOUT_S
    if not _is_free(port):
        say(f"Port {port} is taken; waiting for it ...")
    while not _is_free(port):
        if time.monotonic() > deadline:
            return False
        context.check()
        time.sleep(POLL_INTERVAL_S)
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Serve Prefect's API on 127.0.0.1, at the port given as the argument."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    port = int(sys.argv[1])
    point_prefect_pages_at(f"http://127.0.0.1:{port}/api")
    # Imported here: Prefect reads its environment when it is imported.
    import uvicorn
    from prefect.server.api.server import create_app

    uvicorn.run(create_app(), host="127.0.0.1", port=port, log_level="error")


def _exit_with_parent() -> None:
    # Not through sys.stdin: this thread would hold its lock when Python ends.
    while os.read(0, 4096):
        pass
    # Without clean-up: SQLite recovers from this, and nothing waits for the server any more.
    os._exit(0)


if __name__ == "__main__":
    main()
