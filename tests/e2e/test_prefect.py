"""The flow on a real Prefect server on loopback: runs, deployments, schedules, and sudden death."""

import http.client
import json
import os
import re
import signal
import stat
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import UUID

import psutil
import pytest
import yaml
from e2e.drive_by import attempts, sandboxed
from e2e.firefox import FIREFOX, browsing_with_firefox
from markdown_it import MarkdownIt

from audiomill.outputs.formats.registry import FORMATS, READALONGS
from audiomill.renderers.engine.registry import engine_names
from support.book_data import write_book
from support.chromium import BROWSER, browsing
from support.documents import documented
from support.feed_rules import published
from support.home import Home, files_below
from support.late_import import LateModule
from support.paths import ROOT
from support.prefect_api import (
    AUTHORIZATION,
    ENDED,
    PASSWORD,
    artifacts_of,
    ask,
    free_port,
    get,
    is_free,
    keep_password,
    log_of,
    put_database,
    running_server,
    runs_of,
    using_api,
)
from support.process_data import TIMEOUT_S, command_line, outlived, wait_until
from support.show_data import show_file
from support.web_server import Page, serving_site

audiobook = LateModule("audiomill.flows.prefect.audiobook")
dead_runs = LateModule("audiomill.flows.prefect.attempts")
orchestration = LateModule("prefect.client.orchestration")
BIN = Path(sys.executable).parent
TEXT = """---
title: A *book*
---
# One

A short text. It has two sentences.

# {Two}

And another chapter.
"""

pytestmark = pytest.mark.longest


@pytest.fixture(scope="module")
def run_with_own_server(tmp_path_factory):
    """A run with `--prefect` in a new home, and that home."""
    home = Home(tmp_path_factory.mktemp("own-server"), {})
    put_database(home.path / "prefect")
    book = home.path / "book.md"
    book.write_text(TEXT)
    return home.run("render", book, "--engine", "tone", "--prefect", "--json"), home


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The URL of a Prefect API of our own, for all tests of this file."""
    home = tmp_path_factory.mktemp("server") / "prefect"
    put_database(home)
    with running_server(home) as (url, _):
        yield url


@pytest.fixture
def book(home):
    path = home.path / "book.md"
    path.write_text(TEXT)
    return path


# For books whose sound does not matter: a quarter of it, in a format that is quickly encoded.
BRIEF = ("--engine", "tone", "--speed", "4", "--format", "flac")
CHOSEN = ("--engine", "tone", "--format", "m4b,epub,html", "--transcript", "vtt")


@pytest.fixture(scope="module")
def flown(server, tmp_path_factory):
    """The home, the report and the flow run of a book rendered where an API is configured."""
    home = using_api(Home(tmp_path_factory.mktemp("flown"), {}), server)
    book = home.path / "book.md"
    book.write_text(TEXT)
    report = home.render(book, *CHOSEN)
    return home, report, started_by_hand(server)


def started_by_hand(server: str) -> dict:
    """The newest run that is of no deployment."""
    return next(run for run in runs_of(server) if not run["deployment_id"])


@pytest.mark.prove
def test_render_is_a_flow_run_where_an_api_is_configured(server, flown):
    home, report, run = flown
    assert report["rendered"] == report["segments"] > 0
    assert run["state"]["type"] == "COMPLETED"
    assert run["parameters"]["source"] == str(home.path / "book.md")
    assert run["name"] == "A *book*"
    assert set(run["tags"]) == {"audiomill", "tone"}
    artifacts = artifacts_of(server, run)
    assert [progress["data"] for progress in artifacts["render-progress"]] == [100]
    tasks = ask(server, "task_runs/filter", flow_runs={"id": {"any_": [run["id"]]}})
    assert sorted(task["name"] for task in tasks) == [
        "chapter 1: One", "chapter 2: {Two}", "encode A book.m4b", "read the book",
        "render window 1/1 of A *book*", "write A book.epub, A book (read along)/index.html",
        "write the transcripts",
    ]  # fmt: skip


@pytest.mark.prove
def test_the_page_of_a_run_says_what_was_made(server, flown):
    _, report, run = flown
    path = Path(report["files"][0]["path"])
    (artifact,) = artifacts_of(server, run)["render-report"]
    html = MarkdownIt("gfm-like", {"linkify": False}).render(artifact["data"])
    assert f"<code>{path}</code>" in html
    assert "<table>" in html
    assert "<h1>A *book*</h1>" in html
    wait_until(lambda: any(str(path) in line for line in log_of(server, run)))  # sent in batches


@pytest.mark.prove
def test_both_ways_of_running_give_the_same_bytes(flown, book, home):
    _, in_flow, _ = flown
    direct = home.render(book, *CHOSEN, "--no-prefect")
    assert in_flow["rendered"] == direct["rendered"] > 0
    made = [
        [Path(file["path"]).read_bytes() for file in report["files"]]
        for report in (direct, in_flow)
    ]
    assert made[0] == made[1]
    assert len(made[0]) == 4


@pytest.mark.prove
def test_an_error_is_as_short_in_a_flow_run(home, server):
    home = using_api(home, server)
    words = home.refused(3, "render", home.path / "gone.epub", "--engine", "tone")
    assert len(words.splitlines()) <= 2, words
    run = started_by_hand(server)
    assert (run["state"]["type"], run["state"]["name"]) == ("FAILED", "Unreadable")
    assert run["state"]["message"] in words
    assert not [line for line in log_of(server, run) if "Traceback" in line]


def test_a_server_of_our_own_is_for_its_user_only(run_with_own_server):
    run, home = run_with_own_server
    assert run.returncode == 0, run.stderr
    folder = home.path / "prefect"
    password = (folder / "audiomill-server.password").read_text()
    assert len(password) >= 40
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in (*folder.glob("prefect.db*"), folder / "audiomill-server.password"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert path.suffix == ".password" or password.encode() not in path.read_bytes()
    assert password not in run.stdout + run.stderr


@pytest.mark.prove
def test_an_api_that_wants_a_password_is_named(home, server, book):
    home = home.with_variables(PREFECT_API_URL=server)
    words = home.refused_in_a_line(4, "render", book, "--engine", "tone")
    assert "wants a password: set PREFECT_API_AUTH_STRING" in words


READ = "block_documents/filter"
ATTEMPTS = (
    ("GET", "/ui-settings", None),
    ("GET", "/api/admin/version", None),
    ("POST", f"/api/{READ}", '{"include_secrets": true}'),
    ("POST", "/api/variables/", '{"name": "done", "value": "by a stranger"}'),
    ("PATCH", f"/api/deployments/{UUID(int=1)}", '{"pull_steps": []}'),
    ("POST", f"/api/deployments/{UUID(int=1)}/create_flow_run", "{}"),
)
SOCKETS = ("/api/events/in", "/api/events/out", "/api/logs/out")


def answer(server: str, path: str, **headers: str) -> tuple[int, str | None]:
    """The status of an answer to a program that sets what headers it likes, and who may read it."""
    address = urlsplit(server)
    with closing(http.client.HTTPConnection(address.hostname, address.port)) as connection:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.getheader("Access-Control-Allow-Origin")


def status(server: str, path: str, **headers: str) -> int:
    return answer(server, path, **headers)[0]


# The guard itself is proved without a server: tests/flows/prefect/test_own_pages.py.
@pytest.mark.prove
def test_a_stranger_gets_nothing_of_a_server_of_our_own(server):
    """By a foreign name (DNS rebinding), from a foreign page, or without the password."""
    port = urlsplit(server).port
    version = "/api/admin/version"
    assert status(server, version, **AUTHORIZATION) == 200
    own = f"http://127.0.0.1:{port}"
    assert answer(server, version, **AUTHORIZATION, Origin=own) == (200, own)
    assert status(server, version) == 401
    assert status(server, version, Authorization="Basic eDp5") == 401
    wrong = (
        {"Host": f"evil.example:{port}"},
        {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"},
        {"Origin": "null"},
        {"Origin": f"http://127.0.0.1:{port + 1}"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    )
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": "prefect",
    }
    for headers in wrong:
        for path in ("/", "/ui-settings", "/api/health", version):
            assert status(server, path, **AUTHORIZATION, **headers) == 403, (path, headers)
        for path in SOCKETS:
            assert status(server, path, **upgrade, **headers) == 403, (path, headers)
    with pytest.raises(HTTPError, match="403"):  # the password alone forges no request
        urlopen(Request(f"{server}/{READ}", b"{}", AUTHORIZATION))
    assert ask(server, READ) == []


def browsing_with_chromium(folder: Path, name: str):
    return browsing(folder, f"--host-resolver-rules=MAP {name} 127.0.0.1")


@pytest.mark.prove
@pytest.mark.parametrize(
    "browsing_with",
    [
        pytest.param(
            browsing_with_chromium,
            marks=pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed"),
        ),
        pytest.param(
            browsing_with_firefox,
            marks=pytest.mark.skipif(FIREFOX is None, reason="no Firefox is installed"),
        ),
    ],
)
def test_a_page_of_another_site_gets_nothing_of_a_server_of_our_own(
    server, tmp_path, browsing_with
):
    base = server.removesuffix("/api")
    port = urlsplit(server).port
    files = (("img", "/ico/favicon-32x32.png"), ("script", "/openapi.json"), ("iframe", "/"))
    script = attempts(base, ATTEMPTS, SOCKETS, files)
    with serving_site() as site, browsing_with(tmp_path, "evil.example") as tab:
        site.pages["/"] = Page(b"<body>An article.</body>")
        outcomes = []
        for other in (site.url, site.url.replace("127.0.0.1", "evil.example")):
            tab.open(f"{other}/")
            outcomes.append(tab.value(script))
        outcomes.append(tab.value(sandboxed(script)))
        # As if the name of the page had come to point here (DNS rebinding).
        tab.open(f"http://evil.example:{port}/")
        rebound = tab.value(attempts(f"http://evil.example:{port}", ATTEMPTS, SOCKETS, files))
        assert tab.value("document.body.innerText").startswith("Only pages of this server itself")
    for told in outcomes:
        assert len(told) == 29
        assert set(told.values()) == {"nothing"}
    assert all(one == "nothing" or one.startswith("403 Only pages") for one in rebound.values())
    assert ask(server, "variables/filter") == []


def test_an_api_that_does_not_answer_is_named(home, book):
    home = home.with_variables(PREFECT_API_URL=f"http://127.0.0.1:{free_port()}/api")
    assert "--no-prefect" in home.refused(4, "render", book, "--engine", "tone")
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
    return len(files_below(home.store, ".shard"))


@pytest.mark.prove
def test_sigkill_leaves_no_server_and_no_lock(home):
    """`--prefect` without an API starts a server of our own; it must not outlive us."""
    put_database(home.path / "prefect")
    book = write_book(home.path / "book.md", 4, 200)
    process = home.start("render", book, *BRIEF, "--prefect")
    # The flow is under way, and holds its locks, once a first segment is stored.
    wait_until(lambda: n_shards(home), process)
    assert len(relatives(str(home.path))) > 1
    process.kill()
    process.communicate()
    wait_until(lambda: not relatives(str(home.path)), every_s=0.2)
    report = home.render(book, *BRIEF, "--no-prefect", "--chapters", "1")
    assert report["cached"] > 0


# The program gives up after a second, whatever is not done by then. Here it has all the time, or
# none, as on a busy machine: the flow itself can then report nothing.
PROGRAM = """
import sys
from audiomill.flows.cli.main import main
from audiomill.flows.execution import signals
signals.GRACE_S = {}
sys.exit(main())
"""


@pytest.mark.prove
def test_sigterm_and_ctrl_c_cancel_the_flow_run(home, server):
    home = using_api(home, server)
    book = write_book(home.path / "book.md", 4, 200)
    for number, grace_s in ((signal.SIGTERM, 3600.0), (signal.SIGINT, 0.0)):
        n_before = n_shards(home)
        program = replace(home, program=("-c", PROGRAM.format(grace_s)))
        process = program.start("render", book, *BRIEF)
        wait_until(lambda n=n_before: n_shards(home) > n, process)
        process.send_signal(number)
        _, words = process.communicate(timeout=TIMEOUT_S)
        assert process.returncode == 130, words
        assert "Traceback" not in words, words
        assert started_by_hand(server)["state"]["type"] == "CANCELLED"


def test_prefect_without_an_api_brings_its_own_server(run_with_own_server):
    run, home = run_with_own_server
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1])["segments"] == 5
    assert relatives(str(home.path)) == []


@pytest.mark.prove
def test_two_first_runs_at_once_both_succeed(home):
    """Both bring a server, and both servers would create the one database."""
    runs = []
    for name in ("one", "two"):
        book = home.path / f"{name}.md"
        book.write_text(TEXT)
        runs.append(home.start("render", book, *BRIEF, "--prefect"))
    for run in runs:
        _, words = run.communicate(timeout=TIMEOUT_S)
        assert run.returncode == 0, words


@pytest.mark.prove
def test_a_server_that_dies_in_mid_run_costs_no_book(home):
    put_database(home.path / "prefect")
    book = write_book(home.path / "book.md", 4, 80)
    process = home.start("render", book, *BRIEF, "--prefect", "--json")
    wait_until(lambda: n_shards(home), process)
    (server,) = (
        one
        for one in relatives(str(home.path))
        if any("prefect_server.server" in word for word in command_line(one, home.path))
    )
    server.kill()
    out, words = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, words
    assert Path(json.loads(out.splitlines()[-1])["files"][0]["path"]).is_file()
    assert "Traceback" not in words, words


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGKILL, marks=pytest.mark.prove),
        pytest.param(signal.SIGSTOP, marks=pytest.mark.prove_long),
    ],
)
def test_an_api_that_goes_away_in_mid_run_costs_no_book(home, number):
    put_database(home.path / "prefect")
    with running_server(home.path / "prefect") as (url, process):
        home = using_api(home, url).with_variables(PREFECT_API_REQUEST_TIMEOUT=5)
        book = write_book(home.path / "book.md", 4, 80)
        render = home.start("render", book, *BRIEF, "--json")
        wait_until(lambda: n_shards(home), render)
        process.send_signal(number)
        out, words = render.communicate(timeout=TIMEOUT_S)
    assert render.returncode == 0, words
    assert Path(json.loads(out.splitlines()[-1])["files"][0]["path"]).is_file()
    assert "finished without it" in words
    assert "Traceback" not in words, words


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
    """As written, from a shell with nothing but the PATH of an activated environment."""
    put_database(home.path / "prefect")
    keep_password(home.path / "prefect")
    serve, run_now = SERVE, RUN_NOW.replace("~/.prefect", str(home.path / "prefect"))
    home = home.with_variables(PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}")
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
    run = subprocess.run(
        [BIN / words[0], *words[1:]],
        env=home.environment | {"NO_COLOR": "1"},
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
    prefect(home, documented("prefect deployment run article-podcast/podcast"))
    setting, *worker = documented(
        "PREFECT_CLIENT_RETRY_EXTRA_CODES=500 prefect worker start --pool audiomill"
    )
    environment = {
        **home.environment,
        # On a busy machine an answer takes longer than the minute that Prefect waits for it.
        "PREFECT_API_REQUEST_TIMEOUT": "600",
        "PREFECT_WORKER_QUERY_SECONDS": "1",
    }
    with (home.path / "worker.log").open("w+") as log:
        process = subprocess.Popen(
            ["env", setting, BIN / worker[0], *worker[1:]],
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


def deployment_id(server) -> str:
    return get(server, "deployments/name/render-audiobook/nightly")["id"]


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
    ask(
        server,
        f"deployments/{deployment_id(server)}/create_flow_run",
        tags=["vague"],
        parameters={"engine": "auto"},
        state={"type": "SCHEDULED"},
    )
    run = wait_until(lambda: done_of(server, "vague"), worker, 0.5)
    assert run["state"]["type"] == "FAILED"
    assert "name its engine" in run["state"]["message"]


@pytest.mark.prove
def test_a_deployment_runs_on_its_schedule(server, worker):
    at_once = wait_until(lambda: done_of(server, "at once"), worker, 0.5)
    deployment = f"deployments/{deployment_id(server)}"
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
