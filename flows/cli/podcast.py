"""`audiomill podcast`: writes a podcast's file to fill in, and makes its new episodes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from audiomill.flows.cli.exit_codes import Failure, exit_code_of, failure
from audiomill.flows.cluster.choice import chosen_place, place_of_windows
from audiomill.flows.console import put, put_json, say
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.progress import terminal_progress
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.podcast.show_template import write_new_show
from audiomill.flows.settings import load_settings

if TYPE_CHECKING:
    from audiomill.flows.podcast.run import ShowRun

MAX_WARNINGS = 20  # lines of them
_JSON_KEYS = {"unmade_articles": "failed", "unread_sources": "problems"}


def run(arguments: argparse.Namespace) -> int:
    """Do what `arguments.action` names.

    The exit code is that of the first failure of the run. What is given up after several runs fails
    no more, though it is shown.
    """
    if arguments.action == "init":
        write_new_show(arguments.file)
        say(f"Wrote {arguments.file}. Fill it in; then: audiomill podcast run {arguments.file}")
        return 0
    return _run_show(arguments)


def _run_show(arguments: argparse.Namespace) -> int:
    from audiomill.flows.podcast.run import run_show  # which takes a while to import

    settings = load_settings()
    with (
        stop_on_signals(RunContext()) as context,
        place_of_windows(chosen_place(settings)) as place,
        ThreadExecutor() as threads,
        terminal_progress(place.workers) as progress_of,
        progress_of("") as progress,
    ):
        context = context.with_progress(progress)
        done = run_show(arguments.file, settings, place.executor(threads), context)
    for warning in done.warnings[:MAX_WARNINGS]:
        say(f"Warning: {warning}")
    if len(done.warnings) > MAX_WARNINGS:
        say(f"and {len(done.warnings) - MAX_WARNINGS} more warnings; --json has all.")
    for line in done.failure_lines():
        say(line)
    engines = f" Read by {', '.join(done.engines)}." if done.made else ""
    say(f"{len(done.made)} new or changed, {done.n_episodes} in the feed.{engines}")
    failures = [failure(one.error, one.source) for one in done.errors]
    if arguments.json:
        put_json(_summary(done, failures))
    else:
        put(done.feed)
    return exit_code_of(failures)


def _summary(done: ShowRun, failures: Sequence[Failure]) -> dict[str, Any]:
    """The run as `--json` prints it. Scripts rely on the names."""
    summary = asdict(replace(done, errors=()))
    renamed = {_JSON_KEYS.get(name, name): value for name, value in summary.items()}
    return renamed | {"errors": [asdict(one) for one in failures]}
