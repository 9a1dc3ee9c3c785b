"""The mill as a Prefect flow: for deployments and schedules, and for `audiomill render`.

Coarse tasks (read, a window, a chapter, a file), no Prefect caching or result storage: what is done
is remembered by the shard store and the library, which hold after SIGKILL and without a server.
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
from audiomill.flows.progress import ProgressUpdate, Throttled
from audiomill.flows.settings import load_settings
from audiomill.renderers.host.threads import Future

P = ParamSpec("P")
T = TypeVar("T")

LOG = logging.getLogger("audiomill")
PROGRESS_KEY = "render-progress"
REPORT_KEY = "render-report"
# An update is a request of some 20 ms to the server.
UPDATE_EVERY_S = 2.0


class PrefectExecutor:
    """Each stage is a task of the flow run that is under way."""

    def __init__(self) -> None:
        self._futures: list[PrefectFuture[Any]] = []

    def submit(self, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor`."""
        run: Task[..., T] = Task(
            stage,
            name=stage.__name__.replace("_", "-"),
            cache_policy=NO_CACHE,
            persist_result=False,
        )
        # Quoted, or Prefect would walk through every segment in search of futures.
        future = run.submit(
            *(quote(value) for value in args),
            **{name: quote(value) for name, value in kwargs.items()},
        )
        self._futures.append(future)
        return future

    def wait_all(self) -> None:
        """See `Executor`."""
        wait(self._futures)


def audiobook_flow(
    watch: RunContext,
    guard: Callable[[RunContext], AbstractContextManager[RunContext]] = nullcontext,
) -> Flow[..., Report | State[Report]]:
    """The flow, reporting to `watch` and stopping when it says so.

    `guard` is entered inside the flow run, whose start takes signals away from who had them.
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
            # Typed for both worlds, but in a synchronous flow it returns the id itself.
            shown = cast("UUID", create_progress_artifact(0.0, PROGRESS_KEY, "reading"))
            tell = Throttled(lambda sight: _show(shown, _done(sight), str(sight)), UPDATE_EVERY_S)
            with guard(watch.with_progress(tell)) as guarded:
                report = run_pipeline(job, PrefectExecutor(), guarded)
            _show(shown, 1.0, "done")
            return _published(report)
        except Interrupted:
            return Cancelled(message="Interrupted; what was finished is kept.")

    return Flow(
        render_audiobook,
        name="render-audiobook",
        task_runner=cast("TaskRunner[PrefectFuture[Any]]", ThreadPoolTaskRunner(N_THREADS)),
        persist_result=False,
    )


# What deployments name: flows/audiobook.py:render_audiobook
render_audiobook = audiobook_flow(RunContext())


def _done(sight: ProgressUpdate) -> float:
    """How much of the whole run is done, each step counting the same."""
    steps = tuple(Step)
    return (steps.index(sight.step) + sight.fraction) / len(steps)


def _show(artifact: UUID, done: float, words: str) -> None:
    """The flow run's page says how far it is."""
    try:
        update_progress_artifact(artifact, 100 * done, words)
    except httpx.HTTPError as error:
        LOG.warning("Prefect's progress could not be updated: %s", error)


def _published(report: Report) -> Report:
    """`report`, with its summary kept as an artifact of the flow run."""
    summary = json.dumps(report.summary(), ensure_ascii=False, indent=1)
    create_markdown_artifact(f"```json\n{summary}\n```", key=REPORT_KEY, description=report.title)
    return report
