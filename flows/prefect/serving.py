"""Runs deployments of `prefect.yaml` when they are due, on this machine, one run at a time.

Prefect's runner does the work. What it lacks is done here: a runner that gave up is replaced, and
runs whose process died, with the runner before or by themselves, get another attempt.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import cast
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import FlowRun
from prefect.deployments.runner import RunnerDeployment
from prefect.runner import Runner
from prefect.settings import (
    PREFECT_API_REQUEST_TIMEOUT,
    PREFECT_CLIENT_MAX_RETRIES,
    temporary_settings,
)

from audiomill.flows.console import say
from audiomill.flows.prefect.attempts import (
    HOOK_S,
    ended_runs,
    retry_dead_runs,
    runs_under_way,
    schedule_attempt,
)
from audiomill.flows.prefect_server.api import PrefectUnreachable
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
