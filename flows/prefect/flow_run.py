"""Parts that all flows share: stages as tasks, a page that shows how it goes, and how a run ends.

A book that is no book is no fault of ours. Prefect shows the traceback of whatever a flow or a
task raises, so expected errors are not raised there but are the data of a failed state.

Before the process of a scheduled run ends, Prefect sends the events and logs that it still has.
Without a server it tries that for minutes with each of them (`outlast_prefect_outages`), for hours
in all. So the process is ended in bounded time:

    the work is done ─▶ Prefect reports the end of the run ─▶ it sends the rest ─▶ the process ends
           └─ REPORT_S at most, then the run counts as dead ─┘└─ SEND_S at most ─┘
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast
from uuid import UUID

from prefect import Flow, Task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import FlowRun, State
from prefect.futures import PrefectFuture, wait
from prefect.runtime import deployment, flow_run
from prefect.states import Cancelled, Failed
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import N_THREADS, Executor, ExecutorError
from audiomill.flows.execution.run_context import Interrupted, RunContext, Step
from audiomill.flows.prefect.attempts import begin_attempt, forget_attempt, retry_crashed
from audiomill.flows.prefect.flow_page import FlowPage
from audiomill.flows.prefect.unreported_runs import INTERRUPTED_RUN
from audiomill.flows.prefect_server.settings import run_of_this_process
from audiomill.inputs.model.book import SourceError
from audiomill.outputs.types import OutputError
from audiomill.renderers.engine.errors import RenderError, StoreError
from audiomill.renderers.host.threads import Future

# A served run tells its end to the server anyway, and tries that for minutes.
SERVER_RETURNS_WITHIN_S = 120.0
P = ParamSpec("P")
T = TypeVar("T")
# Is entered inside the flow run, for example to handle signals: when a flow run starts, Prefect
# replaces signal handlers that were installed before.
Guard: TypeAlias = Callable[[RunContext], AbstractContextManager[RunContext]]

# The first match counts. Notifications are sent by these names (docs/schedules.md).
FAILED_NAMES: tuple[tuple[type[Exception], str], ...] = (
    (UsageError, "Wrong usage"),
    (SourceError, "Unreadable"),
    (RenderError, "Not rendered"),
    (ExecutorError, "Not rendered"),
    (StoreError, "Not written"),
    (OutputError, "Not written"),
)
_EXPECTED = tuple(kind for kind, _ in FAILED_NAMES)
SEND_S = 60.0
REPORT_S = 900.0  # longer than Prefect tries to report an end
FAILED = 1


class PrefectExecutor(Executor):
    """Runs each stage as a task of the current flow run."""

    def __init__(self, name: str = "") -> None:
        """The names of tasks begin with `name`, if there is one."""
        self._name = name
        self._futures: list[PrefectFuture[Any]] = []

    def submit(
        self, title: str, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Implement `Executor.submit`."""
        title = f"{self._name}: {title}" if self._name else title
        task: Task[..., T | State[Any]] = Task(
            partial(or_failed_state, stage),
            name=stage.__name__.replace("_", "-"),
            task_run_name=lambda: title,  # not the title itself: its braces would be filled in
            cache_policy=NO_CACHE,
            persist_result=False,
        )
        # Quoted, or Prefect would search every segment of the arguments for futures.
        future = task.submit(
            *(quote(value) for value in args),
            **{name: quote(value) for name, value in kwargs.items()},
        )
        self._futures.append(future)
        return cast("Future[T]", future)  # a future of a failed state raises

    def of(self, name: str) -> PrefectExecutor:
        """Implement `Executor.of`."""
        return PrefectExecutor(name)

    def wait_all(self) -> None:
        """Implement `Executor.wait_all`."""
        wait(self._futures)


def flow_of(work: Callable[P, T], name: str, run_name: Callable[[], str]) -> Flow[P, T]:
    """A flow whose process ends in bounded time, and whose crashed runs are tried again."""
    return Flow(
        work,
        name=name,
        flow_run_name=run_name,
        task_runner=cast("TaskRunner[PrefectFuture[Any]]", ThreadPoolTaskRunner(N_THREADS)),
        persist_result=False,
        on_completion=[leave_after_report],
        on_failure=[leave_after_report],
        on_crashed=[retry_crashed],
    )


def run_on_page(
    work: Callable[[RunContext, FlowPage], T],
    steps: Sequence[Step],
    context: RunContext,
    guard: Guard,
) -> T | State[T]:
    """Do the work of the current flow run, whose page shows how its steps go.

    Returns what it returns, or Prefect's state of a run that was interrupted.
    """
    is_served = deployment.id is not None
    if is_served:
        begin_attempt(UUID(flow_run.id))
    try:
        with (
            FlowPage(steps, SERVER_RETURNS_WITHIN_S if is_served else 0.0) as page,
            guard(context.with_progress(page.progress())) as guarded,
        ):
            return work(guarded, page)
    except Interrupted:
        return Cancelled(message=INTERRUPTED_RUN)
    finally:
        if is_served:
            leave_unreported(UUID(flow_run.id))


def or_failed_state(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | State[Any]:
    """The result of `work`, or the state of a run that failed with an expected error.

    Whoever asks for the result of that state gets the error itself.
    """
    try:
        return work(*args, **kwargs)
    except _EXPECTED as error:
        name = next(name for kind, name in FAILED_NAMES if isinstance(error, kind))
        return Failed(name=name, message=str(error), data=error)


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
