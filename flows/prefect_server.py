"""A Prefect API to run against: the one that is configured, or one of our own for this run."""

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
START_WITHIN_S = 180.0
LOOK_EVERY_S = 0.1


class PrefectUnreachable(Exception):
    """No Prefect API answers. The message says which, and what to do."""


@contextmanager
def prefect_api(configured_url: str | None, watch: RunContext) -> Generator[None]:
    """Have Prefect talk to `configured_url`, or to a server that lives as long as the block.

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
    with _own_server(watch) as url:
        quiet_prefect(url)
        yield


def answers(api_url: str, timeout_s: float = 5.0) -> bool:
    """Whether a server answers at `api_url`; one that wants a key first is there too."""
    parts = urlsplit(api_url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        with closing(kind(parts.hostname or "", parts.port, timeout=timeout_s)) as connection:
            connection.request("GET", f"{parts.path.rstrip('/')}/health")
            return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
    except (OSError, ValueError, http.client.HTTPException):
        return False  # a port that is none is a ValueError


@contextmanager
def _own_server(watch: RunContext) -> Generator[str]:
    """A server of our own on a free loopback port; it ends with the block, or with us."""
    say("Starting a Prefect server for this run ...")
    quiet_prefect()
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    command = [sys.executable, "-m", "audiomill.flows.prefect_server", str(port)]
    with (
        tempfile.TemporaryFile() as log,
        # A session of its own: a terminal's Ctrl-C must reach us and not the server first.
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
        ) as server,
    ):
        try:
            _wait_until_healthy(server, url, watch)
            yield url
        except _ServerEnded as error:
            log.seek(0)
            last_line = log.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise PrefectUnreachable(
                f"Prefect's server did not start ({last_line or error})."
                " Render without it (--no-prefect)."
            ) from error
        finally:
            server.kill()


class _ServerEnded(Exception):
    """Our server died, or took too long to answer."""


def _wait_until_healthy(server: subprocess.Popen[bytes], url: str, watch: RunContext) -> None:
    deadline = time.monotonic() + START_WITHIN_S
    while not answers(url):
        if server.poll() is not None:
            raise _ServerEnded(f"exit code {server.returncode}")
        if time.monotonic() > deadline:
            raise _ServerEnded(f"no answer within {START_WITHIN_S:.0f} s")
        watch.check()
        time.sleep(LOOK_EVERY_S)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# A Prefect server that cannot outlive whoever started it.


def _exit_with_parent() -> None:
    # Not through sys.stdin, whose lock a thread that waits would hold when Python ends.
    while os.read(0, 4096):
        pass
    # No clean-up: SQLite recovers from this, and a parent that is gone waits for nobody.
    os._exit(0)


def main() -> None:
    """Serve Prefect's API on 127.0.0.1 at the port given."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    import uvicorn
    from prefect.server.api.server import create_app

    uvicorn.run(create_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")


if __name__ == "__main__":
    main()
