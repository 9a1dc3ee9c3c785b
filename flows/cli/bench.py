"""`audiomill bench`: measures speed here, of rivals and servers, compares, and tunes Kokoro."""

from __future__ import annotations

import argparse
from dataclasses import replace

from audiomill.flows.bench.command import compare_files, print_tuned, run_bench, save_tuned
from audiomill.flows.bench.compare import NotComparable
from audiomill.flows.bench.options import BenchOptions, WrongOptions, parse_options
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.tune import tune
from audiomill.flows.job import UsageError
from audiomill.flows.settings import load_settings
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.options import OwnOptions, PaidOptions
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.tuning import tuned_file


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
    settings = load_settings()
    if options.is_kokoro:
        kokoro = settings.engine_options().of(KokoroOptions())
        return replace(options, weights=kokoro.weights, release=kokoro.release)

    def with_budget(own: OwnOptions) -> OwnOptions:
        return replace(own, budget=options.budget) if isinstance(own, PaidOptions) else own

    return replace(options, engine_options=settings.engine_options().each(with_budget))


def _tune(arguments: argparse.Namespace) -> None:
    """Tune for the device and the release from the settings, and save the choice."""
    kokoro = load_settings().engine_options().of(KokoroOptions())
    options = _options(arguments)
    if options.devices == ("auto",):
        options = replace(options, devices=(kokoro.device,))
    result = tune(options, arguments.seconds, BenchOutput(options.mark))
    saved = save_tuned(result, kokoro.release, tuned_file())
    print_tuned(result, saved, options, as_json=arguments.json)
