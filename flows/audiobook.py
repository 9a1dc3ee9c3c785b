"""The pipeline as a Prefect flow: for deployments and schedules, and for `audiomill render`.

Its tasks are coarse: read, a window, a chapter, a recording. Prefect neither caches nor stores
results: the shard store and the library remember finished work, also after SIGKILL and without a
server.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, cast

from prefect import Flow
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture
from prefect.runtime import deployment, flow_run
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner
from pydantic import WithJsonSchema

from audiomill.flows.cluster.choice import (
    ExecutorName,
    RenderingPlace,
    chosen_cluster,
    place_of_windows,
)
from audiomill.flows.execution.executor import N_THREADS
from audiomill.flows.execution.run_context import BOOK_STEPS, CHECKED_BOOK_STEPS, RunContext
from audiomill.flows.flow_page import FlowPage, page_result
from audiomill.flows.job import Job, UsageError
from audiomill.flows.make_job import AUTO, make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.reporting.report import Report
from audiomill.flows.scheduling.attempts import retry_crashed
from audiomill.flows.scheduling.failed_states import or_failed_state
from audiomill.flows.scheduling.flow_run import Guard, PrefectExecutor, run_on_page
from audiomill.flows.scheduling.leaving import leave_after_report
from audiomill.flows.settings import load_settings
from audiomill.inputs.choices.reading import PRESETS
from audiomill.outputs.delivery.profiles import PROFILES
from audiomill.outputs.formats.beside_audio import TRANSCRIPTS
from audiomill.outputs.formats.registry import FORMATS
from audiomill.renderers.registry import engine_names

# Prefect's pages offer these as choices.
Engine = Annotated[str, WithJsonSchema({"type": "string", "enum": [AUTO, *engine_names()]})]
ProfileName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(PROFILES)})]
Format = Annotated[str, WithJsonSchema({"type": "string", "enum": list(FORMATS)})]
Transcript = Annotated[str, WithJsonSchema({"type": "string", "enum": list(TRANSCRIPTS)})]
Preset = Annotated[str, WithJsonSchema({"type": "string", "enum": list(PRESETS)})]


def audiobook_flow(
    context: RunContext,
    guard: Guard = nullcontext,
    finished: Callable[[Report], None] = lambda _: None,
    place: RenderingPlace | None = None,
) -> Flow[..., Report | State[Report]]:
    """The flow. It reports to `context`, and stops when that is stopped.

    `place` is where windows are rendered; None: where the settings and parameters say.

    `finished` gets the report when all files are made: a server that dies then may still fail the
    flow run.
    """

    def render_audiobook(
        source: str,
        engine: Engine,
        out: str | None = None,
        voice: str | None = None,
        speed: float | None = None,
        profile: ProfileName | None = None,
        formats: list[Format] | None = None,
        chapters: str = "",
        read: Preset | None = None,
        split: bool | None = None,  # noqa: FBT001  a parameter of the flow, always named
        store: str | None = None,
        credits: bool | None = None,  # noqa: A002, FBT001  a parameter of the flow, always named
        cast: str | None = None,
        transcripts: list[Transcript] | None = None,
        executor: ExecutorName | None = None,
        priority: int = 0,
        budget: float | None = None,
        plot: bool = False,  # noqa: FBT001, FBT002  a parameter of the flow, always named
        check_speech: bool | None = None,  # noqa: FBT001  a parameter of the flow, always named
        metadata: dict[str, str | list[str]] | None = None,
    ) -> Report | State[Report]:
        """Turn a book on disk into a chaptered audiobook. What is not given is as the settings say.

        A scheduled run must name its engine: it never falls back to another voice.

        Args:
            source: The EPUB, Markdown, HTML or text file, as the machine that renders finds it.
            engine: What speaks.
            out: The folder for finished audio.
            voice: A name that `audiomill voices` lists. The book's language chooses, if not given.
            speed: 1 is the voice's own pace, 1.2 is a fifth faster.
            profile: What the files are made for. It decides what nothing else does.
            formats: The files to make.
            chapters: Some chapters only, for example 1-3,7.
            read: What of the book is read: essential or everything.
            split: One file for each chapter.
            store: Where rendered segments are kept: a folder, or a URL such as s3://bucket/shards.
            credits: Title, author and narrator are said before and after the book. If not given,
                those of an EPUB are.
            cast: The casting file. The one beside the book, if not given.
            transcripts: Files of the text with its times, beside the audio.
            executor: threads of the machine that runs this, or dask: the workers of the cluster
                that the setting dask_scheduler names.
            priority: On a cluster, books of a higher one go first.
            budget: The most that a paid service may cost, in the currency of its price.
            plot: A picture of each recording: waveform, loudness and chapters.
            check_speech: All speech is checked by recognition: what it does not say is rendered
                again, or reported.
            metadata: What is right where the source is wrong, for example {"title": "The Mill"}.

        """

        def render() -> Report | State[Report]:
            if engine == AUTO and deployment.id is not None:
                raise UsageError("A deployment must name its engine: espeak, …")
            settings = load_settings()
            cluster = None if place else chosen_cluster(settings, executor, priority)
            job = make_job(
                settings,
                source,
                out=out,
                engine=engine,
                voice=voice,
                speed=speed,
                profile=profile,
                formats=formats,
                chapters=chapters,
                read=read,
                split=split,
                store=store,
                credits=credits,
                cast=cast,
                transcripts=transcripts,
                budget=budget,
                plot=plot,
                check_speech=check_speech,
                metadata=metadata,
            )
            with nullcontext(place) if place else place_of_windows(cluster) as chosen:
                return _run_job(job, chosen, context, guard, finished)

        return or_failed_state(render)

    return Flow(
        render_audiobook,
        name="render-audiobook",
        flow_run_name=_run_name,
        task_runner=cast("TaskRunner[PrefectFuture[Any]]", ThreadPoolTaskRunner(N_THREADS)),
        persist_result=False,
        on_completion=[leave_after_report],
        on_failure=[leave_after_report],
        on_crashed=[retry_crashed],
    )


def _run_job(
    job: Job,
    place: RenderingPlace,
    context: RunContext,
    guard: Guard,
    finished: Callable[[Report], None],
) -> Report | State[Report]:
    """Run the pipeline in the current flow run, and show on its page how it goes."""

    def run(guarded: RunContext, page: FlowPage) -> Report:
        page.workers = place.workers
        report = run_pipeline(job, place.executor(PrefectExecutor()), guarded)
        finished(report)
        page.finish(page_result(report))
        return report

    steps = CHECKED_BOOK_STEPS if job.check_speech else BOOK_STEPS
    return run_on_page(run, steps, context, guard)


def _run_name() -> str:
    """The name of the book's file, for the name of its flow run until its title is known."""
    return Path(str(flow_run.parameters["source"])).stem


# The entry point of deployments: audiomill.flows.audiobook.render_audiobook
render_audiobook = audiobook_flow(RunContext())
