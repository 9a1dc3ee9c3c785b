"""The flow where a Prefect API is configured: runs, their pages, errors, and who may ask it."""

import http.client
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import UUID

import pytest
from e2e.drive_by import attempts, sandboxed
from e2e.firefox import FIREFOX, browsing_with_firefox
from e2e.flow_runs.runs import BRIEF, TEXT, n_shards, started_by_hand
from markdown_it import MarkdownIt

from support.book_data import write_book
from support.chromium import BROWSER, browsing
from support.home import Home
from support.prefect_api import (
    AUTHORIZATION,
    artifacts_of,
    ask,
    free_port,
    log_of,
    using_api,
)
from support.process_data import TIMEOUT_S, wait_until
from support.web_server import Page, serving_site

CHOSEN = ("--engine", "tone", "--format", "m4b,epub,html", "--transcript", "vtt")
pytestmark = pytest.mark.longest


@pytest.fixture(scope="module")
def flown(server, tmp_path_factory):
    """The home, the report and the flow run of a book rendered where an API is configured."""
    home = using_api(Home(tmp_path_factory.mktemp("flown"), {}), server)
    book = home.path / "book.md"
    book.write_text(TEXT)
    report = home.render(book, *CHOSEN)
    return home, report, started_by_hand(server)


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


@pytest.mark.prove
def test_an_api_that_wants_a_password_is_named(home, server, book):
    home = home.with_variables(PREFECT_API_URL=server)
    words = home.refused_in_a_line(4, "render", book, "--engine", "tone")
    assert "wants a password: set PREFECT_API_AUTH_STRING" in words


def test_an_api_that_does_not_answer_is_named(home, book):
    home = home.with_variables(PREFECT_API_URL=f"http://127.0.0.1:{free_port()}/api")
    assert "--no-prefect" in home.refused(4, "render", book, "--engine", "tone")
    assert home.run("render", book, "--engine", "tone", "--no-prefect").returncode == 0


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
