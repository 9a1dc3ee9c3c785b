"""`audiomill serve`: runs a podcast, or what prefect.yaml lists, on its schedule until stopped.

Where no Prefect API is configured, it brings a server, whose pages show every run.
"""

from __future__ import annotations

import argparse

from audiomill.flows.cli.signals import stop_on_signals
from audiomill.flows.console import say
from audiomill.flows.file_lock import held_alone
from audiomill.flows.job import UsageError
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.flows.podcast.show_file import read_show
from audiomill.flows.prefect_server import lasting_prefect_api
from audiomill.flows.prefect_settings import outlast_prefect_outages, prefect_api_url
from audiomill.flows.settings import cache_folder

# The processes of runs are given some seconds to report their end.
GRACE_S = 60.0
ALREADY_RUNNING = "audiomill serve is already running. Stop that one first."


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM, which is not an error."""
    _check(arguments)
    outlast_prefect_outages()
    with (
        # Another one of this user would render the same.
        held_alone(cache_folder() / "serve.lock", ALREADY_RUNNING),
        stop_on_signals(RunContext(), GRACE_S) as context,
        lasting_prefect_api(prefect_api_url(), arguments.port, context) as url,
    ):
        # Imported here: Prefect reads its environment when it is imported, for seconds.
        from audiomill.flows.scheduling.deployments import read_deployments, show_deployment
        from audiomill.flows.scheduling.serving import serve

        if arguments.show:
            deployments = [show_deployment(arguments.show, arguments.cron, arguments.timezone)]
        else:
            deployments = read_deployments(arguments.file)
        serve(deployments, context.stop, lambda names: _announce(url, names))
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Raise UsageError for what cannot be served, before anything slow begins."""
    if arguments.show:
        if not arguments.cron:
            raise UsageError(
                'Say when the podcast is made, for example --cron "0 6 * * *". To make it now:'
                f" audiomill podcast run {arguments.show}"
            )
        read_show(arguments.show)
    elif arguments.cron or arguments.timezone:
        raise UsageError("--cron and --timezone need a podcast's file; prefect.yaml has its own.")
    elif not arguments.file.is_file():
        raise UsageError(
            f"{arguments.file} is not here. It lists what to render, and when: README.md shows one."
        )


def _announce(url: str, names: list[str]) -> None:
    """Say where the pages are, and how to start a run now."""
    say(f"Serving {', '.join(names)}. Pages: {url.removesuffix('/api')}. Ctrl-C ends it.")
    say(f"A run now, in another shell: PREFECT_API_URL={url} prefect deployment run {names[0]}")
