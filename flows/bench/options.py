"""The options of a benchmark: their meaning, how they are parsed, what is refused.

Imports nothing heavy: `--help` reads it, and options that make no sense are refused before anything
is loaded.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.engine.benchmarking import BenchModel, PreparedCorpus, kind_of
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import (
    bench_models,
    engine_named,
    engine_names,
    unknown_engine,
)
from audiomill.renderers.host.devices import check_device_names

T = TypeVar("T")


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
    in_flight: tuple[int, ...] = ()  # requests at a time; empty: 1, 2, 4 … as the engine takes
    budget: float | None = None  # for what is paid for
    is_agreed: bool = False  # with what that costs
    engine_options: EngineOptions = field(default_factory=EngineOptions)  # from the settings

    @property
    def engine(self) -> str:
        """The engine, where only one is measured."""
        return self.engines[0]

    @property
    def model(self) -> BenchModel | None:
        """The model that is measured alone, by device and precision; None: texts are measured."""
        is_alone = len(self.engines) == 1 and not self.in_flight
        return bench_models(self.engine_options).get(self.engine) if is_alone else None

    @property
    def prepared(self) -> PreparedCorpus | None:
        """The corpus as that model's input, if there is one."""
        return self.model.prepared if self.model is not None else None

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
        if self.model is not None:
            return self.model.words[kind_of(device)]
        return min(engine_named(engine).bench_words for engine in self.engines)


def listed_values() -> Mapping[str, Sequence[str]]:
    """What may stand in a list, by the name of its option."""
    precisions = (one for model in bench_models().values() for one in model.precisions)
    return {"chunking": tuple(CHUNKINGS), "precision": tuple(dict.fromkeys(precisions))}


def default_engine() -> str:
    """What is measured where no engine is named: the first whose model is measured alone."""
    return next(iter(bench_models()))


def title_of(engine: str) -> str:
    """How messages name an engine."""
    return engine_named(engine).title or engine


def parse_options(arguments: argparse.Namespace) -> BenchOptions:
    """The options of parsed arguments. Raises WrongOptions."""
    engines = tuple(dict.fromkeys(arguments.engines or (default_engine(),)))
    for engine in engines:
        if engine not in engine_names():
            raise WrongOptions(unknown_engine(engine, engine_names()))
    options = BenchOptions(
        source=arguments.source,
        engines=engines,
        words=arguments.words,
        batch_frames=parse_list(arguments.batch_frames, "--batch-frames", _parse_frames),
        chunkings=parse_list(arguments.chunking, "--chunking", one_of(tuple(CHUNKINGS))),
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
    _check_model_options(options)
    if options.end_to_end and len(options.engines) > 1:
        raise WrongOptions("--end-to-end measures one engine.")
    if options.model is not None and (options.budget is not None or options.is_agreed):
        title = title_of(options.engine)
        raise WrongOptions(f"--budget and --yes: {title} costs nothing. Leave them out.")


def _check_model_options(options: BenchOptions) -> None:
    """Raise WrongOptions for what only a model that is measured alone knows of."""
    is_given = {
        "--batch-frames": options.batch_frames != (0,),
        "--device": options.devices != ("auto",),
        "--precision": options.precisions != (),
        "--random-weights": options.random_weights,
    }
    given = [name for name in is_given if is_given[name]]
    if options.model is not None or not given:
        return
    if measurable := [one for one in options.engines if one in bench_models()]:
        raise WrongOptions(
            f"{given[0]} is for {title_of(measurable[0])} alone; {', '.join(options.engines)} with"
            " --in-flight, or with others, are measured as the settings say."
        )
    title = title_of(default_engine())
    raise WrongOptions(f"{given[0]} is for {title}; {options.engine} knows nothing of it.")


def _precisions(text: str | None) -> tuple[str, ...]:
    known = listed_values()["precision"]
    return () if text is None else parse_list(text, "--precision", one_of(known))


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
