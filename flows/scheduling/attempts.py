"""Attempts at a scheduled run, and another one if the process of the last one died.

Each attempt holds a lock of the kernel, so it is known whether it lives, however it ends. Another
attempt loses nothing: the store has every segment that was finished.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect import Flow
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterDeploymentId,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.states import AwaitingRetry, Cancelled, Crashed

from audiomill.flows.file_lock import FileLock
from audiomill.flows.settings import cache_folder

LOG = logging.getLogger("audiomill")
MAX_ATTEMPTS = 5  # a run that kills its process each time must end
RETRY_AFTER_S = 10.0
# A run becomes PENDING before its process has begun: Python and Prefect take seconds to load, and
# tens of seconds on a busy machine.
START_S = 120.0

UNDER_WAY = (StateType.PENDING, StateType.RUNNING, StateType.CANCELLING)


def begin_attempt(flow_run_id: UUID) -> None:
    """Take the run's lock until this process ends: Prefect has to report the run's end, too.

    Another live attempt does not stop this one. Nor does a machine without a place for the lock:
    `audiomill serve` has one there, and only it looks for dead runs.
    """
    path = _lock_path(flow_run_id)
    try:
        FileLock(path).try_acquire()  # never closed
    except OSError as error:
        LOG.warning("This run has no lock: %s", error)
    else:
        atexit.register(path.unlink, missing_ok=True)


def is_alive(flow_run_id: UUID) -> bool:
    """True if a process on this machine works on the run."""
    path = _lock_path(flow_run_id)
    if not path.exists():
        return False
    with FileLock(path) as lock:
        return not lock.try_acquire()


def _lock_path(flow_run_id: UUID) -> Path:
    return cache_folder() / "flow-runs" / f"{flow_run_id}.lock"


def retry_crashed(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001
    """Schedule another attempt at a deployment's run. Prefect calls this hook after a crash."""
    if flow_run.deployment_id is None:
        return  # of `audiomill render`: nobody would make the attempt
    with get_client(sync_client=True) as client:
        schedule_attempt(client, client.read_flow_run(flow_run.id), "its process died")


def retry_dead_runs(client: SyncPrefectClient, deployment_ids: Collection[UUID]) -> list[FlowRun]:
    """Schedule another attempt at each run under way whose process died, and return these runs."""
    dead = [run for run in runs_under_way(client, deployment_ids) if _is_dead(run)]
    for run in dead:
        schedule_attempt(client, run, "its process died")
    return dead


def runs_under_way(client: SyncPrefectClient, deployment_ids: Collection[UUID]) -> list[FlowRun]:
    """The runs of these deployments that a process works on, or should."""
    return client.read_flow_runs(
        flow_run_filter=FlowRunFilter(
            deployment_id=FlowRunFilterDeploymentId(any_=list(deployment_ids)),
            state=FlowRunFilterState(type=FlowRunFilterStateType(any_=list(UNDER_WAY))),
        )
    )


def _is_dead(run: FlowRun) -> bool:
    if is_alive(run.id) or run.state is None:
        return False
    has_begun = run.state.type != StateType.PENDING
    return has_begun or datetime.now(UTC) - run.state.timestamp > timedelta(seconds=START_S)


def schedule_attempt(client: SyncPrefectClient, run: FlowRun, why: str) -> None:
    """Schedule another attempt at `run`, unless it was to be cancelled, or has had enough."""
    if run.state is not None and run.state.type == StateType.CANCELLING:
        state: State[Any] = Cancelled(message="Cancelled; what was finished is kept.")
    elif run.run_count >= MAX_ATTEMPTS:
        state = Crashed(message=f"Given up after {run.run_count} attempts: {why}.")
    else:
        then = datetime.now(UTC) + timedelta(seconds=RETRY_AFTER_S)
        message = f"Another attempt, because {why}. What was finished is kept."
        state = AwaitingRetry(scheduled_time=then, message=message)
    client.set_flow_run_state(run.id, state, force=True)
