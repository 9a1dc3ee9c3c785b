"""The options of commands that read a book: render, inspect, lexicon."""

from __future__ import annotations

import argparse

from audiomill.flows.bench.options import amount
from audiomill.flows.cli.options.shared import (
    ENGINE_HELP,
    VOICE_HELP,
    add_profile,
    add_voice_options,
)
from audiomill.flows.cli.options.values import AppendByKey, filled, key_and_value, path, source
from audiomill.inputs.choices.reading import PRESETS
from audiomill.outputs.delivery.profiles import DEFAULT_PROFILE
from audiomill.outputs.formats.beside_audio import TRANSCRIPTS
from audiomill.outputs.formats.registry import FORMATS


def add_inspect_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill inspect`."""
    _add_source_options(command)
    command.add_argument(
        "--blocks",
        action="store_true",
        help="show every piece of text: whether it is spoken, its kind and its place",
    )


def add_render_options(command: argparse.ArgumentParser) -> None:
    """Those of `audiomill render`."""
    _add_source_options(command)
    _add_file_options(command)
    _add_run_options(command)


def _add_file_options(command: argparse.ArgumentParser) -> None:
    """What is made."""
    command.add_argument(
        "--out",
        type=path,
        metavar="DIR",
        help="the folder for finished audio (default: library)",
    )
    add_profile(command, f"what the files are made for (default: {DEFAULT_PROFILE})")
    command.add_argument(
        "--format",
        type=filled,
        action="append",
        dest="formats",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; several: m4b,mp3 (default: by --for)",
    )
    command.add_argument(
        "--transcript",
        type=filled,
        action="append",
        dest="transcripts",
        metavar="FORMAT",
        help=f"write the text with its times, too: {', '.join(TRANSCRIPTS)}; both: vtt,srt",
    )
    command.add_argument(
        "--split",
        action=argparse.BooleanOptionalAction,
        help="write one file for each chapter (default: by --for)",
    )
    command.add_argument(
        "--plot",
        action="store_true",
        help="draw each recording, too: waveform, loudness over time and chapters, as SVG",
    )


def _add_run_options(command: argparse.ArgumentParser) -> None:
    """How it is made: where, in what order, for how much."""
    command.add_argument(
        "--store",
        type=filled,
        metavar="URL",
        help="where rendered segments are kept: a folder, s3://…",
    )
    command.add_argument(
        "--check-speech",
        action=argparse.BooleanOptionalAction,
        help="have Whisper write down all speech, and report what is not as in the text",
    )
    command.add_argument(
        "--executor",
        choices=("threads", "dask"),
        help="dask: the workers of a cluster render (default: threads of this process)",
    )
    command.add_argument(
        "--priority",
        type=int,
        default=0,
        metavar="N",
        help="on a cluster, books of a higher one go first (default: 0)",
    )
    command.add_argument(
        "--budget",
        type=amount,
        metavar="AMOUNT",
        help="stop before a paid service has cost more, in the currency of its price",
    )
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
    command.add_argument("--engine", type=filled, help=ENGINE_HELP)
    command.add_argument("--voice", type=filled, help=VOICE_HELP)
    command.add_argument(
        "--most",
        type=int,
        default=200,
        metavar="N",
        help="list at most N words, the most frequent first (default: 200)",
    )
    command.add_argument("--out", type=path, metavar="FILE", help="write the lexicon to this file")


def _add_source_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "sources",
        nargs="+",
        type=source,
        metavar="SOURCE",
        help="an EPUB, Markdown, HTML or text file, or the web address of an article",
    )
    add_voice_options(command)
    command.add_argument(
        "--cast",
        type=path,
        metavar="FILE",
        help="the casting file: voices of dialogue, characters, … (default: BOOK.voices.toml)",
    )
    command.add_argument(
        "--set",
        type=key_and_value,
        action=AppendByKey,
        dest="metadata",
        metavar="KEY=VALUE",
        help="correct the metadata, for example title=… or cover=FILE; repeat it for other keys and"
        " for lists (default: BOOK.metadata.toml)",
    )
    command.add_argument(
        "--chapters",
        default="",
        metavar="RANGE",
        help="only these chapters, for example 1-3,7 (default: all)",
    )
    command.add_argument(
        "--read",
        choices=tuple(PRESETS),
        help="everything adds imprint, index, notes, code and the like (default: essential)",
    )
    command.add_argument(
        "--credits",
        action=argparse.BooleanOptionalAction,
        help="say title and author before and after the book (default: only for EPUBs)",
    )
