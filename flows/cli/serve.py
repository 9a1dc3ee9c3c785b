"""`audiomill serve`: runs the deployments of prefect.yaml on their schedules until it is stopped.

Where no Prefect API is configured, it brings a server, whose pages show every run.
"""

from __future__ import annotations

import argparse

from audiomill.flows.cli.signals import stop_on_signals
from audiomill.flows.console import say
from audiomill.flows.file_lock import FileLock
from audiomill.flows.job import UsageError
from audiomill.flows.pipeline.run_context import RunContext
from audiomill.flows.prefect_server import lasting_prefect_api
from audiomill.flows.settings import cache_folder, outlast_prefect_outages, prefect_api_url

# The processes of runs are given some seconds to report their end.
GRACE_S = 60.0


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM, which is not an error."""
    outlast_prefect_outages()
    with (
        FileLock(cache_folder() / "serve.lock") as lock,
        stop_on_signals(RunContext(), GRACE_S) as context,
    ):
        if not lock.try_acquire():
            raise UsageError("audiomill serve is already running. Stop that one first.")
        with lasting_prefect_api(prefect_api_url(), arguments.port, context) as url:
            # Imported here: Prefect reads its environment when it is imported, for seconds.
            from audiomill.flows.scheduling.deployments import read_deployments
            from audiomill.flows.scheduling.serving import serve

            deployments = read_deployments(arguments.file)
            serve(deployments, context.stop, lambda names: _announce(url, names))
    return 0


def _announce(url: str, names: list[str]) -> None:
    """Say where the pages are, and how to start a run now."""
    say(f"Serving {', '.join(names)}. Pages: {url.removesuffix('/api')}. Ctrl-C ends it.")
    say(f"A run now, in another shell: PREFECT_API_URL={url} prefect deployment run {names[0]}")
