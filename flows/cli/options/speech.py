"""The options of commands about voices and engines: say, voices, engines."""

from __future__ import annotations

import argparse

from audiomill.flows.cli.options.declared import add_option, add_options
from audiomill.flows.cli.options.values import filled, path
from audiomill.flows.options import VoiceOptions
from audiomill.outputs.formats.registry import FORMATS


def add_say_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill say`."""
    command.add_argument("text", nargs="+", metavar="TEXT", help="what is said")
    command.add_argument(
        "--language",
        type=filled,
        default="en",
        help="the language of the text: en-GB, de, … (default: en)",
    )
    add_options(command, VoiceOptions)
    command.add_argument(
        "--print",
        action="store_true",
        help="print the words and phonemes that the engine is given",
    )
    _add_out_file(command)


def add_voices_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill voices`."""
    add_option(command, "engine")
    command.add_argument(
        "--language",
        default="",
        help="list only voices of this language: en, pt-BR, …; with --add, what is spoken"
        " (default: en)",
    )
    _add_sample_options(command)
    _add_cloning_options(command)


def add_engines_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill engines`."""
    command.add_argument("action", nargs="?", choices=("install",), help="what to do, if anything")
    command.add_argument("engine", nargs="?", metavar="ENGINE", help="the engine to install")
    command.add_argument(
        "--remove",
        action="store_true",
        help="delete the engine's environment instead; models in the hub's cache stay",
    )
    command.add_argument(
        "--accept-models",
        action="store_true",
        help="take its models as the hub has them now, although they were others before",
    )


def _add_sample_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--play", type=filled, metavar="NAME", help="play a sample of this voice")
    command.add_argument(
        "--text",
        help="the text to say (default: a sentence in its language); with --add, what is said in"
        " the recording",
    )
    _add_out_file(command)


def _add_cloning_options(command: argparse.ArgumentParser) -> None:
    cloning = command.add_argument_group("cloned voices")
    what = cloning.add_mutually_exclusive_group()
    what.add_argument(
        "--add",
        type=filled,
        metavar="NAME",
        help="add a voice that is cloned from a recording, with --audio and --consent",
    )
    what.add_argument(
        "--check",
        nargs="?",
        const="",
        metavar="NAME",
        help="judge the recordings of all cloned voices, or of one",
    )
    cloning.add_argument(
        "--audio",
        type=path,
        metavar="FILE",
        help="some seconds of one person who speaks: 8 to 10 s suit all engines",
    )
    cloning.add_argument(
        "--text-file", type=path, metavar="FILE", help="a file with what is said there"
    )
    cloning.add_argument(
        "--consent", type=filled, help="who allowed that this voice is cloned, and when"
    )
    cloning.add_argument("--speaker", type=filled, help="who speaks there")
    cloning.add_argument(
        "--replace", action="store_true", help="replace the voice of this name, if there is one"
    )


def _add_out_file(command: argparse.ArgumentParser) -> None:
    """Where a short sound goes."""
    endings = ", ".join(entry.suffix for entry in FORMATS.values())
    command.add_argument(
        "--out",
        type=path,
        metavar="FILE",
        help=f"write the sound to this file instead of playing it; it ends in {endings}",
    )
