"""`audiomill bench`: measures speed here, of servers too, compares, and tunes."""

from __future__ import annotations

import argparse
from dataclasses import replace

from audiomill.flows.bench.command import compare_files, print_tuned, run_bench, save_tuned
from audiomill.flows.bench.compare import NotComparable
from audiomill.flows.bench.options import BenchOptions, WrongOptions, parse_options
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.tune import tunable, tune
from audiomill.flows.errors import UsageError
from audiomill.flows.settings import load_settings
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.options import OwnOptions, PaidOptions
from audiomill.renderers.engine.registry import own_options


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit code. Raises UsageError, OutputUnwritable and others."""
    try:
        return _run(arguments)
    except (WrongOptions, NotComparable) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise OutputUnwritable(f"The result cannot be kept: {error}.") from error


def _run(arguments: argparse.Namespace) -> int:
    if arguments.compare:
        compare_files(*arguments.compare, as_json=arguments.json)
    elif arguments.serve:
        # Takes an HTTP client, which nothing else here needs.
        from audiomill.flows.bench.serve.command import run_serve_bench

        return run_serve_bench(arguments)
    elif arguments.tune:
        _tune(arguments)
    else:
        return run_bench(_options(arguments), as_json=arguments.json)
    return 0


def _options(arguments: argparse.Namespace) -> BenchOptions:
    """The options, with what the settings say of the engines."""
    options = parse_options(arguments)
    if options.random_weights:
        return options

    def with_budget(own: OwnOptions) -> OwnOptions:
        return replace(own, budget=options.budget) if isinstance(own, PaidOptions) else own

    return replace(options, engine_options=load_settings().engine_options().each(with_budget))


def _tune(arguments: argparse.Namespace) -> None:
    """Tune for the device and the model from the settings, and save the choice."""
    set_to = load_settings().engine_options()
    options = _options(arguments)
    _, tuning = tunable(replace(options, engine_options=set_to))
    if options.devices == ("auto",):
        device = own_options(options.engine, set_to).benchmark_target()
        options = replace(options, devices=(device,))
    result = tune(options, arguments.seconds, BenchOutput(options.mark))
    saved = save_tuned(result, tuning)
    print_tuned(result, saved, options, as_json=arguments.json)
