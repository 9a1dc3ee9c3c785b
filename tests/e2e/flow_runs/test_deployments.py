"""Deployments on a Prefect server: what they ask for, their schedules, and a worker."""

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from e2e.flow_runs.runs import TEXT
from prefect.client import orchestration

from audiomill.flows.prefect import attempts as dead_runs
from audiomill.flows.prefect import audiobook
from audiomill.outputs.formats.registry import FORMATS, READALONGS
from audiomill.renderers.engine.registry import engine_names
from support.documents import documented
from support.feed_rules import published
from support.home import Home
from support.paths import ROOT
from support.prefect_api import (
    ENDED,
    PASSWORD,
    artifacts_of,
    ask,
    free_port,
    get,
    is_free,
    keep_password,
    put_database,
    runs_of,
    using_api,
)
from support.process_data import TIMEOUT_S, outlived, wait_until
from support.show_data import show_file

BIN = Path(sys.executable).parent
NIGHTLY = "render-audiobook/nightly"
pytestmark = pytest.mark.longest


SERVE = " ".join(documented("audiomill serve"))


RUN_NOW = " ".join(
    documented(
        "PREFECT_API_URL=http://127.0.0.1:4200/api"
        " PREFECT_API_AUTH_STRING=$(cat ~/.prefect/audiomill-server.password)"
        " prefect deployment run render-audiobook/nightly"
    )
)


@pytest.mark.prove
def test_the_readme_serves_on_a_schedule_with_two_commands(home):
    """As written, from a shell with nothing but the PATH of an activated environment.

    The sample book is read at four times the speed: most of the time would go to its sound.
    """
    put_database(home.path / "prefect")
    keep_password(home.path / "prefect")
    serve, run_now = SERVE, RUN_NOW.replace("~/.prefect", str(home.path / "prefect"))
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    home = home.with_variables(PATH=path, AUDIOMILL_SPEED=4)
    if not is_free(4200):  # something else runs here; all else stays as written
        port = free_port()
        serve = serve.replace("audiomill serve", f"audiomill serve --port {port}")
        run_now = run_now.replace("4200", str(port))
    url = re.search(r"PREFECT_API_URL=(\S+)", run_now)[1]
    with (home.path / "log").open("w") as log:
        serving = shell(home, serve, log)
        try:
            wait_until(lambda: "Serving" in (home.path / "log").read_text(), serving)
            now = shell(home, run_now, log)
            assert now.wait(TIMEOUT_S) == 0, (home.path / "log").read_text()
            wait_until(lambda: done_of(url), serving, 0.5)
            assert done_of(url)["state"]["type"] == "COMPLETED"
        finally:
            os.killpg(serving.pid, signal.SIGINT)  # as a terminal's Ctrl-C
            serving.wait(TIMEOUT_S)
    assert serving.returncode == 0
    folder = home.library / "Maud Tern" / "The Lighthouse Mill"
    assert {path.suffix for path in folder.iterdir()} >= {".m4b", ".mp3"}
    assert outlived(home.path) == []


def shell(home, command: str, log) -> subprocess.Popen:
    return subprocess.Popen(
        ["bash", "-c", command], cwd=ROOT, env=home.environment,
        stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
    )  # fmt: skip


def prefect(home, words: list[str]) -> None:
    """One of Prefect's own commands.

    Its warnings are not shown: it leaves sockets open, and a warning that is shown in the middle of
    an import ends it with a KeyError in Python 3.11 (python/cpython#91351).
    """
    run = subprocess.run(
        [BIN / words[0], *words[1:]],
        env=home.environment | {"NO_COLOR": "1", "PYTHONWARNINGS": "ignore"},
        cwd=home.path, capture_output=True, text=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def worker(server, tmp_path_factory):
    """A worker, as in the README: a pool, `prefect deploy`, a run at once, then the worker."""
    home = using_api(Home(tmp_path_factory.mktemp("worker"), {}), server)
    (home.path / "book.md").write_text(TEXT)
    content = yaml.safe_load((ROOT / "prefect.yaml").read_text())
    content["deployments"][0]["parameters"] = {
        "source": "book.md", "engine": "tone", "formats": ["mp3"]
    }  # fmt: skip
    (home.path / "texts").mkdir()
    (home.path / "texts" / "tale.md").write_text(TEXT)
    show_file(home.path, '[[sources]]\nfolder = "texts"')  # where prefect.yaml says
    (home.path / "prefect.yaml").write_text(yaml.safe_dump(content))
    prefect(home, documented("prefect work-pool create audiomill --type process"))
    prefect(home, documented("prefect --no-prompt deploy --all"))
    run_now = documented("prefect deployment run render-audiobook/nightly")
    prefect(home, [*run_now, "--tag", "at once"])
    *_, podcast = documented("prefect deployment run article-podcast/podcast")  # does the same
    create_run(server, podcast)
    retries, codes, *worker = documented(
        "PREFECT_CLIENT_MAX_RETRIES=8 PREFECT_CLIENT_RETRY_EXTRA_CODES=500"
        " prefect worker start --pool audiomill"
    )
    environment = {
        **home.environment,
        # On a busy machine an answer takes longer than the minute that Prefect waits for it.
        "PREFECT_API_REQUEST_TIMEOUT": "600",
        "PREFECT_WORKER_QUERY_SECONDS": "1",
    }
    with (home.path / "worker.log").open("w+") as log:
        process = subprocess.Popen(
            ["env", retries, codes, BIN / worker[0], *worker[1:]],
            env=environment, cwd=home.path, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
        process.home = home
        try:
            yield process
            assert process.poll() is None, (home.path / "worker.log").read_text()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(TIMEOUT_S)


def test_a_deployment_describes_its_parameters_and_offers_choices():
    """Both are taken from the flow when it is deployed."""
    parameters = audiobook.render_audiobook.parameters.properties
    assert all(parameter["description"] for parameter in parameters.values())
    assert parameters["engine"]["enum"] == ["auto", *engine_names()]
    (formats, _) = parameters["formats"]["anyOf"]
    assert formats["items"]["enum"] == [*FORMATS, *READALONGS]
    (presets, _) = parameters["read"]["anyOf"]
    assert presets["enum"] == ["essential", "everything"]


@pytest.mark.prove
def test_a_run_whose_process_dies_each_time_is_given_up(server):
    """Also if it dies before the flow begins, which Prefect does not count."""
    with orchestration.SyncPrefectClient(api=server, auth_string=PASSWORD) as client:
        run = client.create_flow_run(audiobook.render_audiobook, parameters={"source": "book.md"})
        names = []
        for _ in range(dead_runs.MAX_ATTEMPTS):
            dead_runs.schedule_attempt(client, client.read_flow_run(run.id), dead_runs.DIED)
            names.append(client.read_flow_run(run.id).state.name)
    assert names == ["AwaitingRetry"] * (dead_runs.MAX_ATTEMPTS - 1) + [dead_runs.GIVEN_UP]


def deployment_id(server, name: str) -> str:
    return get(server, f"deployments/name/{name}")["id"]


def create_run(server, name: str, **told: object) -> None:
    path = f"deployments/{deployment_id(server, name)}/create_flow_run"
    ask(server, path, state={"type": "SCHEDULED"}, **told)


def done_of(server, tag: str = "audiomill", ends=ENDED) -> dict | None:
    """The first run of a deployment that has this tag and has ended, in one of these states."""
    done = [
        run
        for run in runs_of(server)
        if run["deployment_id"] and tag in run["tags"] and run["state"]["type"] in ends
    ]
    return done[-1] if done else None


@pytest.mark.prove
def test_a_deployment_must_name_its_engine(server, worker):
    create_run(server, NIGHTLY, tags=["vague"], parameters={"engine": "auto"})
    run = wait_until(lambda: done_of(server, "vague"), worker, 0.5)
    assert run["state"]["type"] == "FAILED"
    assert "name its engine" in run["state"]["message"]


@pytest.mark.prove
def test_a_deployment_runs_on_its_schedule(server, worker):
    at_once = wait_until(lambda: done_of(server, "at once"), worker, 0.5)
    deployment = f"deployments/{deployment_id(server, NIGHTLY)}"
    soon = datetime.now(UTC) + timedelta(seconds=3)
    schedule = {"interval": 30.0, "anchor_date": soon.isoformat()}
    ask(server, f"{deployment}/schedules", [{"schedule": schedule, "active": True}])
    # A busy Prefect server may answer its own worker with 500. The next run is due in 30 s.
    not_crashed = [state for state in ENDED if state != "CRASHED"]
    done = wait_until(lambda: done_of(server, "auto-scheduled", not_crashed), worker, 0.5)
    ask(server, f"{deployment}/pause_deployment")
    assert at_once["state"]["type"] == "COMPLETED", at_once["state"]["message"]
    assert done["state"]["type"] == "COMPLETED", done["state"]["message"]
    assert done["parameters"]["engine"] == "tone"
    artifacts = artifacts_of(server, done)
    assert [progress["data"] for progress in artifacts["render-progress"]] == [100]
    assert "A book.mp3" in artifacts["render-report"][0]["data"]
    wait_until(lambda: not has_run_under_way(server), worker, 0.5)  # none outlives the worker


@pytest.mark.prove
def test_a_worker_makes_a_podcast(server, worker):
    """As prefect.yaml stands, whose parameters Prefect's pages describe."""
    deployment = get(server, "deployments/name/article-podcast/podcast")
    schema = deployment["parameter_openapi_schema"]
    show = schema["properties"]["show"]
    assert (show["type"], schema["required"]) == ("string", ["show"])
    assert show["description"].startswith("The podcast's file")
    assert deployment["global_concurrency_limit"]["limit"] == 1
    assert [one["active"] for one in deployment["schedules"]] == [False]
    done = wait_until(lambda: podcast_run(server), worker, 0.5)
    assert done["state"]["type"] == "COMPLETED", done["state"]["message"]
    assert done["state"]["message"] == "1 new or changed episode."
    assert len(published(worker.home.path / "out")) == 1


def podcast_run(server) -> dict | None:
    runs = runs_of(server, "article-podcast")
    return next((run for run in runs if run["state"]["type"] in ENDED), None)


def has_run_under_way(server) -> bool:
    return any(run["state"]["type"] in ("PENDING", "RUNNING") for run in runs_of(server))
