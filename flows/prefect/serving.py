"""Runs deployments of `prefect.yaml` when they are due, on this machine, one run at a time.

Prefect's runner does the work. What it lacks is done here: a runner that gave up is replaced, and
runs whose process died, with the runner before or by themselves, get another attempt.

The deployments that a file such as `prefect.yaml` describes, as `audiomill serve` runs them.

`prefect deploy` reads the same file. Of its keys, those of work pools do not matter here.
Format: https://docs.prefect.io/v3/how-to-guides/deployments/prefect-yaml
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import httpx
from prefect import Flow
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, FlowRun
from prefect.deployments.runner import RunnerDeployment
from prefect.exceptions import MissingFlowError, ScriptError
from prefect.flows import load_flow_from_entrypoint
from prefect.runner import Runner
from prefect.schedules import Schedule
from prefect.settings import (
    PREFECT_API_REQUEST_TIMEOUT,
    PREFECT_CLIENT_MAX_RETRIES,
    temporary_settings,
)
from pydantic import ValidationError
from tzlocal import get_localzone_name

from audiomill.flows.console import say
from audiomill.flows.errors import UsageError
from audiomill.flows.prefect.attempts import (
    HOOK_S,
    ended_runs,
    retry_dead_runs,
    runs_under_way,
    schedule_attempt,
)
from audiomill.flows.prefect_server.api import PrefectUnreachable
from audiomill.inputs.messages import did_you_mean
from audiomill.outputs.text import one_line

LOOK_FOR_DEAD_RUNS_EVERY_S = 15.0
# A run fills the machine; two at once would only take longer, and twice the memory.
N_RUNS_AT_ONCE = 1
# Stopping waits one after the other: for what is being asked (2 answers), for the runs under way,
# for the runner, for each run's next attempt, and for the runs that have ended. Altogether less
# than `audiomill serve` has (GRACE_S of its command).
ANSWER_TIMEOUT_S = 5.0
STOP_TIMEOUT_S = 30.0
POLL_INTERVAL_S = 0.05
# What Prefect's deployments take as it stands.
PASSED_ON = ("description", "parameters", "tags", "version", "triggers", "concurrency_limit")

SHOW_ENTRYPOINT = "audiomill.flows.prefect.podcast.article_podcast"
KINDS = {"schedules": list, "schedule": dict, "tags": list, "parameters": dict, "triggers": list}


def serve(
    deployments: Sequence[RunnerDeployment],
    stop: threading.Event,
    announce: Callable[[list[str]], None],
) -> None:
    """Create the deployments, announce their names, and run them until `stop` is set.

    Raises PrefectUnreachable if the deployments cannot be created.
    """
    names = [f"{deployment.flow_name}/{deployment.name}" for deployment in deployments]
    try:
        runner = _RunnerThread(deployments)
    except httpx.HTTPError as error:
        reason = str(error).partition("\n")[0]
        raise PrefectUnreachable(f"Prefect's server takes no deployments: {reason}") from error
    announce(names)
    ended = _EndedRuns(runner.deployment_ids)
    while not stop.wait(LOOK_FOR_DEAD_RUNS_EVERY_S):
        with _saying_what_is_not_answered():  # the server may return
            if not runner.is_alive():
                say("Prefect's runner gave up; starting another one.")
                runner = _RunnerThread(deployments)
            runner.retry_dead_runs()
            ended.say()
    runner.stop()
    with suppress(httpx.HTTPError):
        ended.say()


@contextmanager
def _client_that_asks_once() -> Generator[SyncPrefectClient]:
    """A client that waits some seconds: what it asks is asked again later, and a stop waits for it.

    Prefect's own waits a minute for an answer, and asks again for eight.
    """
    once = temporary_settings(
        {PREFECT_CLIENT_MAX_RETRIES: 0, PREFECT_API_REQUEST_TIMEOUT: ANSWER_TIMEOUT_S}
    )
    with once, get_client(sync_client=True) as client:
        yield client


@contextmanager
def _saying_what_is_not_answered() -> Generator[None]:
    """Say so if Prefect's server does not answer in the block."""
    try:
        yield
    except httpx.HTTPError as error:
        say(f"Prefect's server does not answer: {error or type(error).__name__}")


class _EndedRuns:
    """Says how each run has ended, once."""

    def __init__(self, deployment_ids: Collection[UUID]) -> None:
        self._deployment_ids = deployment_ids
        self._since = datetime.now(UTC)
        self._said: set[tuple[UUID, datetime | None]] = set()  # a run may have several attempts

    def say(self) -> None:
        """Say a line for each run that has ended since the last time. Raises httpx.HTTPError."""
        with _client_that_asks_once() as client:
            ended = ended_runs(client, self._deployment_ids, self._since)
        for run in ended:
            end = (run.id, run.end_time)
            if end not in self._said:
                self._said.add(end)
                say(_line_of(run))


def _line_of(run: FlowRun) -> str:
    """A run that has ended, for the log: its name, its state and what that says."""
    state = run.state
    name, message = (state.name, state.message or "") if state else ("ended", "")
    return one_line(f"{run.name} is {name}: {message}" if message else f"{run.name} is {name}.")


class _RunnerThread:
    """A started runner of the deployments, in a thread: only in the main one it takes signals."""

    def __init__(self, deployments: Sequence[RunnerDeployment]) -> None:
        self._runner = Runner("audiomill", limit=N_RUNS_AT_ONCE, pause_on_shutdown=False)
        self.deployment_ids = [self._add(deployment) for deployment in deployments]
        with get_client(sync_client=True) as client:
            self._retry_dead_runs(client, hook_s=0)  # no hook is running
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._runner.start()), name="runner", daemon=True
        )
        self._thread.start()
        while self._thread.is_alive() and not self._runner.started:
            time.sleep(POLL_INTERVAL_S)  # before, it could not be stopped

    def _add(self, deployment: RunnerDeployment) -> UUID:
        # Typed for synchronous and asynchronous callers.
        return cast("UUID", self._runner.add_deployment(deployment))

    def is_alive(self) -> bool:
        """False if the runner gave up, as it does when the server is away for long."""
        return self._thread.is_alive()

    def retry_dead_runs(self) -> None:
        """Make another attempt at each run whose process died. Raises httpx.HTTPError."""
        with _client_that_asks_once() as client:
            self._retry_dead_runs(client, HOOK_S)

    def _retry_dead_runs(self, client: SyncPrefectClient, hook_s: float) -> None:
        for run in retry_dead_runs(client, self.deployment_ids, hook_s):
            say(f"The process of {run.name} died; another attempt follows.")

    def stop(self) -> None:
        """End the runner and its runs, which go on when they are served again."""
        runs: list[FlowRun] = []
        with _saying_what_is_not_answered(), _client_that_asks_once() as client:
            runs = runs_under_way(client, self.deployment_ids)
        self._runner.execute_in_background(self._runner.astop)
        self._thread.join(STOP_TIMEOUT_S)
        with _saying_what_is_not_answered(), _client_that_asks_once() as client:
            for run in runs:
                schedule_attempt(client, run, "audiomill serve was stopped")


def listed_deployments(path: Path, entries: list[Any]) -> list[RunnerDeployment]:
    """The deployments that the entries of the file describe. Raises UsageError."""
    return [_deployment(entry, path) for entry in entries]


def check_entries(path: Path, entries: list[Any]) -> None:
    """Raise UsageError for what is wrong in the entries, as far as no flow is loaded.

    The module of a flow may ask Prefect's server for something while it is imported.
    """
    for entry in entries:
        _checked_schedules(entry, path)


def show_deployment(show: Path, schedule: DeploymentScheduleCreate) -> RunnerDeployment:
    """The deployment of a podcast, named as its file.

    A run that is due while one is under way waits for it, and makes up for all that wait
    (`podcast.py`). It is not cancelled: a slot that a dead process holds is free minutes later.
    """
    return RunnerDeployment.from_entrypoint(
        SHOW_ENTRYPOINT,
        name=show.stem,
        schedules=[schedule],
        parameters={"show": str(show.absolute())},
        concurrency_limit=ConcurrencyLimitConfig(
            limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE
        ),
    )


def show_schedule(cron: str, timezone: str | None) -> DeploymentScheduleCreate:
    """The schedule that the options of `audiomill serve` say. Raises UsageError."""
    try:
        return _schedule({"cron": cron, "timezone": timezone or get_localzone_name()})
    except ValidationError as error:
        raise UsageError(f"--cron {cron}: {error.errors()[0]['msg']}.") from error
    except (TypeError, ValueError) as error:
        zone = f", --timezone {timezone}" if timezone else ""
        raise UsageError(f"--cron {cron}{zone}: {f'{error}'.rstrip('.')}.") from error


def _deployment(entry: Any, path: Path) -> RunnerDeployment:
    """One deployment. Raises UsageError."""
    schedules = _checked_schedules(entry, path)
    name, entrypoint = str(entry["name"]), str(entry["entrypoint"])
    with _naming_faults(path, name):
        try:
            _check_parameters(entry)
            return RunnerDeployment.from_entrypoint(
                entrypoint,
                name=name,
                schedules=schedules,
                **{key: entry[key] for key in PASSED_ON if entry.get(key) is not None},
            )
        except (ScriptError, MissingFlowError, ModuleNotFoundError) as error:
            raise UsageError(f"{path}: {name}: {entrypoint} is no flow: {error}") from error


def _checked_schedules(entry: Any, path: Path) -> list[DeploymentScheduleCreate]:
    """The schedules of a deployment. Raises UsageError for what is wrong in it without its flow."""
    name = entry.get("name") if isinstance(entry, dict) else None
    if not name or not entry.get("entrypoint"):
        raise UsageError(f"{path}: each deployment needs a name and an entrypoint.")
    with _naming_faults(path, str(name)):
        _check_kinds(entry)
        single = [entry["schedule"]] if entry.get("schedule") else []
        return [_schedule(fields) for fields in entry.get("schedules") or single]


@contextmanager
def _naming_faults(path: Path, name: str) -> Generator[None]:
    """Name the deployment whose values the block finds wrong. Raises UsageError."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{path}: {name}: {where}: {first['msg']}.") from error
    except (TypeError, ValueError) as error:
        raise UsageError(f"{path}: {name}: {error}") from error


def _check_kinds(entry: dict[str, Any]) -> None:
    """Raise TypeError for a value of the wrong kind."""
    for key, kind in KINDS.items():
        if entry.get(key) is not None and not isinstance(entry[key], kind):
            raise TypeError(f"{key} must be a {'list' if kind is list else 'table'}")


def _check_parameters(entry: dict[str, Any]) -> None:
    """Raise ValueError for a parameter that the flow does not have."""
    flow: Flow[..., Any] = load_flow_from_entrypoint(str(entry["entrypoint"]))
    known = flow.parameters.properties
    for name in entry.get("parameters") or {}:
        if name not in known:
            raise ValueError(f"there is no parameter {name}.{did_you_mean(str(name), known)}")


def _schedule(fields: dict[str, Any]) -> DeploymentScheduleCreate:
    """A schedule from its fields. Raises TypeError or ValueError, as ValidationError is one."""
    if isinstance(seconds := fields.get("interval"), int | float):
        fields = fields | {"interval": timedelta(seconds=seconds)}
    return DeploymentScheduleCreate.from_schedule(Schedule(**fields))
