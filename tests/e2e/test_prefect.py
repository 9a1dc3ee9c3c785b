"""The flow on a real Prefect server on loopback: runs, deployments, schedules, and sudden death."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

import psutil
import pytest

from support.book_data import write_book
from support.home import ROOT

BIN = Path(sys.executable).parent
TEXT = "# One\n\nA short text. It has two sentences.\n\n# Two\n\nAnd another chapter.\n"

pytestmark = pytest.mark.xdist_group("prefect")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The URL of a Prefect API of our own, for all tests of this file."""
    home = tmp_path_factory.mktemp("prefect")
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    environment = {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_SCHEDULER_RECENT_DEPLOYMENTS_LOOP_SECONDS": "1",
    }
    with (home / "log").open("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "audiomill.flows.prefect_server", str(port)],
            stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=ROOT,
            env={**os.environ, **environment},
        )  # fmt: skip
        try:
            wait_for(lambda: is_healthy(url), 180, process)
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


def wait_for(condition, seconds: float, process=None):
    """What `condition()` returns once it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        assert process is None or process.poll() is None, "the process ended"
        time.sleep(0.2)
    pytest.fail(f"nothing within {seconds} s")


def ask(url: str, path: str, **query) -> list[dict]:
    """POST to the API, as Prefect's own pages do, and return what it answers."""
    request = Request(
        f"{url}/{path}", json.dumps(query).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)


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
        "encode-reel", "finish-chapter", "finish-chapter", "read-manuscript", "render-window",
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


def prefect(home, server, *arguments) -> subprocess.CompletedProcess:
    run = subprocess.run(
        [BIN / "prefect", "--no-prompt", *map(str, arguments)],
        env=home.environment | {"PREFECT_API_URL": server, "NO_COLOR": "1"},
        cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return run


WORK_POOL = ("work-pool", "create", "audiomill", "--type", "process", "--overwrite")


def test_a_deployment_runs_on_its_schedule(home, server, book):
    """As in the README: a pool, `prefect deploy`, a run at once, a worker; then the schedule."""
    prefect(home, server, *WORK_POOL)
    asked = {"source": str(book), "engine": "tone", "formats": ["mp3"], "out": str(home.library)}
    words = [
        word for name, value in asked.items() for word in ("--param", f"{name}={json.dumps(value)}")
    ]
    prefect(home, server, "deploy", "--name", "nightly", "--interval", 20, *words)
    prefect(home, server, "deployment", "run", "render-audiobook/nightly")
    worker = subprocess.Popen(
        [BIN / "prefect", "worker", "start", "--pool", "audiomill", "--type", "process"],
        env=home.environment | {"PREFECT_API_URL": server, "PREFECT_WORKER_QUERY_SECONDS": "1"},
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        done = wait_for(lambda: done_of(server, by_schedule=True), 120, worker)
        at_once = wait_for(lambda: done_of(server, by_schedule=False), 60, worker)
    finally:
        os.killpg(worker.pid, signal.SIGTERM)
        worker.wait(30)
    assert at_once["state"]["type"] == "COMPLETED", at_once["state"]["message"]
    assert done["state"]["type"] == "COMPLETED", done["state"]["message"]
    assert done["parameters"]["engine"] == "tone"
    artifacts = artifacts_of(server, done)
    assert artifacts["render-progress"]["data"] == 100
    summary = json.loads(artifacts["render-report"]["data"].strip("`").removeprefix("json"))
    assert summary["segments"] == 5
    assert Path(summary["files"][0]["path"]).is_file()


def done_of(server, *, by_schedule: bool) -> dict | None:
    """The first run of a deployment that a schedule, or somebody, started and that has ended."""
    ended = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
    done = [
        run
        for run in runs_of(server)
        if run["deployment_id"]
        and run["auto_scheduled"] == by_schedule
        and run["state"]["type"] in ended
    ]
    return done[-1] if done else None


def test_a_deployment_must_name_its_engine(home, server, book):
    prefect(home, server, *WORK_POOL)
    prefect(home, server, "deploy", "--name", "nightly", "--param", 'engine="auto"',
            "--param", f"source={json.dumps(str(book))}")  # fmt: skip
    prefect(
        home, server, "deployment", "run", "render-audiobook/nightly", "--flow-run-name", "vague"
    )
    worker = prefect_worker_once(home, server)
    run = next(run for run in runs_of(server) if run["name"] == "vague")
    assert run["state"]["type"] == "FAILED", worker.stderr
    assert "name its engine" in run["state"]["message"]


def prefect_worker_once(home, server) -> subprocess.CompletedProcess:
    return prefect(home, server, "worker", "start", "--pool", "audiomill", "--run-once")


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


def test_sigkill_leaves_no_server_and_no_lock(home):
    """`--prefect` without an API starts a server of our own; it must not outlive us."""
    book = write_book(home.path / "book.md", 4, 200)
    process = home.start("render", book, "--engine", "tone", "--prefect")
    # The flow is under way, and holds its locks, once a first segment is stored.
    wait_for(lambda: n_shards(home), 180, process)
    family = relatives(str(home.path))
    assert len(family) > 1
    process.kill()
    process.communicate()
    psutil.wait_procs(family, timeout=10)
    assert relatives(str(home.path)) == []
    report = home.render(book, "--engine", "tone", "--no-prefect", "--format", "mp3")
    assert report["cached"] > 0


def test_sigterm_and_ctrl_c_cancel_the_flow_run(home, server):
    home = home.with_variables(PREFECT_API_URL=server)
    book = write_book(home.path / "book.md", 4, 200)
    for number in (signal.SIGTERM, signal.SIGINT):
        n_before = n_shards(home)
        process = home.start("render", book, "--engine", "tone")
        wait_for(lambda n=n_before: n_shards(home) > n, 60, process)
        process.send_signal(number)
        _, words = process.communicate(timeout=30)
        assert process.returncode == 130, words
        assert "Traceback" not in words
        asked_for = next(run for run in runs_of(server) if not run["deployment_id"])
        assert asked_for["state"]["type"] == "CANCELLED"


def test_prefect_without_an_api_brings_its_own_server(home, book):
    report = home.render(book, "--engine", "tone", "--prefect")
    assert report["segments"] == 5
    assert relatives(str(home.path)) == []
