"""The options of a benchmark: their names on the command line, and their meaning.

Imports nothing heavy: `--help` reads it.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

from audiomill.flows.cli.options import values
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.kokoro.options import PRECISIONS
from audiomill.renderers.registry import engine_named, engine_names

RIVALS = ("upstream", "onnx")
# What may stand in a list, by the name of its option.
LISTED = {
    "chunking": tuple(CHUNKINGS),
    "precision": PRECISIONS,
    "rivals": (*RIVALS, "none"),
}
DEFAULT_REPEAT = 5
TUNE_S = 110.0
# Words of the corpus that Kokoro speaks by default, by the device: some minutes of work.
KOKORO_WORDS = {"cpu": 60, "cuda": 4_000}


class WrongOptions(Exception):
    """The options cannot be satisfied. The message says what would be right."""


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """Everything that decides what a benchmark measures."""

    source: Path | None  # None: the corpus
    engines: tuple[str, ...]  # several are compared from the same text
    words: int | None  # about this many; 0: all; None: the default of the engine
    batch_frames: tuple[int, ...]  # 0: the engine's own choice
    chunkings: tuple[str, ...]
    devices: tuple[str, ...]
    precisions: tuple[str, ...]  # empty: all that a device supports
    rivals: tuple[str, ...]
    end_to_end: bool
    random_weights: bool
    repeat: int
    out: Path | None
    weights: Path | None = None  # of Kokoro, from the settings
    release: str = "v1.0"
    in_flight: tuple[int, ...] = ()  # requests at a time; empty: 1, 2, 4 … as the engine takes
    budget: float | None = None  # for what is paid for
    is_agreed: bool = False  # with what that costs
    engine_options: EngineOptions = field(default_factory=EngineOptions)  # from the settings

    @property
    def is_kokoro(self) -> bool:
        """True if Kokoro alone is measured: from phonemes, on devices and with rivals."""
        return self.engines == ("kokoro",) and not self.in_flight

    @property
    def mark(self) -> str:
        """The prefix of every line of output."""
        return "[random weights] " if self.random_weights else ""

    def n_words(self, device: str) -> int:
        """The number of words to speak on `device`; 0: all."""
        if self.words is not None:
            return self.words
        if self.source is not None:
            return 0
        if self.is_kokoro:
            return KOKORO_WORDS["cpu" if device == "cpu" else "cuda"]
        return min(engine_named(engine).bench_words for engine in self.engines)


def add_bench_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `audiomill bench`, except those that every command has."""
    _add_text_options(command)
    _add_variant_options(command)
    _add_measuring_options(command)
    _add_other_tasks(command)
    command.add_argument(
        "--out",
        type=values.path,
        metavar="DIR",
        help="write bench.json, bench.txt and bench.png there",
    )


def _add_text_options(command: argparse.ArgumentParser) -> None:
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
        help=f"{', '.join(engine_names())} (default: kokoro); several are compared",
    )
    command.add_argument(
        "--words",
        type=int,
        metavar="N",
        help="about N words, from every chapter; 0: all (default: all of SOURCE, or some of ours)",
    )


def _add_variant_options(command: argparse.ArgumentParser) -> None:
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
        help=f"{', '.join(PRECISIONS)} (default: all that the device has)",
    )
    command.add_argument(
        "--rivals",
        default=",".join(RIVALS),
        metavar="NAME,…",
        help=f"what Kokoro is compared with: {', '.join(RIVALS)}, or none (default: all)",
    )
    command.add_argument(
        "--in-flight",
        default="",
        metavar="N,…",
        help="requests at a time (default: 1, 2, 4 … as many as the engine takes)",
    )


def _add_measuring_options(command: argparse.ArgumentParser) -> None:
    """Further measurements, and how often each is made."""
    command.add_argument(
        "--end-to-end", action="store_true", help="also from the text to the finished file"
    )
    command.add_argument(
        "--random-weights",
        action="store_true",
        help="Kokoro with random weights of the real size: its speed, but no speech",
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
        help="find what is fastest for Kokoro here, and keep it for every run",
    )
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
