"""The options of commands that go on by themselves, and of what looks after them.

serve, podcast, worker, doctor
"""

from __future__ import annotations

import argparse
from pathlib import Path

from audiomill.flows.cli.options.declared import add_option
from audiomill.flows.cli.options.values import filled, host_and_port, path, port, positive, whole


def add_serve_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill serve`."""
    command.add_argument(
        "show",
        type=path,
        nargs="?",
        help="a podcast's file: its run is served instead of a list",
    )
    command.add_argument(
        "--cron",
        type=filled,
        help='when the podcast is made, for example "0 6 * * *" for six every morning',
    )
    command.add_argument(
        "--timezone",
        type=filled,
        help="the time zone of --cron, for example Europe/Berlin (default: that of this machine)",
    )
    command.add_argument(
        "--listen",
        type=host_and_port,
        metavar="HOST:PORT",
        help="serve the podcast's folder there, for example 0.0.0.0:8080 for the local network",
    )
    command.add_argument(
        "--file",
        type=path,
        default=Path("prefect.yaml"),
        help="the file that lists what to render and when (default: prefect.yaml)",
    )
    command.add_argument(
        "--port",
        type=port,
        default=4200,
        metavar="N",
        help="the port of the Prefect server, if none is configured (default: 4200)",
    )


def add_podcast_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill podcast`."""
    command.add_argument("action", choices=("init", "run"))
    command.add_argument(
        "file",
        type=path,
        nargs="?",
        default=Path("show.toml"),
        help="the podcast's file (default: show.toml)",
    )


def add_worker_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill worker`."""
    command.add_argument(
        "--scheduler",
        type=filled,
        metavar="ADDRESS",
        help="the cluster, for example tcp://10.0.0.1:8786 (default: AUDIOMILL_DASK_SCHEDULER)",
    )
    add_option(command, "engine")
    command.add_argument(
        "--name", type=filled, help="what the cluster calls it (default: this machine's name)"
    )
    command.add_argument(
        "--processes",
        type=positive,
        default=1,
        metavar="N",
        help="worker processes for each GPU, or on a machine without one (default: 1)",
    )
    command.add_argument(
        "--encoders",
        type=whole,
        metavar="N",
        help="how many parts of books each process measures or encodes at a time; 0 for none"
        " (default: its cores but one, 16 at most)",
    )


def add_doctor_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill doctor`."""
    command.add_argument(
        "--cluster",
        action="store_true",
        help="show who is in the cluster, with what, and whether it can be used from here",
    )
    command.add_argument(
        "--store",
        type=filled,
        metavar="URL",
        help="check this store only: reachable, readable, writable",
    )
