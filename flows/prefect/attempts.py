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
    FlowRunFilterEndTime,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import TERMINAL_STATES, FlowRun, State, StateType
from prefect.client.schemas.sorting import FlowRunSort
from prefect.states import AwaitingRetry, Cancelled, Crashed

from audiomill.flows.file_lock import FileLock
from audiomill.renderers.host.folders import cache_folder

LOG = logging.getLogger("audiomill")
MAX_ATTEMPTS = 5  # a run that kills its process each time must end
RETRY_AFTER_S = 10.0
# A run becomes PENDING before its process has begun: Python and Prefect take seconds to load, and
# tens of seconds on a busy machine.
START_S = 120.0
# A run becomes RUNNING before its flow's code takes the lock: usually a fraction of a second.
BEGIN_S = 30.0
# The runner reports a crash, then schedules the next attempt by a hook; it may die in between.
HOOK_S = 60.0
# A crash that nobody has looked after for longer is history.
FORGOTTEN_AFTER = timedelta(days=1)
DIED = "its process died"
GIVEN_UP = "Given up"  # the name of the last state of a run that has had enough attempts

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
        atexit.register(forget_attempt, flow_run_id)


def forget_attempt(flow_run_id: UUID) -> None:
    """Remove the lock's file, as the attempt ends in order."""
    _lock_path(flow_run_id).unlink(missing_ok=True)


def _is_alive(flow_run_id: UUID) -> bool | None:
    """Whether the process of the run's attempt lives; None if no attempt has begun here."""
    path = _lock_path(flow_run_id)
    if not path.exists():
        return None
    with FileLock(path) as lock:
        return not lock.try_acquire()


def _forget_dead_attempt(flow_run_id: UUID) -> None:
    """Remove a dead attempt's lock, so that the next one is not taken for dead before it begins."""
    path = _lock_path(flow_run_id)
    if path.exists():
        with FileLock(path) as lock:
            if lock.try_acquire():
                path.unlink(missing_ok=True)


def _lock_path(flow_run_id: UUID) -> Path:
    return cache_folder() / "flow-runs" / f"{flow_run_id}.lock"


def retry_crashed(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001
    """Schedule another attempt at a deployment's run. Prefect calls this hook after a crash."""
    if flow_run.deployment_id is None:
        return  # of `audiomill render`: nobody would make the attempt
    with get_client(sync_client=True) as client:
        schedule_attempt(client, client.read_flow_run(flow_run.id), DIED)


def retry_dead_runs(
    client: SyncPrefectClient, deployment_ids: Collection[UUID], hook_s: float = HOOK_S
) -> list[FlowRun]:
    """Schedule another attempt at each run whose process died, and return these runs.

    One that is known to have crashed has `hook_s` for `retry_crashed` to do so.
    """
    runs = _runs_in(client, deployment_ids, (*UNDER_WAY, StateType.CRASHED))
    dead = [run for run in runs if _is_dead(run, hook_s)]
    for run in dead:
        schedule_attempt(client, run, DIED)
    return dead


def runs_under_way(client: SyncPrefectClient, deployment_ids: Collection[UUID]) -> list[FlowRun]:
    """The runs of these deployments that a process works on, or should."""
    return _runs_in(client, deployment_ids, UNDER_WAY)


def ended_runs(
    client: SyncPrefectClient, deployment_ids: Collection[UUID], since: datetime
) -> list[FlowRun]:
    """The runs of these deployments that have ended since then, the first to end first."""
    runs = client.read_flow_runs(
        flow_run_filter=FlowRunFilter(
            deployment_id=FlowRunFilterDeploymentId(any_=list(deployment_ids)),
            end_time=FlowRunFilterEndTime.model_validate({"after_": since}),
            state=FlowRunFilterState(type=FlowRunFilterStateType(any_=list(TERMINAL_STATES))),
        ),
        sort=FlowRunSort.END_TIME_DESC,
    )
    return runs[::-1]


def _runs_in(
    client: SyncPrefectClient, deployment_ids: Collection[UUID], states: Collection[StateType]
) -> list[FlowRun]:
    return client.read_flow_runs(
        flow_run_filter=FlowRunFilter(
            deployment_id=FlowRunFilterDeploymentId(any_=list(deployment_ids)),
            state=FlowRunFilterState(type=FlowRunFilterStateType(any_=list(states))),
        ),
        sort=FlowRunSort.START_TIME_DESC,
    )


def _is_dead(run: FlowRun, hook_s: float) -> bool:
    """True if nothing works on the run, and nobody has given it up."""
    alive = _is_alive(run.id)
    if alive or run.state is None:
        return False
    since = datetime.now(UTC) - run.state.timestamp
    if run.state.type == StateType.CRASHED:
        return run.state.name != GIVEN_UP and timedelta(seconds=hook_s) < since < FORGOTTEN_AFTER
    if run.state.type == StateType.PENDING:
        return since > timedelta(seconds=START_S)
    return alive is False or since > timedelta(seconds=BEGIN_S)


def schedule_attempt(client: SyncPrefectClient, run: FlowRun, why: str) -> None:
    """Schedule another attempt at `run`, unless it was to be cancelled, or has had enough."""
    if run.state is not None and run.state.type == StateType.CANCELLING:
        state: State[Any] = Cancelled(message="Cancelled; what was finished is kept.")
    elif why == DIED and _n_deaths(client, run) >= MAX_ATTEMPTS:
        message = f"Given up after {MAX_ATTEMPTS} attempts: {why}."
        state = Crashed(name=GIVEN_UP, message=message)
    else:
        _forget_dead_attempt(run.id)
        then = datetime.now(UTC) + timedelta(seconds=RETRY_AFTER_S)
        message = f"Another attempt, because {why}. What was finished is kept."
        state = AwaitingRetry(scheduled_time=then, message=message)
    client.set_flow_run_state(run.id, state, force=True)


def _n_deaths(client: SyncPrefectClient, run: FlowRun) -> int:
    """How often the run's process has died, this time included.

    Prefect's own count of attempts lacks those that died before the flow began.
    """
    earlier = (state.message or "" for state in client.read_flow_run_states(run.id))
    return 1 + sum(DIED in message for message in earlier)
