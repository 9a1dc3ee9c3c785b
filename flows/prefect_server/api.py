"""The Prefect API that a run uses: the configured one, or a server of its own.

That one is `server.py`, a process that ends with its parent. Those who know the password of
the user's own servers may use it (`access.py`).
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import IO, Any, cast

from audiomill.flows.console import say
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.file_lock import FileLock
from audiomill.flows.prefect_server.access import (
    announced,
    answers,
    is_healthy,
    keep_folder_private,
    make_password,
    open_server_of_earlier_version,
    own_password,
    served_url,
    wants_another_password,
)
from audiomill.flows.prefect_server.settings import (
    has_prefect_api_key,
    prefect_api_password,
    prefect_home,
    quiet_prefect,
    server_environment,
)

# The first start migrates a new database: 17 to 34 s were measured on two shared cores.
START_TIMEOUT_S = 180.0
POLL_INTERVAL_S = 0.1
PORT_TIMEOUT_S = 10.0
DRAIN_TIMEOUT_S = 10.0
CHECK_EVERY_S = 1.0
# A server that was stopped (SIGSTOP) or hangs answers nothing; a busy one, late. Its clients wait a
# minute for an answer, and ask again.
SILENT_S = 15.0
LOST_S = 60.0
SERVER_MODULE = "audiomill.flows.prefect_server.server"


class PrefectUnreachable(Exception):
    """No Prefect API answers. The message says which, and what to do."""


@contextmanager
def prefect_api(configured_url: str | None, context: RunContext) -> Generator[None]:
    """Make Prefect use `configured_url`, that of `audiomill serve`, or a server for this block.

    Raises PrefectUnreachable, Interrupted.
    """
    if url := configured_url or served_url():
        _use(url, "or render without it (--no-prefect)")
        yield
        return
    _warn_of_open_server()
    say("Starting a Prefect server for this run ...")
    with _server(_free_port(), context):
        try:
            yield
        finally:
            drain_prefect()


@contextmanager
def lasting_prefect_api(
    configured_url: str | None, port: int, context: RunContext
) -> Generator[str]:
    """Make Prefect use `configured_url`, or a server at `port` that other runs find.

    Yields the URL. Raises PrefectUnreachable, Interrupted.
    """
    if configured_url is not None:
        _use(configured_url, "or unset PREFECT_API_URL for a server of our own")
        yield configured_url
        return
    say("Starting a Prefect server. The first start takes half a minute ...")
    if not _becomes_free(port, context):
        raise PrefectUnreachable(
            f"Port {port} is taken: choose another one (--port), or name the Prefect server there:"
            f" PREFECT_API_URL=http://127.0.0.1:{port}/api."
        )
    with _server(port, context) as server, announced(server.url):
        yield server.url


def drain_prefect() -> bool:
    """Wait until Prefect has sent its last events and log lines; false if it could not."""
    if "prefect" not in sys.modules:
        return True
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker

    waits = [worker.drain_all(timeout=DRAIN_TIMEOUT_S) for worker in (EventsWorker, APILogWorker)]
    return not any(not_done for _, not_done in cast("list[tuple[Any, Any]]", waits))


def _use(api_url: str, otherwise: str) -> None:
    """Make Prefect use a server that runs. Raises PrefectUnreachable."""
    if not answers(api_url):
        raise PrefectUnreachable(
            f"No Prefect server answers at {api_url}. Start it (prefect server start), {otherwise}."
        )
    password = own_password(api_url) or prefect_api_password()
    if not has_prefect_api_key() and wants_another_password(api_url, password):
        raise PrefectUnreachable(
            f"The Prefect server at {api_url} wants {'another' if password else 'a'} password: set"
            f" PREFECT_API_AUTH_STRING, {otherwise}."
        )
    quiet_prefect(api_url, password)


def _warn_of_open_server() -> None:
    if url := open_server_of_earlier_version():
        say(
            f"Warning: the Prefect server at {url} is of an earlier audiomill, and any web page"
            " that you open may use it. Stop that `audiomill serve` and start it again."
        )


class _Server:
    """A Prefect server on 127.0.0.1, in a process that ends with this one.

    If it ends before, or is silent for long, it is started again: its clients wait, and go on.
    """

    def __init__(self, port: int, password: str, log: IO[bytes], context: RunContext) -> None:
        self.url = f"http://127.0.0.1:{port}/api"
        self._password = password
        self._command = [sys.executable, "-m", SERVER_MODULE, str(port)]
        self._context = context
        self._log = log
        self._stopped = threading.Event()
        self._lock = threading.Lock()  # against a start after the stop
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            env=server_environment(self._password),
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            # In a session of its own: a terminal's Ctrl-C must not stop the server before the run.
            start_new_session=True,
        )

    def wait_until_healthy(self) -> None:
        """Wait for the server's first answer. Raises PrefectUnreachable, Interrupted."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while not is_healthy(self.url):
            if self._process.poll() is not None:
                raise self._failure(f"exit code {self._process.returncode}")
            if time.monotonic() > deadline:
                raise self._failure(f"no answer within {START_TIMEOUT_S:.0f} s")
            self._context.check()
            time.sleep(POLL_INTERVAL_S)

    def keep_running(self) -> None:
        """Start the server again whenever its process ends or is silent for long, until `stop`."""
        answered, is_said, is_starting = time.monotonic(), False, False
        while not self._stopped.wait(CHECK_EVERY_S):
            if is_healthy(self.url):
                answered, is_said, is_starting = time.monotonic(), False, False
                continue
            silent_s = time.monotonic() - answered
            if self._process.poll() is None and silent_s > SILENT_S and not is_said:
                is_said = True
                say(
                    f"Prefect's server has not answered for {silent_s:.0f} s."
                    f" If it stays silent, it is started again after {LOST_S:.0f} s."
                )
            elif self._process.poll() is not None or silent_s > (
                START_TIMEOUT_S if is_starting else LOST_S
            ):
                self._start_again()
                answered, is_said, is_starting = time.monotonic(), True, True

    def _start_again(self) -> None:
        """Replace a process that has ended, or end one that does not answer, unless stopped."""
        with self._lock:
            if self._stopped.is_set():
                return
            how = "does not answer" if self._process.poll() is None else "has ended"
            say(f"Prefect's server {how}; starting it again.")
            self._process.kill()
            self._process.communicate()
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
    """A running server, which Prefect uses. It ends with the block.

    Raises PrefectUnreachable, Interrupted.
    """
    quiet_prefect()
    with ExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())
        with _one_start_at_a_time(context):
            with _named_home():
                password = make_password()
            server = _Server(port, password, log, context)
            stack.callback(server.stop)
            server.wait_until_healthy()
        watcher = threading.Thread(target=server.keep_running, daemon=True)
        watcher.start()
        quiet_prefect(server.url, password)
        yield server


@contextmanager
def _one_start_at_a_time(context: RunContext) -> Generator[None]:
    """Hold a lock while a server starts: two that create one database break each other's start."""
    path = prefect_home() / "audiomill-start.lock"
    with _named_home():
        keep_folder_private()
        lock = FileLock(path)
    with lock:
        while not lock.try_acquire():
            context.check()
            time.sleep(POLL_INTERVAL_S)
        yield


@contextmanager
def _named_home() -> Generator[None]:
    """Name Prefect's folder if the block cannot write there. Raises PrefectUnreachable."""
    try:
        yield
    except OSError as error:
        raise PrefectUnreachable(
            f"Prefect's server needs a folder that it can write: {prefect_home()}"
            f" ({error.strerror}). Render without it (--no-prefect), or set PREFECT_HOME."
        ) from error


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
