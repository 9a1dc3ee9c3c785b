"""A flow run whose server is away at its end: the book is finished, and that is told."""

import httpx
import pytest
from prefect.states import Crashed

from audiomill.flows.cli import render
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.prefect import audiobook, flow_page
from audiomill.flows.prefect.unreported_runs import UnreportedRuns
from support.book_data import book_job, rendered

pytestmark = pytest.mark.prove  # Prefect is imported


@pytest.mark.parametrize("is_finished", [True, False])
def test_a_run_that_cannot_report_its_end_leaves_the_book(
    tmp_path, monkeypatch, capsys, is_finished
):
    job = book_job(tmp_path, "One.")
    report = rendered(job) if is_finished else None

    def flow_of(_context, _guard, keep, _place):
        def flow(**_parameters):
            if report:
                keep(report)
            return Crashed(data=httpx.ConnectError("Connection refused"))

        return flow

    monkeypatch.setattr(audiobook, "audiobook_flow", flow_of)
    monkeypatch.setattr(flow_page, "_is_server_lost", lambda: False)
    request = render.RenderRequest(job.source, {"engine": "tone"}, job)
    found = render._render_as_flow_run(ThreadsHere(), UnreportedRuns(), request, RunContext())
    assert found.audio_s > 0
    assert found is report or not is_finished
    assert "The book is finished without it" in capsys.readouterr().err


class ThreadsHere:
    """Where books are rendered by the executor that they are given."""

    def executor(self, executor):
        return executor
