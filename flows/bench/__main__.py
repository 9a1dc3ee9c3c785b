"""`python -m audiomill.flows.bench`: the benchmark where only PyTorch and NumPy are installed.

The same as `audiomill bench`, except that settings are not read.
"""

from __future__ import annotations

import argparse
import sys

from audiomill.flows.bench.arguments import add_bench_options
from audiomill.flows.bench.command import (
    NO_SETTINGS,
    compare_files,
    print_tuned,
    run_alone,
    run_bench,
)
from audiomill.flows.bench.options import parse_options
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.tune import tune


def main() -> int:
    """Run the command and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m audiomill.flows.bench", allow_abbrev=False)
    add_bench_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return run_alone(lambda: _run(parser.parse_args()), "audiomill")


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


if __name__ == "__main__":
    sys.exit(main())
