"""How long a server of Prefect lives, and what is left of it."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from tempfile import TemporaryFile
from uuid import uuid4

import pytest
from prefect.client.schemas import objects

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.prefect import flow_run
from audiomill.flows.prefect_server import access, api
from audiomill.flows.prefect_server.settings import RUN_VARIABLE
from support.paths import ROOT
from support.prefect_api import free_port
from support.process_data import TIMEOUT_S, wait_until

HEALTHY = """
import sys
from support.loopback import Handler, Server

class Healthy(Handler):
    def do_GET(self):
        self.reply(200, b"true")

Server(Healthy, int(sys.argv[1])).serve_forever()
"""


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    """A stand-in for Prefect's server, which takes half a second to start and not ten."""
    (tmp_path / "healthy.py").write_text(HEALTHY)
    monkeypatch.setattr(api, "SERVER_MODULE", "healthy")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT / 'tests'}")
    monkeypatch.setattr(access, "_ANSWER_TIMEOUT_S", 0.2)
    monkeypatch.setattr(api, "CHECK_EVERY_S", 0.02)


@pytest.fixture
def server(stand_in):
    with TemporaryFile() as log:
        server = api._Server(free_port(), "password", log, RunContext())
        server.wait_until_healthy()
        watcher = threading.Thread(target=server.keep_running)
        watcher.start()
        yield server
        server.stop()
        watcher.join()


@pytest.mark.parametrize(
    ("number", "lines"),
    [
        (signal.SIGKILL, ["server has ended; starting it again."]),
        (signal.SIGSTOP, ["has not answered for", "server does not answer; starting it again."]),
    ],
)
def test_a_server_that_is_away_is_started_again_and_said(
    server, number, lines, capsys, monkeypatch
):
    before = server._process.pid
    os.kill(before, number)
    with monkeypatch.context() as impatient:
        impatient.setattr(api, "SILENT_S", 0.0)
        impatient.setattr(api, "LOST_S", 0.0)
        wait_until(lambda: server._process.pid != before)
    server.wait_until_healthy()
    shown = capsys.readouterr().err.splitlines()
    assert all(any(line in one for one in shown) for line in lines)


# It tells when it begins, and when it first answers.
TELLING = HEALTHY.replace("import sys", "import sys\nprint('begins', flush=True)", 1).replace(
    "self.reply", "print('answers', flush=True)\n        self.reply"
)


def test_two_servers_never_start_at_once(stand_in, monkeypatch, tmp_path):
    """Both would create the one database. Each of two runs brings one, and both succeed."""
    (tmp_path / "healthy.py").write_text(TELLING)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    monkeypatch.setattr(api, "quiet_prefect", lambda *_: None)
    told = tmp_path / "told"
    with told.open("ab") as log:
        monkeypatch.setattr(api.tempfile, "TemporaryFile", lambda: os.fdopen(os.dup(log.fileno())))
        bring = partial(brought, threading.Barrier(2))
        with ThreadPoolExecutor(2) as pool:
            assert [*pool.map(bring, (free_port(), free_port()))] == [True, True]
    first, *others = told.read_text().split()
    assert (first, others.count("begins")) == ("begins", 1)
    assert "answers" in others[: others.index("begins")]


def brought(both, port):
    """Bring a server, and keep it until the other one is there, too."""
    with api._server(port, RunContext()) as server:
        both.wait(TIMEOUT_S)
        return api.is_healthy(server.url)


RUN_ID = uuid4()


def leave_after_report():
    run = objects.FlowRun(id=RUN_ID, flow_id=uuid4())
    return flow_run.leave_after_report(None, run, None)


def code_of(leave, monkeypatch, own_run):
    """The exit code of a process that waits without an end after `leave`; 9 if it is not ended."""
    monkeypatch.setenv(RUN_VARIABLE, str(own_run))
    monkeypatch.setattr("audiomill.flows.prefect.flow_run.SEND_S", 0.0)
    monkeypatch.setattr("audiomill.flows.prefect.flow_run.REPORT_S", 0.0)
    pid = os.fork()
    if not pid:
        try:
            leave()
            if threading.active_count() > 1:  # the timer, which is all that a fork has besides
                threading.Event().wait(TIMEOUT_S)
        finally:
            os._exit(9)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize(
    ("leave", "code", "keeps_lock"),
    [
        (leave_after_report, 0, False),
        (lambda: flow_run.leave_unreported(RUN_ID), 1, True),
    ],
)
def test_a_process_whose_server_has_gone_ends(leave, code, keeps_lock, monkeypatch, tmp_path):
    monkeypatch.setattr("audiomill.flows.prefect.attempts.cache_folder", lambda: tmp_path)
    lock = tmp_path / "flow-runs" / f"{RUN_ID}.lock"
    lock.parent.mkdir()
    lock.touch()
    assert code_of(leave, monkeypatch, RUN_ID) == code
    assert lock.exists() == keeps_lock


def test_a_process_of_another_run_is_not_ours_to_end(monkeypatch):
    for own_run in (uuid4(), ""):
        assert code_of(lambda: flow_run.leave_unreported(RUN_ID), monkeypatch, own_run) == 9
        assert code_of(leave_after_report, monkeypatch, own_run) == 9
