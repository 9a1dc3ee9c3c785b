"""The options of each command."""

from __future__ import annotations

import argparse
from pathlib import Path

from audiomill.flows.option_values import (
    add_option,
    add_options,
    host_and_port,
    non_empty,
    path,
    port,
    positive,
    source,
    whole,
)
from audiomill.flows.options import InspectOptions, ListenOptions, RenderOptions, VoiceOptions
from audiomill.outputs.checking.profiles import DEFAULT_PROFILE
from audiomill.outputs.formats.registry import FORMATS


def add_inspect_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill inspect`."""
    _add_sources(command)
    add_options(command, InspectOptions)
    command.add_argument(
        "--blocks",
        action="store_true",
        help="show every piece of text: whether it is spoken, its kind and its place",
    )


def add_render_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill render`: those of a render, and who runs it."""
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


def add_listen_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill listen`."""
    command.add_argument("source", type=source, metavar="SOURCE", help="a book, as for render")
    add_options(command, ListenOptions)
    add_option(command, "executor")
    place = command.add_mutually_exclusive_group()
    place.add_argument(
        "--listen",
        type=host_and_port,
        metavar="HOST:PORT",
        help="serve the page there, for example 0.0.0.0:8882 for a phone (default: 127.0.0.1:8882)",
    )
    place.add_argument(
        "--play", action="store_true", help="play on this machine, to the end of the book"
    )


def add_lexicon_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill lexicon`."""
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
    """Add the options of `audiomill check`."""
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
    """Add the options of `audiomill plot`."""
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


def add_say_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill say`."""
    command.add_argument("text", nargs="+", metavar="TEXT", help="what is said")
    command.add_argument(
        "--language",
        type=non_empty,
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
    """Add the options of `audiomill voices`."""
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
    """Add the options of `audiomill engines`."""
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
    command.add_argument(
        "--play", type=non_empty, metavar="NAME", help="play a sample of this voice"
    )
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
        type=non_empty,
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
        "--consent", type=non_empty, help="who allowed that this voice is cloned, and when"
    )
    cloning.add_argument("--speaker", type=non_empty, help="who speaks there")
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


def add_serve_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill serve`."""
    _add_served_show(command)
    _add_served_speech(command)
    _add_served_list(command)


def _add_served_show(command: argparse.ArgumentParser) -> None:
    """A podcast that is made when it is time."""
    command.add_argument(
        "show",
        type=path,
        nargs="?",
        help="a podcast's file: its run is served instead of a list",
    )
    command.add_argument(
        "--cron",
        type=non_empty,
        help='when the podcast is made, for example "0 6 * * *" for six every morning',
    )
    command.add_argument(
        "--timezone",
        type=non_empty,
        help="the time zone of --cron, for example Europe/Berlin (default: that of this machine)",
    )


def _add_served_speech(command: argparse.ArgumentParser) -> None:
    """Speech for other programs, and where they find it."""
    command.add_argument(
        "--speech",
        action="store_true",
        help="say texts for other programs, by OpenAI's protocol (/v1/audio/speech)",
    )
    command.add_argument(
        "--key-file",
        type=path,
        help="a file with the key that each request to --speech must bring",
    )
    add_option(command, "executor")
    command.add_argument(
        "--listen",
        type=host_and_port,
        metavar="HOST:PORT",
        help="serve the podcast's folder, or --speech, there, for example 0.0.0.0:8080 for the"
        " local network (default of --speech: 127.0.0.1:8880)",
    )


def _add_served_list(command: argparse.ArgumentParser) -> None:
    """A list of what is rendered when, and Prefect's server."""
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
    """Add the options of `audiomill podcast`."""
    command.add_argument("action", choices=("init", "run"))
    command.add_argument(
        "file",
        type=path,
        nargs="?",
        default=Path("show.toml"),
        help="the podcast's file (default: show.toml)",
    )


def add_worker_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill worker`."""
    command.add_argument(
        "--scheduler",
        type=non_empty,
        metavar="ADDRESS",
        help="the cluster, for example tcp://10.0.0.1:8786 (default: AUDIOMILL_DASK_SCHEDULER)",
    )
    add_option(command, "engine")
    command.add_argument(
        "--name", type=non_empty, help="what the cluster calls it (default: this machine's name)"
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
    """Add the options of `audiomill doctor`."""
    command.add_argument(
        "--cluster",
        action="store_true",
        help="show who is in the cluster, with what, and whether it can be used from here",
    )
    command.add_argument(
        "--store",
        type=non_empty,
        metavar="URL",
        help="check this store only: reachable, readable, writable",
    )
