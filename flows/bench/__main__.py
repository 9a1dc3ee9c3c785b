"""`python -m audiomill.flows.bench`: the benchmark where only PyTorch and NumPy are installed.

The same as `audiomill bench`, except that settings are not read.
"""

from __future__ import annotations

import argparse
import signal
import sys

from audiomill.flows.bench.command import NO_SETTINGS, compare_files, print_tuned, run_bench
from audiomill.flows.bench.compare import NotComparable
from audiomill.flows.bench.options import WrongOptions, add_bench_options, parse_options
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.tune import tune
from audiomill.flows.console import (
    EXIT_INTERRUPTED,
    EXIT_OUTPUT,
    EXIT_RENDER,
    EXIT_USAGE,
    INTERRUPTED,
    escape_unencodable,
    say,
)
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.errors import RenderError


def main() -> int:
    """Run the command and return the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    escape_unencodable()
    parser = argparse.ArgumentParser(prog="python -m audiomill.flows.bench", allow_abbrev=False)
    add_bench_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    try:
        return _run(parser.parse_args())
    except (WrongOptions, NotComparable) as error:
        return _failed(error, EXIT_USAGE)
    except RenderError as error:
        return _failed(error, EXIT_RENDER)
    except OutputUnwritable as error:
        return _failed(error, EXIT_OUTPUT)
    except OSError as error:
        return _failed(f"The result cannot be kept: {error}.", EXIT_OUTPUT)
    except KeyboardInterrupt:
        return _failed(INTERRUPTED, EXIT_INTERRUPTED)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.compare:
        compare_files(*arguments.compare, as_json=arguments.json)
    elif arguments.tune:
        options = parse_options(arguments)
        result = tune(options, arguments.seconds, BenchOutput(options.mark))
        print_tuned(result, NO_SETTINGS, options, as_json=arguments.json)
    else:
        return run_bench(parse_options(arguments), as_json=arguments.json)
    return 0


def _failed(error: object, code: int) -> int:
    say(f"audiomill: {error}")
    return code


if __name__ == "__main__":
    sys.exit(main())
