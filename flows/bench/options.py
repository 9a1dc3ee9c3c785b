"""The options of a benchmark: their names on the command line, their meaning, what is refused.

Imports nothing heavy: `--help` reads it, and options that make no sense are refused before anything
is loaded.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from audiomill.flows import option_values as values
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import engine_named, engine_names, unknown_engine
from audiomill.renderers.host.devices import check_device_names
from audiomill.renderers.kokoro.model.precision import PRECISIONS

T = TypeVar("T")

# What may stand in a list, by the name of its option.
LISTED = {
    "chunking": tuple(CHUNKINGS),
    "precision": PRECISIONS,
}
DEFAULT_REPEAT = 5
TUNE_S = 110.0
WITHIN_S = 300.0  # a server says the texts of a level
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
        """True if Kokoro alone is measured: from phonemes, by device and precision."""
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
        help=f"{', '.join(engine_names())} (default: kokoro); several are compared",
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
        help=f"{', '.join(PRECISIONS)} (default: all that the device has)",
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
    instead.add_argument(
        "--serve",
        action="append",
        metavar="URL",
        help="measure a server of OpenAI's protocol for speech; several are compared",
    )
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


def parse_options(arguments: argparse.Namespace) -> BenchOptions:
    """The options of parsed arguments. Raises WrongOptions."""
    engines = tuple(dict.fromkeys(arguments.engines or ("kokoro",)))
    for engine in engines:
        if engine not in engine_names():
            raise WrongOptions(unknown_engine(engine, engine_names()))
    options = BenchOptions(
        source=arguments.source,
        engines=engines,
        words=arguments.words,
        batch_frames=parse_list(arguments.batch_frames, "--batch-frames", _parse_frames),
        chunkings=parse_list(arguments.chunking, "--chunking", one_of(LISTED["chunking"])),
        devices=parse_list(arguments.device, "--device", _parse_device),
        precisions=_precisions(arguments.precision),
        end_to_end=arguments.end_to_end,
        random_weights=arguments.random_weights,
        repeat=arguments.repeat,
        out=arguments.out,
        in_flight=parse_in_flight(arguments.in_flight),
        budget=arguments.budget,
        is_agreed=arguments.yes,
    )
    _check(options)
    return options


def _check(options: BenchOptions) -> None:
    """Raise WrongOptions for values out of range and for options that the engine lacks."""
    if options.repeat < 1:
        raise WrongOptions(f"--repeat {options.repeat}: one pass at least.")
    if options.words is not None and options.words < 0:
        raise WrongOptions(f"--words {options.words}: 0 for all, or how many.")
    is_given = {
        "--batch-frames": options.batch_frames != (0,),
        "--device": options.devices != ("auto",),
        "--precision": options.precisions != (),
        "--random-weights": options.random_weights,
    }
    only_kokoro = [name for name in is_given if is_given[name]]
    if not options.is_kokoro and only_kokoro:
        raise WrongOptions(
            f"{only_kokoro[0]} is for Kokoro alone; {', '.join(options.engines)} with"
            " --in-flight, or with others, are measured as the settings say."
            if "kokoro" in options.engines
            else f"{only_kokoro[0]} is for Kokoro; {options.engines[0]} knows nothing of it."
        )
    if options.end_to_end and len(options.engines) > 1:
        raise WrongOptions("--end-to-end measures one engine.")
    if options.is_kokoro and (options.budget is not None or options.is_agreed):
        raise WrongOptions("--budget and --yes: Kokoro costs nothing. Leave them out.")


def _precisions(text: str | None) -> tuple[str, ...]:
    return () if text is None else parse_list(text, "--precision", one_of(PRECISIONS))


def parse_in_flight(text: str) -> tuple[int, ...]:
    """The numbers of requests at a time; () if there are none. Raises WrongOptions."""
    return parse_list(text, "--in-flight", _parse_number) if text else ()


def parse_list(text: str, option: str, parse: Callable[[str], T]) -> tuple[T, ...]:
    """The values between commas, in order, without duplicates.

    Raises WrongOptions, which names `option`.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    try:
        values = tuple(dict.fromkeys(parse(word) for word in words))
    except ValueError as error:
        raise WrongOptions(f"{option} {text}: {error}") from error
    if not values:
        raise WrongOptions(f"{option} names nothing.")
    return values


def _parse_device(word: str) -> str:
    """The name of a device. Raises ValueError."""
    check_device_names(word)
    return word


def _parse_frames(word: str) -> int:
    """A number of frames. Raises ValueError."""
    if not word.isdecimal():
        raise ValueError(f"{word} is no number of frames.")
    return int(word)


def _parse_number(word: str) -> int:
    """A number of requests. Raises ValueError."""
    if not word.isdecimal() or int(word) < 1:
        raise ValueError(f"{word} is no number of requests.")
    return int(word)


def one_of(known: Sequence[str]) -> Callable[[str], str]:
    """A parser that accepts only `known` words and raises ValueError for others."""

    def parse(word: str) -> str:
        if word not in known:
            hint = did_you_mean(word, known)
            raise ValueError(f"unknown {word}; known: {', '.join(known)}.{hint}")
        return word

    return parse
