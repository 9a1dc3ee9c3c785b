"""Leaves out scheduled runs that another run makes up for.

    due at        05:00   06:00   07:00            the machine was asleep, or nothing was served
    at the start  begins  left out  left out       one run makes what all of them would

Prefect keeps each run that was due, and would make them all, one after another. A run for which a
person has asked is never left out.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterDeploymentId,
    FlowRunFilterExpectedStartTime,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.exceptions import ObjectNotFound
from prefect.states import Cancelled

LOG = logging.getLogger("audiomill")
LEFT_OUT = "LeftOut"  # the name of the state of a run that was left out
_PAGE = 200  # runs that the server tells at once


def leave_out_missed(flow_run_id: UUID) -> None:
    """Cancel the other scheduled runs of the same work that are due when this run begins.

    A server that does not answer stops no run: the others then find that nothing is new.
    """
    try:
        with get_client(sync_client=True) as client:
            this = client.read_flow_run(flow_run_id)
            for run in _due_runs(client, this):
                client.set_flow_run_state(run.id, Cancelled(name=LEFT_OUT, message=_message(this)))
    except (httpx.HTTPError, ObjectNotFound) as error:
        LOG.warning("Runs that were missed may be made too: %s", error)


def _due_runs(client: SyncPrefectClient, this: FlowRun) -> list[FlowRun]:
    """The other runs of this one's deployment and parameters which a schedule has made due."""
    if this.deployment_id is None:
        return []
    due = FlowRunFilter(
        deployment_id=FlowRunFilterDeploymentId(any_=[this.deployment_id]),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.SCHEDULED])),
        expected_start_time=FlowRunFilterExpectedStartTime.model_validate(
            {"before_": datetime.now(UTC)}
        ),
    )
    return [
        run
        for run in _all_runs(client, due)
        if run.auto_scheduled and run.id != this.id and run.parameters == this.parameters
    ]


def _all_runs(client: SyncPrefectClient, which: FlowRunFilter) -> Iterator[FlowRun]:
    for offset in count(0, _PAGE):
        page = client.read_flow_runs(flow_run_filter=which, limit=_PAGE, offset=offset)
        yield from page
        if len(page) < _PAGE:
            return


def _message(this: FlowRun) -> str:
    return f"Left out: the run “{this.name}” has begun since, and makes what this one would."
