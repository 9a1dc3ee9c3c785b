"""`audiomill render`: turns books into audio, directly or as Prefect flow runs."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from audiomill.flows.cli.exit_codes import Failure, exit_code_of, failures_of, results_of, try_each
from audiomill.flows.cluster.choice import RenderingPlace, chosen_place, place_of_windows
from audiomill.flows.console import format_duration, put, put_json, say, silence_dask
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.progress import terminal_progress
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.job import Job
from audiomill.flows.make_job import job_options, make_job
from audiomill.flows.option_values import options_of
from audiomill.flows.options import JobOptions, RenderOptions
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.report import Report
from audiomill.flows.prefect.unreported_runs import UnreportedRuns
from audiomill.flows.prefect_server.api import prefect_api
from audiomill.flows.prefect_server.settings import prefect_api_url
from audiomill.flows.settings import load_settings
from audiomill.outputs.text import counted

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

MAX_WARNINGS = 5  # printed for each book; the report has all of them


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """One source to render, the options, and the job that they make."""

    source: Path | str
    options: JobOptions
    job: Job


# Renders one source.
Render = Callable[[RenderRequest, RunContext], Report]


def run(arguments: argparse.Namespace) -> int:
    """Render every source. One that fails does not stop the others."""
    with _warnings_on_stderr():
        return _render_all(arguments)


def _render_all(arguments: argparse.Namespace) -> int:
    settings = load_settings()
    # All jobs are made before the first one starts, so that wrong usage is reported at once.
    options = cast("RenderOptions", options_of(arguments, RenderOptions))
    for_job = job_options(options)
    requests = {
        source: RenderRequest(source, for_job, make_job(settings, source, **for_job))
        for source in arguments.sources
    }
    choice = chosen_place(settings, options)
    for warning in next(iter(requests.values())).job.warnings:
        say(f"Warning: {warning}")
    # One book renders elsewhere while others are read, measured and encoded here.
    n_at_once = min(choice.books_at_once if choice else 1, len(requests))
    unreported = UnreportedRuns()
    with (
        stop_on_signals(RunContext(), last_word=unreported.cancel) as context,
        place_of_windows(choice) as place,
        _render_function(context, place, unreported, use_prefect=arguments.prefect) as render,
        terminal_progress(place.workers, n_at_once) as progress_of,
    ):
        silence_dask()

        def rendered(source: Path | str) -> Report:
            name = Path(str(source)).stem if n_at_once > 1 else ""
            with progress_of(name) as progress:
                report = render(requests[source], context.with_progress(progress))
            _say_outcome(report)
            return report

        outcomes = try_each(tuple(requests), rendered, n_at_once)
    _put_results(outcomes, as_json=arguments.json)
    return exit_code_of(outcomes)


@contextmanager
def _warnings_on_stderr() -> Generator[None]:
    """Print audiomill's own warnings, and no library's."""
    log, handler = logging.getLogger("audiomill"), logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("audiomill: %(message)s"))
    log.addHandler(handler)
    propagated, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = propagated


@contextmanager
def _render_function(
    context: RunContext,
    place: RenderingPlace,
    unreported: UnreportedRuns,
    *,
    use_prefect: bool | None,
) -> Generator[Render]:
    """A function that renders: as a flow run if `use_prefect`, else directly.

    None stands for Prefect if an API is configured.
    """
    api_url = prefect_api_url()
    if use_prefect or (use_prefect is None and api_url is not None):
        with prefect_api(api_url, context):
            yield partial(_render_as_flow_run, place, unreported)
    else:
        with ThreadExecutor() as threads:
            yield partial(_render_directly, place, threads)


def _render_directly(
    place: RenderingPlace, threads: ThreadExecutor, request: RenderRequest, context: RunContext
) -> Report:
    executor = place.executor(threads.for_one_book())
    return run_pipeline(request.job, executor, context)


def _render_as_flow_run(
    place: RenderingPlace,
    unreported: UnreportedRuns,
    request: RenderRequest,
    context: RunContext,
) -> Report:
    """Render in a run of the Prefect flow, and without it if its server is lost in mid-run.

    Raises what `run_pipeline` raises.
    """
    # Imported here: it takes seconds, and Prefect reads its environment when it is imported.
    import httpx
    from prefect import tags

    from audiomill.flows.prefect.audiobook import audiobook_flow
    from audiomill.flows.prefect.flow_page import leave_lost_prefect

    parameters = _flow_parameters(request)
    finished: list[Report] = []

    def keep(report: Report) -> None:
        finished.append(report)
        leave_lost_prefect()

    flow = audiobook_flow(context, unreported.guard, keep, place)
    try:
        with tags("audiomill", str(parameters["engine"])):
            state = cast("State[Report]", flow(**parameters, return_state=True))
            unreported.forget(state.state_details.flow_run_id)
        if state.is_cancelled():
            raise Interrupted
        return state.result()  # raises what kept a run from reporting its end
    except httpx.HTTPError:
        say("Warning: Prefect's server does not answer any more. The book is finished without it.")
        if finished:
            return finished[0]
        with ThreadExecutor() as threads:
            return _render_directly(place, threads, request, context)


def _flow_parameters(request: RenderRequest) -> dict[str, object]:
    return {
        "source": str(request.source),
        **{name: _as_parameter(value) for name, value in request.options.items()},
        "engine": request.options.get("engine") or load_settings().engine,
    }


def _as_parameter(value: object) -> object:
    """The value of an option in a flow run, whose parameters are kept as JSON."""
    return str(value) if isinstance(value, Path) else value


def _say_outcome(report: Report) -> None:
    """Print the book's warnings and a summary to stderr."""
    warnings = [warning for warning in report.warnings if warning not in report.job.warnings]
    for warning in warnings[:MAX_WARNINGS]:
        say(f"Warning: {warning}")
    if len(warnings) > MAX_WARNINGS:
        say(f"and {len(warnings) - MAX_WARNINGS} more warnings, in {report.path}")
    if report.result:
        pace = f" ({report.audio_s / max(report.wall_s, 1e-6):,.0f}x real time)"
        segments = counted(report.rendered, "segment")
        say(
            f"{report.title}: {format_duration(report.audio_s)} of audio in {report.wall_s:.1f} s"
            f"{'' if report.cached else pace}; {segments} rendered{_extra(report.extra_takes)},"
            f" {report.cached} from the store."
        )
    elif report.retagged:
        say(
            f"{report.title}: {counted(len(report.retagged), 'file')} retagged in"
            f" {report.wall_s:.1f} s; nothing was rendered or encoded."
        )
    else:
        say(f"{report.title}: nothing has changed, nothing was rendered.")
    for note in report.notes:
        say(note)
    say(f"Report with players: {report.page_path}")


def _extra(n_takes: int) -> str:
    """How often a segment was rendered once more; "" for never."""
    return f" with {counted(n_takes, 'extra take')}" if n_takes else ""


def _put_results(outcomes: Sequence[Report | Failure], *, as_json: bool) -> None:
    """Print the result to stdout: the files' paths, or the JSON object."""
    reports = results_of(outcomes)
    if as_json:
        summaries = [report.summary() for report in reports]
        errors = [asdict(one) for one in failures_of(outcomes)]
        put_json(summaries[0] if len(outcomes) == 1 else _combined_summary(summaries, errors))
        return
    for report in reports:
        for file in (*report.files, *report.samples):
            put(str(file.path))


def _combined_summary(
    summaries: list[dict[str, Any]], errors: list[dict[str, Any]]
) -> dict[str, Any]:
    """One summary of several sources, with the same keys, all summaries in `books`, and errors."""
    total: dict[str, Any] = {
        name: sum(summary[name] for summary in summaries)
        for name in ("audio_s", "wall_s", "segments", "rendered", "cached", "repeated", "skipped")
    }
    total["realtime_factor"] = round(total["audio_s"] / max(total["wall_s"], 1e-6), 2)
    for name in ("files", "samples", "lists", "retagged", "warnings", "notes", "other_files"):
        total[name] = [entry for summary in summaries for entry in summary[name]]
    return total | {"report": "", "page": "", "books": summaries, "errors": errors}
