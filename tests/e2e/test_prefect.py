"""The flow on a real Prefect server on loopback: runs, deployments, schedules, and sudden death."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from shutil import copytree
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
import pytest

from support.book_data import write_book
from support.home import ROOT, Home
from support.process_data import TIMEOUT_S, wait_until

BIN = Path(sys.executable).parent
TEXT = "# One\n\nA short text. It has two sentences.\n\n# Two\n\nAnd another chapter.\n"

pytestmark = pytest.mark.longest


@pytest.fixture(scope="module")
def run_with_own_server(tmp_path_factory):
    """A run with `--prefect` in a new home, and that home.

    Prefect creates a new database there. That takes long, so the other tests begin with a copy.
    """
    home = Home(tmp_path_factory.mktemp("own-server"), {})
    book = home.path / "book.md"
    book.write_text(TEXT)
    return home.run("render", book, "--engine", "tone", "--prefect", "--json"), home


def copy_database(run_with_own_server, folder):
    _, home = run_with_own_server
    copytree(home.path / "prefect", folder)


@pytest.fixture(scope="module")
def server(run_with_own_server, tmp_path_factory):
    """The URL of a Prefect API of our own, for all tests of this file."""
    home = tmp_path_factory.mktemp("server") / "prefect"
    copy_database(run_with_own_server, home)
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    environment = {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "1",
        # A deployment has one run at a time; others ask for its place again after this.
        "PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS": "1",
    }
    with (home / "log").open("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "audiomill.flows.prefect_server", str(port)],
            stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=ROOT,
            env={**os.environ, **environment},
        )  # fmt: skip
        try:
            wait_until(lambda: is_healthy(url), process, 0.2)
            yield url
        finally:
            process.kill()
            process.communicate()


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_healthy(url: str) -> bool:
    try:
        return urlopen(f"{url}/health", timeout=5).status == 200
    except OSError:
        return False


def ask(url: str, path: str, body=None, **query):
    """POST to the API, as Prefect's own pages do, and return the answer.

    A busy server answers 503 while its database is locked; clients try again.
    """
    request = Request(
        f"{url}/{path}", json.dumps(body or query).encode(), {"Content-Type": "application/json"}
    )
    return json.loads(wait_until(lambda: answer_to(request)))


def answer_to(request: Request) -> str:
    try:
        with urlopen(request, timeout=TIMEOUT_S) as response:
            return response.read() or "null"
    except HTTPError as error:
        if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
            raise
        return ""


def runs_of(url: str, name: str = "render-audiobook") -> list[dict]:
    """The flow's runs, the newest first; those of a schedule that are still to come left out."""
    found = ask(url, "flow_runs/filter", flows={"name": {"any_": [name]}}, sort="START_TIME_DESC")
    return [run for run in found if run["start_time"]]


def artifacts_of(url: str, run: dict) -> dict[str, dict]:
    """The newest artifact of each key that the run has left."""
    found = ask(
        url,
        "artifacts/filter",
        artifacts={"flow_run_id": {"any_": [run["id"]]}},
        sort="CREATED_DESC",
    )
    return {artifact["key"]: artifact for artifact in reversed(found)}


@pytest.fixture
def book(home):
    path = home.path / "book.md"
    path.write_text(TEXT)
    return path


def test_render_is_a_flow_run_where_an_api_is_configured(home, server, book):
    home = home.with_variables(PREFECT_API_URL=server)
    report = home.render(book, "--engine", "tone", "--format", "mp3")
    assert report["rendered"] == report["segments"] > 0
    run = next(run for run in runs_of(server) if not run["deployment_id"])
    assert run["state"]["type"] == "COMPLETED"
    assert run["parameters"]["source"] == str(book)
    artifacts = artifacts_of(server, run)
    assert artifacts["render-progress"]["data"] == 100
    assert report["files"][0]["path"] in artifacts["render-report"]["data"]
    tasks = ask(server, "task_runs/filter", flow_runs={"id": {"any_": [run["id"]]}})
    names = sorted(task["name"].rsplit("-", 1)[0] for task in tasks)
    assert names == [
        "encode-recording", "finish-chapter", "finish-chapter", "read-manuscript", "render-window",
    ]  # fmt: skip


def test_both_ways_of_running_give_the_same_bytes(home, server, book):
    direct = home.render(book, "--engine", "tone", "--out", home.path / "direct", "--no-prefect")
    flow = home.with_variables(PREFECT_API_URL=server, AUDIOMILL_STORE=home.path / "other")
    flown = flow.render(book, "--engine", "tone", "--out", home.path / "flown")
    assert flown["rendered"] == direct["rendered"] > 0
    bytes_of = [Path(report["files"][0]["path"]).read_bytes() for report in (direct, flown)]
    assert bytes_of[0] == bytes_of[1]


def test_an_error_is_as_short_in_a_flow_run(home, server):
    home = home.with_variables(PREFECT_API_URL=server)
    run = home.run("render", home.path / "gone.epub", "--engine", "tone")
    assert run.returncode == 3
    assert len(run.stderr.splitlines()) <= 2, run.stderr
    run = next(run for run in runs_of(server) if not run["deployment_id"])
    assert run["state"]["type"] == "FAILED"


def test_an_api_that_does_not_answer_is_named(home, book):
    home = home.with_variables(PREFECT_API_URL=f"http://127.0.0.1:{free_port()}/api")
    run = home.run("render", book, "--engine", "tone")
    assert run.returncode == 4
    assert "--no-prefect" in run.stderr
    assert home.run("render", book, "--engine", "tone", "--no-prefect").returncode == 0


def relatives(marker: str) -> list[psutil.Process]:
    """Every process on this machine whose environment or command line names `marker`."""
    found = []
    for process in psutil.process_iter():
        try:
            if marker in " ".join(process.cmdline()) or marker in process.environ().get("HOME", ""):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            continue
    return found


def n_shards(home) -> int:
    return len(list(home.store.rglob("*.shard"))) if home.store.exists() else 0


@pytest.mark.prove
def test_sigkill_leaves_no_server_and_no_lock(home, run_with_own_server):
    """`--prefect` without an API starts a server of our own; it must not outlive us."""
    copy_database(run_with_own_server, home.path / "prefect")
    book = write_book(home.path / "book.md", 4, 200)
    process = home.start("render", book, "--engine", "tone", "--prefect")
    # The flow is under way, and holds its locks, once a first segment is stored.
    wait_until(lambda: n_shards(home), process)
    assert len(relatives(str(home.path))) > 1
    process.kill()
    process.communicate()
    wait_until(lambda: not relatives(str(home.path)), every_s=0.2)
    report = home.render(
        book, "--engine", "tone", "--no-prefect", "--format", "mp3", "--chapters", "1"
    )
    assert report["cached"] > 0


# The program gives up after a second, whatever is not done by then. Here it has all the time.
PATIENT = """
import sys
from audiomill.flows.__main__ import main
from audiomill.flows.cli import signals
signals.GRACE_S = 3600.0
sys.exit(main())
"""


def test_sigterm_and_ctrl_c_cancel_the_flow_run(home, server):
    home = replace(home.with_variables(PREFECT_API_URL=server), program=("-c", PATIENT))
    book = write_book(home.path / "book.md", 4, 200)
    for number in (signal.SIGTERM, signal.SIGINT):
        n_before = n_shards(home)
        process = home.start("render", book, "--engine", "tone")
        wait_until(lambda n=n_before: n_shards(home) > n, process)
        process.send_signal(number)
        _, words = process.communicate(timeout=TIMEOUT_S)
        assert process.returncode == 130, words
        assert "Traceback" not in words, words
        run = next(run for run in runs_of(server) if not run["deployment_id"])
        assert run["state"]["type"] == "CANCELLED"


def test_prefect_without_an_api_brings_its_own_server(run_with_own_server):
    run, home = run_with_own_server
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1])["segments"] == 5
    assert relatives(str(home.path)) == []


def prefect(home, *arguments) -> None:
    run = subprocess.run(
        [BIN / "prefect", "--no-prompt", *map(str, arguments)],
        env=home.environment | {"NO_COLOR": "1"},
        cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def worker(server, tmp_path_factory):
    """A worker, as in the README: a pool, `prefect deploy`, a run at once, then the worker."""
    home = Home(tmp_path_factory.mktemp("worker"), {"PREFECT_API_URL": server})
    book = home.path / "book.md"
    book.write_text(TEXT)
    prefect(home, "work-pool", "create", "audiomill", "--type", "process")
    asked = {"source": str(book), "engine": "tone", "formats": ["mp3"], "out": str(home.library)}
    words = [
        word for name, value in asked.items() for word in ("--param", f"{name}={json.dumps(value)}")
    ]
    prefect(home, "deploy", "--name", "nightly", *words)
    prefect(home, "deployment", "run", "render-audiobook/nightly", "--flow-run-name", "at once")
    process = subprocess.Popen(
        [BIN / "prefect", "worker", "start", "--pool", "audiomill", "--type", "process"],
        env=home.environment | {"PREFECT_WORKER_QUERY_SECONDS": "1"},
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(TIMEOUT_S)


def deployment_id(server) -> str:
    with urlopen(f"{server}/deployments/name/render-audiobook/nightly") as answer:
        return json.load(answer)["id"]


def done_of(server, **values) -> dict | None:
    """The first run of a deployment that has these values and has ended."""
    ended = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
    done = [
        run
        for run in runs_of(server)
        if run["deployment_id"]
        and all(run[name] == value for name, value in values.items())
        and run["state"]["type"] in ended
    ]
    return done[-1] if done else None


def test_a_deployment_must_name_its_engine(server, worker):
    ask(
        server,
        f"deployments/{deployment_id(server)}/create_flow_run",
        name="vague",
        parameters={"engine": "auto"},
        state={"type": "SCHEDULED"},
    )
    run = wait_until(lambda: done_of(server, name="vague"), worker, 0.5)
    assert run["state"]["type"] == "FAILED"
    assert "name its engine" in run["state"]["message"]


def test_a_deployment_runs_on_its_schedule(server, worker):
    at_once = wait_until(lambda: done_of(server, name="at once"), worker, 0.5)
    deployment = f"deployments/{deployment_id(server)}"
    ask(server, f"{deployment}/schedules", [{"schedule": {"interval": 5.0}, "active": True}])
    done = wait_until(lambda: done_of(server, auto_scheduled=True), worker, 0.5)
    ask(server, f"{deployment}/pause_deployment")
    assert at_once["state"]["type"] == "COMPLETED", at_once["state"]["message"]
    assert done["state"]["type"] == "COMPLETED", done["state"]["message"]
    assert done["parameters"]["engine"] == "tone"
    artifacts = artifacts_of(server, done)
    assert artifacts["render-progress"]["data"] == 100
    summary = json.loads(artifacts["render-report"]["data"].strip("`").removeprefix("json"))
    assert summary["segments"] == 5
    assert Path(summary["files"][0]["path"]).is_file()
    wait_until(lambda: not has_run_under_way(server), worker, 0.5)  # none outlives the worker


def has_run_under_way(server) -> bool:
    return any(run["state"]["type"] in ("PENDING", "RUNNING") for run in runs_of(server))
