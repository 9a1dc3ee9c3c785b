"""The flow with a Prefect server that the run brings, and a server that dies."""

import json
import signal
import stat
from pathlib import Path

import pytest
from e2e.flow_runs.runs import BRIEF, TEXT, n_shards, relatives

from support.book_data import write_book
from support.prefect_api import (
    put_database,
    running_server,
    using_api,
)
from support.process_data import TIMEOUT_S, command_line, wait_until

pytestmark = pytest.mark.longest


@pytest.mark.prove
def test_prefect_without_an_api_brings_its_own_server_for_its_user_only(home):
    put_database(home.path / "prefect")
    (home.path / "book.md").write_text(TEXT)
    run = home.run("render", "book.md", "--engine", "tone", "--prefect", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1])["segments"] == 5
    assert relatives(str(home.path)) == []
    folder = home.path / "prefect"
    password = (folder / "audiomill-server.password").read_text()
    assert len(password) >= 40
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in (*folder.glob("prefect.db*"), folder / "audiomill-server.password"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert path.suffix == ".password" or password.encode() not in path.read_bytes()
    assert password not in run.stdout + run.stderr


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


@pytest.mark.prove_long
def test_two_first_runs_at_once_both_succeed(home):
    """Both bring a server, and both servers would create the one database.

    That they do not start at once is proved with stand-ins, in test_server_lifetime.py.
    """
    runs = []
    for name in ("one", "two"):
        book = home.path / f"{name}.md"
        book.write_text(TEXT)
        runs.append(home.start("render", book, *BRIEF, "--prefect"))
    for run in runs:
        _, words = run.communicate(timeout=TIMEOUT_S)
        assert run.returncode == 0, words


@pytest.mark.prove_long
def test_a_server_that_dies_in_mid_run_costs_no_book(home):
    """That it is started again is proved with a stand-in (test_server_lifetime.py), and that a run
    then goes on where `audiomill serve` has the server (test_serve.py).
    """
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
