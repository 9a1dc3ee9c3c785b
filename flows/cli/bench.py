"""`audiomill bench`: measures engines on this machine, compares results, and tunes Kokoro."""

from __future__ import annotations

import argparse
from dataclasses import replace

from audiomill.flows.bench.command import carry_out, compare_files, tell_tuned
from audiomill.flows.bench.compare import NotComparable
from audiomill.flows.bench.options import BenchOptions, WrongOptions, parse_options
from audiomill.flows.bench.runner import BenchOutput
from audiomill.flows.bench.tune import keep, tune
from audiomill.flows.job import UsageError
from audiomill.flows.settings import TUNED, load_settings
from audiomill.outputs.types import OutputUnwritable


def run(arguments: argparse.Namespace) -> int:
    """Measure, print a table or a JSON object, and write the files that the options name."""
    try:
        _run(arguments)
    except (WrongOptions, NotComparable) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise OutputUnwritable(f"The result cannot be kept: {error}.") from error
    return 0


def _run(arguments: argparse.Namespace) -> None:
    if arguments.compare:
        compare_files(*arguments.compare, as_json=arguments.json)
    elif arguments.tune:
        _tune(arguments)
    else:
        carry_out(_options(arguments), as_json=arguments.json)


def _options(arguments: argparse.Namespace) -> BenchOptions:
    """The options, with the weights that the settings name unless random ones are chosen."""
    options = parse_options(arguments)
    if options.random_weights:
        return options
    kokoro = load_settings().kokoro
    return replace(options, weights=kokoro.weights, release=kokoro.release)


def _tune(arguments: argparse.Namespace) -> None:
    """Find the fastest values for the device and release of the settings, and keep them."""
    kokoro = load_settings().kokoro
    options = _options(arguments)
    if options.devices == ("auto",):
        options = replace(options, devices=(kokoro.device,))
    result = tune(options, arguments.seconds, BenchOutput(options.mark))
    tell_tuned(result, keep(result, kokoro.release, TUNED), options, as_json=arguments.json)
