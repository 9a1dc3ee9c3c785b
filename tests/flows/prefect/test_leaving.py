"""The process of a scheduled run ends, also if Prefect waits for a server that has gone."""

import os
import threading
from uuid import uuid4

import pytest
from prefect.client.schemas.objects import FlowRun

from audiomill.flows.prefect import attempts, flow_run
from audiomill.flows.prefect.settings import RUN_VARIABLE
from support.process_data import TIMEOUT_S

RUN = FlowRun(id=uuid4(), flow_id=uuid4())


def code_of(leave, monkeypatch, own_run):
    """The exit code of a process that waits without an end after `leave`; 9 if it is not ended."""
    monkeypatch.setenv(RUN_VARIABLE, str(own_run))
    monkeypatch.setattr(flow_run, "SEND_S", 0.0)
    monkeypatch.setattr(flow_run, "REPORT_S", 0.0)
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
        (lambda: flow_run.leave_after_report(None, RUN, None), 0, False),
        (lambda: flow_run.leave_unreported(RUN.id), 1, True),
    ],
)
def test_a_process_whose_server_has_gone_ends(leave, code, keeps_lock, monkeypatch, tmp_path):
    monkeypatch.setattr(attempts, "cache_folder", lambda: tmp_path)
    lock = tmp_path / "flow-runs" / f"{RUN.id}.lock"
    lock.parent.mkdir()
    lock.touch()
    assert code_of(leave, monkeypatch, RUN.id) == code
    assert lock.exists() == keeps_lock


def test_a_process_of_another_run_is_not_ours_to_end(monkeypatch):
    for own_run in (uuid4(), ""):
        assert code_of(lambda: flow_run.leave_unreported(RUN.id), monkeypatch, own_run) == 9
        assert (
            code_of(lambda: flow_run.leave_after_report(None, RUN, None), monkeypatch, own_run) == 9
        )
