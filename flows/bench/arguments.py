"""The options of `audiomill bench` on the command line, with what `--help` says of them.

Imports nothing heavy: `--help` reads it.
"""

from __future__ import annotations

import argparse

from audiomill.flows import option_values as values
from audiomill.flows.bench.options import default_engine, listed_values, title_of
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.engine.registry import engine_names

DEFAULT_REPEAT = 5
TUNE_S = 110.0
WITHIN_S = 300.0  # a server says the texts of a level


def add_bench_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill bench`, except those that every command has."""
    add_text_options(command)
    add_variant_options(command)
    add_measuring_options(command)
    _add_other_tasks(command)
    command.add_argument(
        "--out", type=values.path, metavar="DIR", help="write bench.json and bench.txt there"
    )


def add_text_options(command: argparse.ArgumentParser) -> None:
    """The text and the engines."""
    command.add_argument(
        "source",
        nargs="?",
        type=values.path,
        metavar="SOURCE",
        help="a text of your own (default: our corpus, in ten registers)",
    )
    command.add_argument(
        "--engine",
        action="append",
        dest="engines",
        help=f"{', '.join(engine_names())} (default: {default_engine()}); several are compared",
    )
    command.add_argument(
        "--words",
        type=int,
        metavar="N",
        help="about N words, from every chapter; 0: all (default: all of SOURCE, or some of ours)",
    )


def add_variant_options(command: argparse.ArgumentParser) -> None:
    """The variants that are compared: each combination of these values is one."""
    command.add_argument(
        "--batch-frames",
        default="0",
        metavar="N,…",
        help="budgets of a batch, in frames of 25 ms; 0 is the engine's own choice (default: 0)",
    )
    command.add_argument(
        "--chunking",
        default="planned",
        metavar="WAY,…",
        help=f"how the text is cut into segments: {', '.join(CHUNKINGS)} (default: planned)",
    )
    command.add_argument(
        "--device", default="auto", metavar="NAME,…", help="auto, cpu, cuda (default: auto)"
    )
    command.add_argument(
        "--precision",
        metavar="NAME,…",
        help=f"{', '.join(listed_values()['precision'])} (default: all that the device has)",
    )
    command.add_argument(
        "--in-flight",
        default="",
        metavar="N,…",
        help="requests at a time (default: 1, 2, 4 … as many as the engine takes; with --serve"
        " 1,4,16,64)",
    )


def add_measuring_options(command: argparse.ArgumentParser) -> None:
    """Further measurements, and how often each is made."""
    command.add_argument(
        "--end-to-end", action="store_true", help="also from the text to the finished file"
    )
    command.add_argument(
        "--random-weights",
        action="store_true",
        help=f"{title_of(default_engine())} with random weights of the real size: its speed, but no"
        " speech",
    )
    command.add_argument(
        "--repeat",
        type=int,
        default=DEFAULT_REPEAT,
        metavar="N",
        help=f"measure N times (default: {DEFAULT_REPEAT})",
    )
    command.add_argument(
        "--budget",
        type=values.number_from(0),
        metavar="AMOUNT",
        help="the most that a paid service may cost, in the currency of its price",
    )
    command.add_argument("--yes", action="store_true", help="agree to what a paid service costs")


def _add_other_tasks(command: argparse.ArgumentParser) -> None:
    """Tasks instead of a benchmark."""
    instead = command.add_mutually_exclusive_group()
    instead.add_argument(
        "--tune",
        action="store_true",
        help=f"find what is fastest for {title_of(default_engine())} here, and keep it for every"
        " run",
    )
    instead.add_argument(
        "--serve",
        action="append",
        metavar="URL",
        help="measure a server of OpenAI's protocol for speech; several are compared",
    )
    _add_server_options(command)
    command.add_argument(
        "--seconds",
        type=float,
        default=TUNE_S,
        metavar="N",
        help=f"the seconds that --tune may take (default: {TUNE_S:g})",
    )
    instead.add_argument(
        "--compare",
        nargs=2,
        type=values.path,
        metavar=("A", "B"),
        help="compare two results, files or folders of --out, and measure nothing",
    )


def _add_server_options(command: argparse.ArgumentParser) -> None:
    """How a server is asked."""
    command.add_argument(
        "--key-file",
        action="append",
        type=values.path,
        metavar="FILE",
        help="a file with the key of a server of --serve; for several, one each, in their order",
    )
    command.add_argument(
        "--within",
        type=values.number_from(1),
        default=WITHIN_S,
        metavar="SECONDS",
        help="give up texts that a server of --serve has not said so long after the first of as"
        f" many at a time (default: {WITHIN_S:g})",
    )
    command.add_argument(
        "--model", default="tts-1", help="what --serve asks servers for (default: tts-1)"
    )
    command.add_argument(
        "--voice", default="alloy", help="whom --serve asks servers for (default: alloy)"
    )
