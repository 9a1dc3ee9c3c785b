"""`audiomill serve` on a server of its own: its runs survive every crash."""

import json
import signal
import socket
from contextlib import suppress

import psutil
import pytest

from audiomill.flows.file_lock import FileLock
from support.book_data import write_book
from support.case_files import each_row_apart
from support.examples import first_often
from support.home import Home, files_below
from support.prefect_api import (
    artifacts_of,
    ask,
    free_port,
    log_of,
    put_database,
    states_of,
)
from support.process_data import outlived, wait_until
from support.served import DEPLOYMENTS, Served


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """One `audiomill serve` for all tests here: to start it takes longer than most of them."""
    home = Home(tmp_path_factory.mktemp("serve"), {})
    put_database(home.path / "prefect")
    served = Served(home, write_book(home.path / "book.md", 6, 80))
    yield served
    served.end()


@pytest.fixture
def served(lasting):
    """`audiomill serve`, which has rendered nothing yet. It is started if a test has stopped it."""
    if lasting.process.poll() is not None:
        lasting.start()
    yield lasting
    lasting.clear()


def require_whole_book(served: Served, run: dict) -> None:
    assert run["state"]["type"] == "COMPLETED", [*log_of(served.url, run), served.log.read_text()]
    summary = json.loads((served.home.library / "A Book" / "report.json").read_text())
    assert summary["rendered"] + summary["cached"] + summary["repeated"] == summary["segments"]
    assert served.n_shards() == summary["segments"] - summary["repeated"]


@pytest.mark.prove
def test_a_lock_and_a_port_that_become_free_are_waited_for(served):
    """As after a sudden death of `serve`, whose child and server end a moment later."""
    assert served.stop() == 0  # as soon as it says that it serves
    assert "Traceback" not in served.log.read_text()
    with socket.create_server(("127.0.0.1", served.port)):
        with FileLock(next(served.home.path.rglob("serve.lock"))) as lock:
            assert lock.try_acquire()
            with served.log.open("w") as log:
                served.process = served.home.start("serve", "--port", served.port, stderr=log)
            wait_until(lambda: "just ending" in served.log.read_text(), served.process)
        wait_until(lambda: "waiting for it" in served.log.read_text(), served.process)
    wait_until(lambda: "Serving" in served.log.read_text(), served.process)


@pytest.mark.parametrize("victim", first_often(["all", "engine", "server", "serve"], 2))
def test_a_run_outlives_a_sudden_death(served, victim):
    run = served.create_run()
    served.wait_until_under_way(20)
    state = served.state_of(run)
    assert state["type"] == "RUNNING", [state, *log_of(served.url, run), served.log.read_text()]
    words = ["engine", "server", "serve"] if victim == "all" else [victim]
    victims = [process for word in words for process in served.processes(word)]
    assert victims
    for process in victims:
        process.kill()
    if victim in ("serve", "all"):
        served.process.communicate()
        served.start()
    require_whole_book(served, served.wait_for_end(run))
    progress = artifacts_of(served.url, run)["render-progress"]
    assert [artifact["data"] for artifact in progress] == [100]


@pytest.mark.prove
def test_a_run_goes_on_while_the_server_is_out_of_reach(served):
    run = served.create_run()
    served.wait_until_under_way()
    (server,) = served.processes("server")
    server.suspend()
    # Finished without it: the file is there, the server still stopped.
    wait_until(lambda: files_below(served.home.library, "A Book.flac"), served.process)
    with suppress(psutil.NoSuchProcess):  # after a minute, `serve` has another one
        server.resume()
    ended = served.wait_for_end(run)
    require_whole_book(served, ended)
    assert ended["run_count"] == 1


@pytest.mark.prove
def test_the_page_is_complete_although_the_server_was_away_at_the_end(served):
    """The book is done in a second or two, before `serve` has a new server."""
    book = write_book(served.home.path / "short.md", 1, 200)
    run = served.create_run(source=str(book))
    served.wait_until_under_way()
    (server,) = served.processes("server")
    server.kill()
    require_whole_book(served, served.wait_for_end(run))
    shown = artifacts_of(served.url, run)
    assert [artifact["data"] for artifact in shown["render-progress"]] == [100]
    assert len(shown["render-report"]) == 1


@pytest.mark.prove
def test_a_run_that_ctrl_c_stopped_goes_on_when_served_again(served):
    run = served.create_run()
    served.wait_until_under_way(20)
    assert served.stop(signal.SIGINT) == 0
    assert outlived(served.home.path) == []
    served.start()
    ended = served.wait_for_end(run)
    require_whole_book(served, ended)
    assert "AwaitingRetry" in states_of(served.url, run)


@pytest.mark.prove
def test_a_crash_that_nobody_looked_after_gets_another_attempt(served):
    """As if `serve` had died between reporting the crash and scheduling the attempt."""
    run = served.create_run()
    served.wait_until_under_way(20)
    served.process.send_signal(signal.SIGSTOP)
    for process in served.processes("engine"):
        process.kill()
    ask(served.url, f"flow_runs/{run['id']}/set_state", state={"type": "CRASHED"}, force=True)
    served.end()
    served.start()
    require_whole_book(served, served.wait_for_end(run))


@pytest.mark.prove
def test_a_cancelled_run_is_cancelled_and_stays_so(served):
    run = served.create_run()
    served.wait_until_under_way()
    cancelling = {"type": "CANCELLING", "name": "Cancelling"}
    ask(served.url, f"flow_runs/{run['id']}/set_state", state=cancelling)
    assert served.wait_for_end(run)["state"]["type"] == "CANCELLED"
    wait_until(lambda: not served.processes("engine"), served.process)
    assert states_of(served.url, run)[-1] == "Cancelled"


@pytest.mark.prove
def test_a_port_that_stays_taken_is_named(home):
    (home.path / "prefect.yaml").write_text(DEPLOYMENTS.format(source="book.md"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"Port {port} is taken: choose another one (--port)" in home.refused(
            4, "serve", "--port", port
        )


@pytest.mark.prove
def test_a_second_serve_says_that_one_is_running(served):
    assert "already running" in served.home.refused(2, "serve", "--port", free_port())


@pytest.mark.prove
def test_it_can_be_stopped_although_its_server_does_not_answer(served):
    (server,) = served.processes("server")
    server.suspend()
    assert served.stop() == 0
    assert "Traceback" not in served.log.read_text()


@pytest.mark.prove  # Prefect is imported
@each_row_apart
def test_a_wrong_schedule_is_told_before_a_server_is_started(home, content, told):
    test_a_wrong_file_is_told_before_a_server_is_started(home, content, told)


@each_row_apart
def test_a_wrong_file_is_told_before_a_server_is_started(home, content, told):
    (home.path / "prefect.yaml").write_text(content)
    words = home.refused(2, "serve", "--port", free_port())
    assert told in words
    assert "Starting a Prefect server" not in words


@each_row_apart
def test_a_wrong_file_is_named_with_its_fault(tmp_path, content, word):
    from audiomill.flows.cli.serve import read_entries
    from audiomill.flows.errors import UsageError
    from audiomill.flows.prefect.deployments import listed_deployments

    path = tmp_path / "prefect.yaml"
    if content is not None:
        path.write_text(
            content.replace("E,", "audiomill.flows.prefect.audiobook.render_audiobook,")
        )
    with pytest.raises(UsageError, match=word) as caught:
        listed_deployments(path, read_entries(path))
    assert str(path) in str(caught.value)
