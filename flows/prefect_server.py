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
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

from audiomill.flows.console import say
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.flows.settings import quiet_prefect

# The first start migrates a new database: 17 to 34 s were measured on two shared cores.
START_TIMEOUT_S = 180.0
POLL_INTERVAL_S = 0.1


class PrefectUnreachable(Exception):
    """No Prefect API answers. The message says which, and what to do."""


class _ServerFailed(Exception):
    """The run's own server ended, or did not answer in time."""


@contextmanager
def prefect_api(configured_url: str | None, context: RunContext) -> Generator[None]:
    """Make Prefect use `configured_url`, or a server that ends with the block.

    Raises PrefectUnreachable, Interrupted.
    """
    if configured_url is not None:
        if not answers(configured_url):
            raise PrefectUnreachable(
                f"No Prefect server answers at {configured_url}. Start it (prefect server start),"
                " or render without it (--no-prefect)."
            )
        quiet_prefect()
        yield
        return
    with _own_server(context) as url:
        quiet_prefect(url)
        yield


def answers(api_url: str, timeout_s: float = 5.0) -> bool:
    """True if a server answers at `api_url`, even if it only asks for an API key."""
    parts = urlsplit(api_url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        with closing(kind(parts.hostname or "", parts.port, timeout=timeout_s)) as connection:
            connection.request("GET", f"{parts.path.rstrip('/')}/health")
            return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
    except (OSError, ValueError, http.client.HTTPException):
        return False  # ValueError: the port is not a number


@contextmanager
def _own_server(context: RunContext) -> Generator[str]:
    """Run a server on a free loopback port. It ends with the block, or with this process."""
    say("Starting a Prefect server for this run ...")
    quiet_prefect()
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    command = [sys.executable, "-m", "audiomill.flows.prefect_server", str(port)]
    with (
        tempfile.TemporaryFile() as log,
        # In a session of its own: a terminal's Ctrl-C must not stop the server before the run.
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
        ) as server,
    ):
        try:
            _wait_until_healthy(server, url, context)
            yield url
        except _ServerFailed as error:
            log.seek(0)
            last_line = log.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise PrefectUnreachable(
                f"Prefect's server did not start ({last_line or error})."
                " Render without it (--no-prefect)."
            ) from error
        finally:
            server.kill()


def _wait_until_healthy(server: subprocess.Popen[bytes], url: str, context: RunContext) -> None:
    """Wait for the server's first answer. Raises _ServerFailed, Interrupted."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while not answers(url):
        if server.poll() is not None:
            raise _ServerFailed(f"exit code {server.returncode}")
        if time.monotonic() > deadline:
            raise _ServerFailed(f"no answer within {START_TIMEOUT_S:.0f} s")
        context.check()
        time.sleep(POLL_INTERVAL_S)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Serve Prefect's API on 127.0.0.1, at the port given as the argument."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    import uvicorn
    from prefect.server.api.server import create_app

    uvicorn.run(create_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")


def _exit_with_parent() -> None:
    # Not through sys.stdin: this thread would hold its lock when Python ends.
    while os.read(0, 4096):
        pass
    # Without clean-up: SQLite recovers from this, and nothing waits for the server any more.
    os._exit(0)


if __name__ == "__main__":
    main()
