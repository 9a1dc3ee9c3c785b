"""A Prefect server of our own that ends or stops answering is started again."""

import os
import signal
import threading
from tempfile import TemporaryFile

import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.prefect import access, api
from support.home import ROOT
from support.prefect_api import free_port
from support.process_data import wait_until


@pytest.fixture
def server(monkeypatch):
    """A stand-in for Prefect's, which takes half a second to start and not ten."""
    monkeypatch.setattr(api, "SERVER_MODULE", "support.health_server")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tests"))
    monkeypatch.setattr(access, "_ANSWER_TIMEOUT_S", 0.2)
    monkeypatch.setattr(api, "CHECK_EVERY_S", 0.02)
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
