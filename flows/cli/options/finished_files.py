"""The options of commands that read finished audio: check, plot."""

from __future__ import annotations

import argparse

from audiomill.flows.cli.options.declared import add_option
from audiomill.flows.cli.options.values import path
from audiomill.outputs.delivery.profiles import DEFAULT_PROFILE


def add_check_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill check`."""
    command.add_argument(
        "files",
        nargs="+",
        type=path,
        metavar="FILE",
        help="finished audio of any origin, or a folder with the files of a book",
    )
    add_option(
        command, "profile", "what the files have to be fit for (default: profile in the settings)"
    )


def add_plot_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill plot`."""
    command.add_argument(
        "sources",
        nargs="+",
        type=path,
        metavar="FILE",
        help="an audio file: M4B, MP3, FLAC, WAV, …",
    )
    command.add_argument(
        "--out",
        type=path,
        metavar="FILE",
        help="write the picture there, if one FILE is given (default: FILE.svg beside it)",
    )
    meaning = f"whose loudness and ceiling are drawn as lines (default: {DEFAULT_PROFILE})"
    add_option(command, "profile", meaning)
