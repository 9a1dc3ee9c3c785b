"""`audiomill podcast`: writes a podcast's file to fill in, and makes its new episodes."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from audiomill.flows.cluster.choice import chosen_cluster, place_of_windows
from audiomill.flows.console import put, put_json, say
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.podcast.config.new_show import write_new_show
from audiomill.flows.progress import terminal_progress
from audiomill.flows.settings import load_settings


def run(arguments: argparse.Namespace) -> int:
    """Do what `arguments.action` names. Articles that failed are no error: they are shown."""
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
        place_of_windows(chosen_cluster(settings)) as place,
        ThreadExecutor() as threads,
        terminal_progress(place.workers) as progress_of,
        progress_of("") as progress,
    ):
        context = context.with_progress(progress)
        done = run_show(arguments.file, settings, place.executor(threads), context)
    for problem in done.problems:
        say(f"Warning: {problem}")
    for article in done.failed:
        say(f"Failed {article.attempts}x: {article.title}: {article.reason}")
    say(f"{len(done.made)} new or changed, {done.n_episodes} in the feed.")
    if arguments.json:
        put_json(asdict(done))
    else:
        put(done.feed)
    return 0
