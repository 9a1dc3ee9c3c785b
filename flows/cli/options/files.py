"""The options of commands that read files: render, inspect, lexicon; check, plot."""

from __future__ import annotations

import argparse

from audiomill.flows.cli.options.declared import add_option, add_options
from audiomill.flows.cli.options.values import path, source
from audiomill.flows.options import RenderOptions, SourceOptions
from audiomill.outputs.profiles import DEFAULT_PROFILE


def add_inspect_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill inspect`."""
    _add_sources(command)
    add_options(command, SourceOptions)
    command.add_argument(
        "--blocks",
        action="store_true",
        help="show every piece of text: whether it is spoken, its kind and its place",
    )


def add_render_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill render`. Only the command line chooses whether Prefect runs it."""
    _add_sources(command)
    add_options(command, RenderOptions)
    prefect = command.add_mutually_exclusive_group()
    prefect.add_argument(
        "--prefect",
        action="store_true",
        default=None,
        help="run as a Prefect flow, on a server of our own if none is configured",
    )
    prefect.add_argument(
        "--no-prefect",
        action="store_false",
        dest="prefect",
        help="run without Prefect even if one is configured",
    )


def add_lexicon_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill lexicon`."""
    command.add_argument("action", choices=("suggest",), help="what to do")
    command.add_argument("source", type=path, metavar="SOURCE", help="a book")
    add_option(command, "engine")
    add_option(command, "voice")
    command.add_argument(
        "--most",
        type=int,
        default=200,
        metavar="N",
        help="list at most N words, the most frequent first (default: 200)",
    )
    command.add_argument("--out", type=path, metavar="FILE", help="write the lexicon to this file")


def _add_sources(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "sources",
        nargs="+",
        type=source,
        metavar="SOURCE",
        help="an EPUB, Markdown, HTML or text file, or the web address of an article",
    )


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
