"""The pipeline as a Prefect flow: for deployments and schedules, and for `audiomill render`.

Its tasks are coarse: read, a window, a chapter, a recording. Prefect neither caches nor stores
results: the shard store and the library remember finished work, also after SIGKILL and without a
server.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ParamSpec, TypeVar, cast
from uuid import UUID

import httpx
from prefect import Flow, Task
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture, wait
from prefect.runtime import deployment
from prefect.states import Cancelled
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from audiomill.flows.job import UsageError
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.report import Report
from audiomill.flows.pipeline.run_context import N_THREADS, Interrupted, RunContext, Step
from audiomill.flows.progress import ProgressUpdate, ThrottledProgress
from audiomill.flows.settings import load_settings
from audiomill.renderers.host.threads import Future

P = ParamSpec("P")
T = TypeVar("T")

LOG = logging.getLogger("audiomill")
PROGRESS_KEY = "render-progress"
REPORT_KEY = "render-report"
# An update is a request to the server, of some 20 ms.
UPDATE_EVERY_S = 2.0


class PrefectExecutor:
    """Runs each stage as a task of the current flow run."""

    def __init__(self) -> None:
        self._futures: list[PrefectFuture[Any]] = []

    def submit(self, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Implement `Executor.submit`."""
        task: Task[..., T] = Task(
            stage,
            name=stage.__name__.replace("_", "-"),
            cache_policy=NO_CACHE,
            persist_result=False,
        )
        # Quoted, or Prefect would search every segment of the arguments for futures.
        future = task.submit(
            *(quote(value) for value in args),
            **{name: quote(value) for name, value in kwargs.items()},
        )
        self._futures.append(future)
        return future

    def wait_all(self) -> None:
        """Implement `Executor.wait_all`."""
        wait(self._futures)


def audiobook_flow(
    context: RunContext,
    guard: Callable[[RunContext], AbstractContextManager[RunContext]] = nullcontext,
) -> Flow[..., Report | State[Report]]:
    """The flow. It reports to `context`, and stops when that is stopped.

    `guard` is entered inside the flow run, for example to handle signals: when a flow run starts,
    Prefect replaces signal handlers that were installed before.
    """

    def render_audiobook(
        source: str,
        engine: str,
        out: str | None = None,
        voice: str | None = None,
        speed: float | None = None,
        formats: list[str] | None = None,
        chapters: str = "",
        split: bool = False,  # noqa: FBT001, FBT002  a parameter of the flow, always named
        store: str | None = None,
    ) -> Report | State[Report]:
        """Turn a book on disk into a chaptered audiobook. What is not given is as the settings say.

        A scheduled run must name its engine: it never falls back to another voice.
        """
        if engine == "auto" and deployment.id is not None:
            raise UsageError("A deployment must name its engine: espeak, …")
        job = make_job(
            load_settings(),
            source,
            out=out,
            engine=engine,
            voice=voice,
            speed=speed,
            formats=formats,
            chapters=chapters,
            split=split,
            store=store,
        )
        try:
            # Typed for synchronous and asynchronous flows; in a synchronous one it returns the id.
            artifact = cast("UUID", create_progress_artifact(0.0, PROGRESS_KEY, "reading"))
            progress = ThrottledProgress(
                lambda update: _show_progress(artifact, _fraction_of_run(update), str(update)),
                UPDATE_EVERY_S,
            )
            with guard(context.with_progress(progress)) as guarded:
                report = run_pipeline(job, PrefectExecutor(), guarded)
            _show_progress(artifact, 1.0, "done")
            _publish(report)
        except Interrupted:
            return Cancelled(message="Interrupted; what was finished is kept.")
        else:
            return report

    return Flow(
        render_audiobook,
        name="render-audiobook",
        task_runner=cast("TaskRunner[PrefectFuture[Any]]", ThreadPoolTaskRunner(N_THREADS)),
        persist_result=False,
    )


# The entry point of deployments: flows/audiobook.py:render_audiobook
render_audiobook = audiobook_flow(RunContext())


def _fraction_of_run(update: ProgressUpdate) -> float:
    """The finished fraction of the whole run, if each step takes equally long."""
    steps = tuple(Step)
    return (steps.index(update.step) + update.fraction) / len(steps)


def _show_progress(artifact: UUID, fraction: float, description: str) -> None:
    """Show the progress on the flow run's page. An unreachable server does not stop the run."""
    try:
        update_progress_artifact(artifact, 100 * fraction, description)
    except httpx.HTTPError as error:
        LOG.warning("Prefect's progress could not be updated: %s", error)


def _publish(report: Report) -> None:
    """Keep the report's summary as an artifact of the flow run."""
    summary = json.dumps(report.summary(), ensure_ascii=False, indent=1)
    create_markdown_artifact(f"```json\n{summary}\n```", key=REPORT_KEY, description=report.title)
