"""`audiomill bench`: how fast this machine speaks, what others do on it, and what is best on it."""

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
    """Measure, print the table or the JSON object, and write files where they were asked for."""
    try:
        _carry_out(arguments)
    except (WrongOptions, NotComparable) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise OutputUnwritable(f"The result cannot be kept: {error}.") from error
    return 0


def _carry_out(arguments: argparse.Namespace) -> None:
    if arguments.compare:
        compare_files(*arguments.compare, as_json=arguments.json)
    elif arguments.tune:
        _tune(arguments)
    else:
        carry_out(_order(arguments), as_json=arguments.json)


def _order(arguments: argparse.Namespace) -> BenchOptions:
    """With the weights that the settings name, unless random ones are asked for."""
    order = parse_options(arguments)
    if order.random_weights:
        return order
    kokoro = load_settings().kokoro
    return replace(order, weights=kokoro.weights, release=kokoro.release)


def _tune(arguments: argparse.Namespace) -> None:
    """Find what is best for the device and the release that the settings name, and keep it."""
    kokoro = load_settings().kokoro
    order = _order(arguments)
    if order.devices == ("auto",):
        order = replace(order, devices=(kokoro.device,))
    found = tune(order, arguments.seconds, BenchOutput(order.mark))
    tell_tuned(found, keep(found, kokoro.release, TUNED), order, as_json=arguments.json)
