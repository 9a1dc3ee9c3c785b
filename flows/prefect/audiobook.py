"""The pipeline as a Prefect flow: for deployments and schedules, and for `audiomill render`.

Prefect takes the parameters and what its form says of them from the flow's function: from its
signature, and from the section "Args" of its docstring. Both are made of `flows/options.py`.

Its tasks are coarse: read, a window, a chapter, a recording. Prefect neither caches nor stores
results: the shard store and the library remember finished work, also after SIGKILL and without a
server.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Unpack

from prefect import Flow
from prefect.client.schemas.objects import State
from prefect.runtime import deployment, flow_run
from pydantic import Field, WithJsonSchema

from audiomill.flows import options as declarations
from audiomill.flows.cluster.choice import RenderingPlace, chosen_place, place_of_windows
from audiomill.flows.engine_settings import LAST_CHOICE
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.run_context import BOOK_STEPS, CHECKED_BOOK_STEPS, RunContext
from audiomill.flows.job import Job
from audiomill.flows.make_job import job_options, make_job
from audiomill.flows.options import AUTO, Declared, RenderOptions, declared
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.report import Report
from audiomill.flows.prefect.flow_page import FlowPage, page_result
from audiomill.flows.prefect.flow_run import (
    Guard,
    PrefectExecutor,
    flow_of,
    or_failed_state,
    run_on_page,
)
from audiomill.flows.settings import load_settings

# What the form has for each type. A path is text there: it is one of the machine that renders.
_TYPES: Mapping[Any, Any] = {
    declarations.Text: str,
    declarations.Folder: str,
    declarations.Number: float,
    declarations.Whole: int,
    declarations.Switch: bool,
    declarations.YesNo: bool,
    declarations.Names: str,
    declarations.Values: dict[str, str | list[str]],
    str: str,
}
_DEFAULTS: Mapping[Any, Any] = {
    declarations.Whole: 0,
    declarations.Switch: False,
    str: "",
}
SOURCE = "The EPUB, Markdown, HTML or text file, as the machine that renders finds it."
RenderedState = Report | State[Report]
PURPOSE = """\
Turn a book on disk into a chaptered audiobook. What is left out is as the settings say.

A scheduled run must name its engine: it never falls back to another voice.
"""


def flow_signature(result: Any) -> inspect.Signature:
    """The parameters: the source and the engine, which each run names, and all other options."""
    options = [_parameter(name, one) for name, one in declared(RenderOptions).items()]
    source = inspect.Parameter("source", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=str)
    return inspect.Signature([source, *options], return_annotation=result)


def flow_docstring(summary: str) -> str:
    """The docstring of a flow with these parameters, in Google's style."""
    return "\n".join([summary, "", "Args:", *_described()])


def _described() -> Iterator[str]:
    yield f"    source: {SOURCE}"
    for name, one in declared(RenderOptions).items():
        yield f"    {name}: {one.option.sentence}"


def _parameter(name: str, one: Declared) -> inspect.Parameter:
    """An option as a parameter. The engine has no default: a scheduled run must not fall back."""
    chosen = list[_choice(one)] if one.type == declarations.Names else _choice(one)
    is_named = name == "engine"
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if is_named else _DEFAULTS.get(one.type),
        annotation=chosen if is_named or one.type in _DEFAULTS else chosen | None,
    )


def _choice(one: Declared) -> Any:
    """The type of a value, with the values to choose from and the bound, if it has any."""
    type_, choices = _TYPES[one.type], list(one.option.choices())
    if choices:
        return Annotated[type_, WithJsonSchema({"type": "string", "enum": choices})]
    if one.option.least is not None:
        return Annotated[type_, Field(ge=one.option.least)]
    return type_


def audiobook_flow(
    context: RunContext,
    guard: Guard = nullcontext,
    finished: Callable[[Report], None] = lambda _: None,
    place: RenderingPlace | None = None,
) -> Flow[..., RenderedState]:
    """The flow. It reports to `context`, and stops when that is stopped.

    `place` is where windows are rendered; None: where the settings and parameters say.

    `finished` gets the report when all files are made: a server that dies then may still fail the
    flow run.
    """

    def render_audiobook(source: str, **options: Unpack[RenderOptions]) -> RenderedState:
        def render() -> RenderedState:
            if options.get("engine") == AUTO and deployment.id is not None:
                raise UsageError(f"A deployment must name its engine: {LAST_CHOICE}, …")
            settings = load_settings()
            choice = None if place else chosen_place(settings, options)
            job = make_job(settings, source, **job_options(options))
            with nullcontext(place) if place else place_of_windows(choice) as chosen:
                return _run_job(job, chosen, context, guard, finished)

        return or_failed_state(render)

    render_audiobook.__doc__ = flow_docstring(PURPOSE)
    vars(render_audiobook)["__signature__"] = flow_signature(RenderedState)
    return flow_of(render_audiobook, "render-audiobook", _run_name)


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


# The entry point of deployments: audiomill.flows.prefect.audiobook.render_audiobook
render_audiobook = audiobook_flow(RunContext())
