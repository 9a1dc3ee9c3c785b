"""Ends the process of a scheduled run in bounded time, also where the server has gone.

Before its process ends, Prefect sends the events and logs that it still has. Without a server it
tries that for minutes with each of them (`outlast_prefect_outages`), for hours in all.

    the work is done ─▶ Prefect reports the end of the run ─▶ it sends the rest ─▶ the process ends
           └─ REPORT_S at most, then the run counts as dead ─┘└─ SEND_S at most ─┘
"""

from __future__ import annotations

import os
import threading
from typing import Any
from uuid import UUID

from prefect import Flow
from prefect.client.schemas.objects import FlowRun, State

from audiomill.flows.prefect.settings import run_of_this_process
from audiomill.flows.scheduling.attempts import forget_attempt

SEND_S = 60.0
REPORT_S = 900.0  # longer than Prefect tries to report an end
FAILED = 1


def leave_after_report(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001
    """End the process of this run soon. Prefect calls this hook once the server has the end."""
    if _is_process_of(flow_run.id):
        _end_after(SEND_S, flow_run.id, 0)


def leave_unreported(flow_run_id: UUID) -> None:
    """End the process of this run if its end cannot be reported. Another attempt follows then."""
    if _is_process_of(flow_run_id):
        _end_after(REPORT_S, flow_run_id, FAILED)


def _is_process_of(flow_run_id: UUID) -> bool:
    """False in a program of a user, and for a flow within a flow: neither is ours to end."""
    return run_of_this_process() == str(flow_run_id)


def _end_after(limit_s: float, flow_run_id: UUID, code: int) -> None:
    timer = threading.Timer(limit_s, _end, (flow_run_id, code))
    timer.daemon = True  # a process that ends before does not wait for it
    timer.start()


def _end(flow_run_id: UUID, code: int) -> None:
    if code == 0:
        forget_attempt(flow_run_id)
    os._exit(code)  # not in order: that is what would wait
