"""The options of a benchmark from parsed arguments.

Options that make no sense are refused here, before anything is loaded.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TypeVar

from audiomill.flows.bench.options import LISTED, BenchOptions, WrongOptions
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.host.devices import check_device_names
from audiomill.renderers.kokoro.options import PRECISIONS
from audiomill.renderers.registry import engine_names, unknown_engine

T = TypeVar("T")


def parse_options(arguments: argparse.Namespace) -> BenchOptions:
    """The options of parsed arguments. Raises WrongOptions."""
    engines = tuple(dict.fromkeys(arguments.engines or ("kokoro",)))
    for engine in engines:
        if engine not in engine_names():
            raise WrongOptions(unknown_engine(engine, engine_names()))
    in_flight = arguments.in_flight
    options = BenchOptions(
        source=arguments.source,
        engines=engines,
        words=arguments.words,
        batch_frames=_parse_list(arguments.batch_frames, "--batch-frames", _parse_frames),
        chunkings=_parse_list(arguments.chunking, "--chunking", _one_of(LISTED["chunking"])),
        devices=_parse_list(arguments.device, "--device", _parse_device),
        precisions=_precisions(arguments.precision),
        rivals=_rivals(arguments, engines),
        end_to_end=arguments.end_to_end,
        random_weights=arguments.random_weights,
        repeat=arguments.repeat,
        out=arguments.out,
        in_flight=_parse_list(in_flight, "--in-flight", _parse_number) if in_flight else (),
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


def _rivals(arguments: argparse.Namespace, engines: Sequence[str]) -> tuple[str, ...]:
    rivals = _parse_list(arguments.rivals, "--rivals", _one_of(LISTED["rivals"]))
    if "none" in rivals and rivals != ("none",):
        raise WrongOptions(f"--rivals {arguments.rivals}: either none or some.")
    is_kokoro = engines == ("kokoro",) and not arguments.in_flight
    return rivals if is_kokoro and "none" not in rivals else ()


def _precisions(text: str | None) -> tuple[str, ...]:
    return () if text is None else _parse_list(text, "--precision", _one_of(PRECISIONS))


def _parse_list(text: str, option: str, parse: Callable[[str], T]) -> tuple[T, ...]:
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


def _one_of(known: Sequence[str]) -> Callable[[str], str]:
    """A parser that accepts only `known` words and raises ValueError for others."""

    def parse(word: str) -> str:
        if word not in known:
            hint = did_you_mean(word, known)
            raise ValueError(f"unknown {word}; known: {', '.join(known)}.{hint}")
        return word

    return parse
