"""A podcast's run as a Prefect flow, for deployments and schedules."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect import Flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Cancelled, Completed

from audiomill.flows.cluster.choice import chosen_place, place_of_windows
from audiomill.flows.console import say
from audiomill.flows.execution.run_context import PODCAST_STEPS, RunContext
from audiomill.flows.file_lock import Busy
from audiomill.flows.podcast.run import ShowRun, run_show
from audiomill.flows.podcast.show_file import title_in
from audiomill.flows.prefect.flow_page import FlowPage, PageResult, escaped_markdown
from audiomill.flows.prefect.flow_run import (
    Guard,
    PrefectExecutor,
    flow_of,
    or_failed_state,
    run_on_page,
)
from audiomill.flows.prefect.missed_runs import LEFT_OUT, leave_out_missed
from audiomill.flows.settings import load_settings
from audiomill.outputs.text import counted

# The state of a run that has left out articles or sources, which are tried again next time.
INCOMPLETE = "Incomplete"


def podcast_flow(context: RunContext, guard: Guard = nullcontext) -> Flow[..., State[Any]]:
    """The flow. It reports to `context`, and stops when that is stopped."""

    def article_podcast(show: str) -> State[Any]:
        """Make the new episodes of a podcast of articles, and its feed.

        Args:
            show: The podcast's file, which audiomill podcast init writes, as the machine that
                renders finds it.

        """

        def run(guarded: RunContext, page: FlowPage) -> State[Any]:
            leave_out_missed(UUID(flow_run.id))
            settings = load_settings()
            try:
                with place_of_windows(chosen_place(settings)) as place:
                    page.workers = place.workers
                    executor = place.executor(PrefectExecutor())
                    done = run_show(Path(show), settings, executor, guarded)
            except Busy as busy:  # the other run makes what this one would
                return Cancelled(name=LEFT_OUT, message=f"Left out: {busy}")
            for line in done.failure_lines():
                say(line)  # for the log of `audiomill serve`
            page.finish(_page_result(done))
            return _last_state(done)

        return or_failed_state(run_on_page, run, PODCAST_STEPS, context, guard)

    return flow_of(article_podcast, "article-podcast", _run_name)


def _last_state(done: ShowRun) -> State[Any]:
    """The state that lists of runs show, and that notifications are sent by."""
    is_whole = not (done.unmade_articles or done.unread_sources)
    return Completed(name="Completed" if is_whole else INCOMPLETE, message=summary(done))


def summary(done: ShowRun) -> str:
    """The run in one line, for example “3 new episodes, 1 article failed.”."""
    new = counted(len(done.made), "new or changed episode") if done.made else "Nothing new"
    n_unmade, n_unread = len(done.unmade_articles), len(done.unread_sources)
    failed = f"{counted(n_unmade, 'article')} failed" if n_unmade else ""
    away = f"{counted(n_unread, 'problem')} of sources" if n_unread else ""
    return ", ".join(filter(None, (new, failed, away))) + "."


def _page_result(done: ShowRun) -> PageResult:
    failed = [f"{one.title}: {one.reason} ({one.attempts}x)" for one in done.unmade_articles]
    lines = [
        f"# {escaped_markdown(done.title)}",
        f"{done.n_episodes} episodes: [the show]({done.address}), [its feed]({done.feed_url})",
        "## New or changed",
        "\n".join(map(_episode_line, done.made, done.pages)) or "Nothing was new.",
    ]
    sections = (("Failed", failed), ("Sources", done.unread_sources), ("Warnings", done.warnings))
    for heading, entries in sections:
        if entries:
            lines += [f"## {heading}", "\n".join(f"- {escaped_markdown(one)}" for one in entries)]
    warnings = [*failed, *done.unread_sources, *done.warnings]
    return PageResult(done.title, done.made, warnings, "\n\n".join(lines) + "\n")


def _episode_line(title: str, page: str) -> str:
    return f"- [{escaped_markdown(title)}]({page})"


def _run_name() -> str:
    """The title of the podcast, or else the name of its file, for the name of its flow run."""
    path = Path(str(flow_run.parameters["show"]))
    return title_in(path) or path.stem


# The entry point of deployments: audiomill.flows.prefect.podcast.article_podcast
article_podcast = podcast_flow(RunContext())
