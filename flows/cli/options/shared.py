"""Options that several commands have, with one meaning."""

from __future__ import annotations

import argparse

from audiomill.flows.cli.options.values import filled, path
from audiomill.outputs.delivery.profiles import PROFILES
from audiomill.outputs.formats.registry import FORMATS
from audiomill.renderers.registry import quick_engine_names

ENGINE_HELP = (
    f"auto, {', '.join(quick_engine_names())}, or one that audiomill engines lists (default: auto)"
)
VOICE_HELP = "a name that audiomill voices lists, or a mix (default: by the language)"


def add_voice_options(command: argparse.ArgumentParser) -> None:
    """Who speaks, and how fast."""
    command.add_argument("--engine", type=filled, help=ENGINE_HELP)
    command.add_argument("--voice", type=filled, help=VOICE_HELP)
    command.add_argument("--speed", type=float, help="the pace: 1.2 is a fifth faster (default: 1)")


def add_out_file(command: argparse.ArgumentParser) -> None:
    """Where a short sound goes."""
    endings = ", ".join(entry.suffix for entry in FORMATS.values())
    command.add_argument(
        "--out",
        type=path,
        metavar="FILE",
        help=f"write the sound to this file instead of playing it; it ends in {endings}",
    )


def add_profile(command: argparse.ArgumentParser, meaning: str) -> None:
    """What files are made for; `meaning` is the help of this command."""
    command.add_argument("--for", dest="profile", choices=tuple(PROFILES), help=meaning)
