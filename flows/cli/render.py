"""`audiomill render`: books to audio, directly or as a Prefect flow run."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from audiomill.flows.cli.exit_codes import FORESEEN, exit_code, words
from audiomill.flows.cli.signals import stops_on_signals
from audiomill.flows.console import clock, put, put_json, say
from audiomill.flows.job import Job
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.report import Report
from audiomill.flows.pipeline.run_context import Interrupted, RunContext, ThreadExecutor
from audiomill.flows.prefect_server import prefect_api
from audiomill.flows.progress import terminal_progress
from audiomill.flows.settings import load_settings, prefect_api_url

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """One source to render: what the command line says of it, and the job that this makes."""

    asked: dict[str, Any]
    job: Job


SHOWN_WARNINGS = 5

# Renders one source.
Render = Callable[[RenderRequest, RunContext], Report]


def run(arguments: argparse.Namespace) -> int:
    """Render every source. One that fails does not keep the others from being rendered."""
    _log_to_stderr()
    settings = load_settings()
    # Whatever is wrong with the words is told before anything is started.
    orders = [
        RenderRequest(asked, make_job(settings, **asked))
        for asked in (_asked(arguments, source) for source in dict.fromkeys(arguments.sources))
    ]
    for warning in orders[0].job.warnings:
        say(f"Warning: {warning}")
    with stops_on_signals(RunContext()) as watch, _way(arguments, watch) as render:
        reports, code = _render_each(orders, render, watch)
    if reports:
        _put_results(reports, as_json=arguments.json)
    return code


def _log_to_stderr() -> None:
    """Our own warnings only."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("audiomill: %(message)s"))
    logging.getLogger("audiomill").addHandler(handler)
    logging.getLogger("audiomill").propagate = False


def _asked(arguments: argparse.Namespace, source: Path) -> dict[str, Any]:
    """What the command line says of one source, in the words of `make_job` and of the flow."""
    names = ("out", "engine", "voice", "speed", "formats", "chapters", "split", "store")
    return {"source": source} | {name: getattr(arguments, name) for name in names}


@contextmanager
def _way(arguments: argparse.Namespace, watch: RunContext) -> Generator[Render]:
    """How sources are rendered: as Prefect flow runs where an API is configured, else directly."""
    api_url = prefect_api_url()
    if arguments.prefect or (arguments.prefect is None and api_url is not None):
        with prefect_api(api_url, watch):
            yield lambda order, watch: _as_flow_run(order.asked, watch)
    else:
        with ThreadExecutor() as crew:
            yield lambda order, watch: run_pipeline(order.job, crew, watch)


def _as_flow_run(asked: dict[str, Any], watch: RunContext) -> Report:
    """Render as a run of the Prefect flow. Raises what the mill raises."""
    # Imported here: it takes seconds, and Prefect reads its environment at import.
    from audiomill.flows.audiobook import audiobook_flow

    parameters = asked | {
        "source": str(asked["source"]),
        "out": None if asked["out"] is None else str(asked["out"]),
        "engine": asked["engine"] or load_settings().engine,
    }
    flow = audiobook_flow(watch, stops_on_signals)
    state = cast("State[Report]", flow(**parameters, return_state=True))
    if state.is_cancelled():
        raise Interrupted
    return state.result()


def _render_each(
    orders: list[RenderRequest], render: Render, watch: RunContext
) -> tuple[list[Report], int]:
    """The reports of all sources that came out, and the first failure's exit code, or 0."""
    reports: list[Report] = []
    codes: list[int] = []
    for order in orders:
        try:
            with terminal_progress() as progress:
                report = render(order, watch.with_progress(progress))
            reports.append(report)
            _tell(report)
        except FORESEEN as error:
            if len(orders) == 1 or isinstance(error, Interrupted):
                raise
            say(f"audiomill: {words(error)}")
            codes.append(exit_code(error))
    return reports, next(iter(codes), 0)


def _tell(report: Report) -> None:
    """What came out, for a person."""
    news = [one for one in report.warnings if one not in report.job.warnings]
    for warning in news[:SHOWN_WARNINGS]:
        say(f"Warning: {warning}")
    if len(news) > SHOWN_WARNINGS:
        say(f"and {len(news) - SHOWN_WARNINGS} more warnings, in {report.path}")
    if report.work:
        pace = report.audio_s / max(report.wall_s, 1e-6)
        say(
            f"{report.title}: {clock(report.audio_s)} of audio in {report.wall_s:.1f} s"
            f" ({pace:,.0f}x real time); {_counted(report.rendered)} rendered,"
            f" {report.cached} from the store."
        )
    else:
        say(f"{report.title}: nothing has changed, nothing was rendered.")


def _counted(n_segments: int) -> str:
    return f"{n_segments} segment{'' if n_segments == 1 else 's'}"


def _put_results(reports: list[Report], *, as_json: bool) -> None:
    """The results on stdout: the files' paths, or the JSON object."""
    if as_json:
        put_json(merged([report.summary() for report in reports]))
        return
    for report in reports:
        for file in report.files:
            put(str(file.path))


def merged(summaries: list[dict[str, Any]]) -> dict[str, Any]:
    """One object in the same words for several books, each kept whole under `books`."""
    if len(summaries) == 1:
        return summaries[0]
    total: dict[str, Any] = {
        name: sum(summary[name] for summary in summaries)
        for name in ("audio_s", "wall_s", "segments", "rendered", "cached", "skipped")
    }
    total["realtime_factor"] = round(total["audio_s"] / max(total["wall_s"], 1e-6), 2)
    for name in ("files", "warnings"):
        total[name] = [one for summary in summaries for one in summary[name]]
    return total | {"report": "", "books": summaries}
