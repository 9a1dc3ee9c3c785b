"""A Prefect server, and what its API tells of runs, asked over HTTP as its own pages ask."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from base64 import b64encode
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from uuid import uuid4

from support.home import Home
from support.paths import ROOT
from support.process_data import TIMEOUT_S, wait_until

PASSWORD = "a-password-of-the-tests"  # noqa: S105
AUTHORIZATION = {"Authorization": f"Basic {b64encode(PASSWORD.encode()).decode()}"}
ENDED = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


def free_port() -> int:
    """Below those that systems give to clients: one of these could take it before it is used."""
    while True:
        port = SystemRandom().randrange(15_000, 32_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return probe.connect_ex(("127.0.0.1", port)) != 0


@contextmanager
def running_server(home: Path):
    """A Prefect server with its database in `home`: the URL of its API, and its process."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    environment = {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "1",
        "PREFECT_SERVER_API_AUTH_STRING": PASSWORD,
    }
    with (home / "log").open("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "audiomill.flows.prefect_server.server", str(port)],
            stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=ROOT,
            env={**os.environ, **environment},
        )  # fmt: skip
        try:
            wait_until(lambda: is_healthy(url), process, 0.2)
            yield url, process
        finally:
            process.kill()
            process.communicate()


def kept_database() -> Path:
    """A new database. Prefect takes long to create one, so `build/` keeps one for its version."""
    kept = ROOT / "build" / f"prefect-{version('prefect')}.db"
    if not kept.exists():
        with TemporaryDirectory() as name:
            with running_server(Path(name)):
                pass
            new = kept.with_suffix(f".{os.getpid()}")
            new.parent.mkdir(exist_ok=True)
            with closing(sqlite3.connect(f"{name}/prefect.db")) as database:
                database.execute("VACUUM INTO ?", [str(new)])
            new.rename(kept)
    return kept


def put_database(prefect_home: Path) -> None:
    """Give a server that will start there a database that it need not create."""
    prefect_home.mkdir()
    shutil.copy(kept_database(), prefect_home / "prefect.db")


def using_api(home: Home, url: str) -> Home:
    """The same, whose user has configured the API at `url`, with its password."""
    return home.with_variables(PREFECT_API_URL=url, PREFECT_API_AUTH_STRING=PASSWORD)


def keep_password(prefect_home: Path) -> None:
    """Let the servers that audiomill starts there have the password that `ask` knows."""
    prefect_home.mkdir(exist_ok=True)
    (prefect_home / "audiomill-server.password").write_text(PASSWORD)


def is_healthy(url: str) -> bool:
    try:
        return urlopen(f"{url}/health", timeout=5).status == HTTPStatus.OK
    except OSError:
        return False


def ask(url: str, path: str, body=None, **query):
    """POST to the API and return the answer. An API that is busy or away is asked again."""
    content = json.dumps(body or query).encode()
    return json.loads(wait_until(lambda: _answer_to_post(url, path, content)))


def get(url: str, path: str):
    return json.loads(wait_until(lambda: _answer(Request(f"{url}/{path}"))))


def _answer_to_post(url: str, path: str, content: bytes) -> bytes | str:
    """The answer to a client that has fetched a token against forged requests, as pages do."""
    client = str(uuid4())
    told = _answer(Request(f"{url}/csrf-token?client={client}"))
    if not told:
        return ""
    headers = {
        "Content-Type": "application/json",
        "Prefect-Csrf-Client": client,
        "Prefect-Csrf-Token": json.loads(told)["token"],
    }
    return _answer(Request(f"{url}/{path}", content, headers))


def _answer(request: Request) -> bytes | str:
    request.headers.update(AUTHORIZATION)
    try:
        with urlopen(request, timeout=TIMEOUT_S) as response:
            return response.read() or "null"
    except HTTPError as error:
        # A busy server answers so while its database is locked; clients try again.
        if error.code not in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.INTERNAL_SERVER_ERROR):
            raise
    except (URLError, ConnectionError):
        pass
    return ""


def runs_of(url: str, name: str = "render-audiobook") -> list[dict]:
    """The flow's runs, the newest first; those of a schedule that are still to come left out."""
    found = ask(url, "flow_runs/filter", flows={"name": {"any_": [name]}}, sort="START_TIME_DESC")
    return [run for run in found if run["start_time"]]


def artifacts_of(url: str, run: dict) -> dict[str, list[dict]]:
    """The artifacts that the run has left, by key."""
    by_run = {"flow_run_id": {"any_": [run["id"]]}}
    found = ask(url, "artifacts/filter", artifacts=by_run)
    keys = {artifact["key"] for artifact in found}
    return {key: [one for one in found if one["key"] == key] for key in keys}


def states_of(url: str, run: dict) -> list[str]:
    """The names of the states that the run went through."""
    found = get(url, f"flow_run_states/?flow_run_id={run['id']}")
    return [state["name"] for state in sorted(found, key=lambda state: state["timestamp"])]


def log_of(url: str, run: dict) -> list[str]:
    by_run = {"flow_run_id": {"any_": [run["id"]]}}
    return [line["message"] for line in ask(url, "logs/filter", logs=by_run)]
