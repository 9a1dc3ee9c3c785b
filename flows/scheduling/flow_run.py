"""What all flows share: stages as tasks, a page that shows how it goes, and stopping in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast
from uuid import UUID

from prefect import Task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture, wait
from prefect.runtime import deployment, flow_run
from prefect.states import Cancelled
from prefect.utilities.annotations import quote

from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import Interrupted, RunContext, Step
from audiomill.flows.flow_page import FlowPage
from audiomill.flows.scheduling.attempts import begin_attempt
from audiomill.flows.scheduling.failed_states import or_failed_state
from audiomill.flows.scheduling.leaving import leave_unreported
from audiomill.flows.scheduling.unreported_runs import INTERRUPTED_RUN
from audiomill.renderers.host.threads import Future

# A served run tells its end to the server anyway, and tries that for minutes.
SERVER_RETURNS_WITHIN_S = 120.0
P = ParamSpec("P")
T = TypeVar("T")
# Is entered inside the flow run, for example to handle signals: when a flow run starts, Prefect
# replaces signal handlers that were installed before.
Guard: TypeAlias = Callable[[RunContext], AbstractContextManager[RunContext]]


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
