"""What can be asked of a benchmark, and what it means. Imports nothing heavy.

An order is checked here, before anything is loaded: what makes no sense is told at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.options import PRECISIONS
from audiomill.renderers.registry import engine_names

# Values between commas, as options of the benchmark take them.

T = TypeVar("T")


class WrongOptions(Exception):
    """Asked for in a way that cannot be met. The message says what would be right."""


def parse_list(text: str, option: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Each once, in their order. Raises WrongOptions, in which `option` is named."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    try:
        values = tuple(dict.fromkeys(read(word) for word in words))
    except ValueError as error:
        raise WrongOptions(f"{option} {text}: {error}.") from error
    if not values:
        raise WrongOptions(f"{option} names nothing.")
    return values


def frames(word: str) -> int:
    """A number of frames. Raises ValueError."""
    if not word.isdecimal():
        raise ValueError(f"{word} is no number of frames")
    return int(word)


def one_of(known: Sequence[str]) -> Callable[[str], str]:
    """What takes only words that are `known`, and raises ValueError for others."""

    def read(word: str) -> str:
        if word not in known:
            raise ValueError(f"unknown {word}; known: {', '.join(known)}")
        return word

    return read


RIVALS = ("upstream", "onnx")
DEFAULT_REPEAT = 5
TUNE_S = 110.0
# Words of the corpus that are spoken unless a number is named: some minutes' work.
WORDS = {"espeak": 2_000, "tone": 10_000}
KOKORO_WORDS = {"cpu": 60, "cuda": 4_000}


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """All that decides what is measured."""

    source: Path | None  # None: the corpus
    engine: str
    words: int | None  # about so many; 0: all; None: by the engine
    batch_frames: tuple[int, ...]  # 0: the engine's own choice
    chunkings: tuple[str, ...]
    devices: tuple[str, ...]
    precisions: tuple[str, ...]  # none: all that a device has
    rivals: tuple[str, ...]
    end_to_end: bool
    random_weights: bool
    repeat: int
    out: Path | None
    weights: Path | None = None  # Kokoro's, as the settings name them
    release: str = "v1.0"

    @property
    def mark(self) -> str:
        """What every line of output must say."""
        return "[random weights] " if self.random_weights else ""

    def n_words(self, device: str) -> int:
        """How many words to speak on `device`; 0: all."""
        if self.words is not None:
            return self.words
        if self.source is not None:
            return 0
        return WORDS.get(self.engine) or KOKORO_WORDS["cpu" if device == "cpu" else "cuda"]


def add_bench_options(command: argparse.ArgumentParser) -> None:
    """The options of `audiomill bench`, but for those of every command."""
    command.add_argument(
        "source",
        nargs="?",
        type=Path,
        metavar="SOURCE",
        help="a text of your own (a corpus of ours, in ten registers)",
    )
    command.add_argument("--engine", default="kokoro", help=f"{', '.join(engine_names())} (kokoro)")
    command.add_argument(
        "--words",
        type=int,
        metavar="N",
        help="about so many, from every chapter; 0 for all (what takes some minutes)",
    )
    command.add_argument(
        "--batch-frames",
        default="0",
        metavar="N,…",
        help="budgets of a batch, in frames of 25 ms; 0 is the engine's own choice (0)",
    )
    command.add_argument(
        "--chunking", default="planned", metavar="WAY,…", help=f"{', '.join(CHUNKINGS)} (planned)"
    )
    command.add_argument("--device", default="auto", metavar="NAME,…", help="cpu, cuda (auto)")
    command.add_argument(
        "--precision",
        metavar="NAME,…",
        help=f"{', '.join(PRECISIONS)} (all that the device has)",
    )
    command.add_argument(
        "--rivals",
        default=",".join(RIVALS),
        metavar="NAME,…",
        help=f"what Kokoro is compared with: {', '.join(RIVALS)}, or none ({','.join(RIVALS)})",
    )
    command.add_argument(
        "--end-to-end", action="store_true", help="also from the text to the finished file"
    )
    command.add_argument(
        "--random-weights",
        action="store_true",
        help="Kokoro with weights that say nothing but cost as much, made on the spot",
    )
    command.add_argument(
        "--repeat", type=int, default=DEFAULT_REPEAT, metavar="N", help=f"passes ({DEFAULT_REPEAT})"
    )
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
        help=f"that --tune may take ({TUNE_S:g})",
    )
    instead.add_argument(
        "--compare",
        nargs=2,
        type=Path,
        metavar=("A.json", "B.json"),
        help="measure nothing, but tell two results of --out or --json apart",
    )
    command.add_argument(
        "--out", type=Path, metavar="DIR", help="write bench.json, bench.txt and bench.png there"
    )


def parse_options(arguments: argparse.Namespace) -> BenchOptions:
    """What was asked for. Raises WrongOptions."""
    if arguments.engine not in engine_names():
        raise WrongOptions(
            f"Unknown engine {arguments.engine}. Known: {', '.join(engine_names())}."
        )
    order = BenchOptions(
        source=arguments.source,
        engine=arguments.engine,
        words=arguments.words,
        batch_frames=parse_list(arguments.batch_frames, "--batch-frames", frames),
        chunkings=parse_list(arguments.chunking, "--chunking", one_of(tuple(CHUNKINGS))),
        devices=parse_list(arguments.device, "--device", str),
        precisions=_precisions(arguments.precision),
        rivals=_rivals(arguments),
        end_to_end=arguments.end_to_end,
        random_weights=arguments.random_weights,
        repeat=arguments.repeat,
        out=arguments.out,
    )
    _refuse_senseless(order)
    return order


def _refuse_senseless(order: BenchOptions) -> None:
    if order.repeat < 1:
        raise WrongOptions(f"--repeat {order.repeat}: one pass at least.")
    if order.words is not None and order.words < 0:
        raise WrongOptions(f"--words {order.words}: 0 for all, or how many.")
    only_kokoro = {
        "--batch-frames": order.batch_frames != (0,),
        "--device": order.devices != ("auto",),
        "--precision": order.precisions != (),
        "--random-weights": order.random_weights,
    }
    asked = [name for name, is_asked in only_kokoro.items() if is_asked]
    if order.engine != "kokoro" and asked:
        raise WrongOptions(f"{asked[0]} is for Kokoro; {order.engine} knows nothing of it.")


def _rivals(arguments: argparse.Namespace) -> tuple[str, ...]:
    named = parse_list(arguments.rivals, "--rivals", one_of((*RIVALS, "none")))
    if "none" in named and named != ("none",):
        raise WrongOptions(f"--rivals {arguments.rivals}: either none or some.")
    return () if arguments.engine != "kokoro" or "none" in named else named


def _precisions(text: str | None) -> tuple[str, ...]:
    return () if text is None else parse_list(text, "--precision", one_of(PRECISIONS))
