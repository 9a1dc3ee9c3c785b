"""Kokoro beside its rivals: `PYTHONPATH=tests python -m benchmarks.rivals`; see docs/benchmark.md.

Runs where only PyTorch and NumPy are installed, too; a rival that is not installed is listed with
the reason. Settings are not read.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from audiomill.flows.bench.arguments import (
    add_measuring_options,
    add_text_options,
    add_variant_options,
)
from audiomill.flows.bench.command import FILES, run_alone, write_result
from audiomill.flows.bench.options import (
    BenchOptions,
    WrongOptions,
    one_of,
    parse_list,
    parse_options,
)
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.console import EXIT_INTERRUPTED, put_json
from audiomill.outputs.files import require_new, write_new
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.kokoro.options import KokoroOptions
from benchmarks.rivals.comparison import RIVALS, RivalResult, compare_with_rivals
from benchmarks.rivals.report import drawn_chart, rival_table

CHART_FILE = "bench.png"


def main() -> int:
    """Run the comparison and return the exit code, which is that of `audiomill bench`."""
    return run_alone(lambda: _run(_parser().parse_args()), "benchmarks.rivals")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.rivals",
        description="Kokoro beside its rivals, with the same text and the same weights.",
        allow_abbrev=False,
    )
    add_text_options(parser)
    add_variant_options(parser)
    add_measuring_options(parser)
    parser.add_argument(
        "--rivals",
        default=",".join(RIVALS),
        metavar="NAME,…",
        help=f"{', '.join(RIVALS)} (default: all)",
    )
    parser.add_argument(
        "--weights", type=Path, metavar="DIR", help="Kokoro's files (default: those fetched)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help=f"write {', '.join(FILES)} and {CHART_FILE} there"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    options = parse_options(arguments)
    if options.model is None:
        raise WrongOptions("Rivals are compared with Kokoro alone: leave --engine out.")
    weights = KokoroOptions(weights=arguments.weights)
    options = replace(options, engine_options=EngineOptions((weights,)))
    rivals = parse_list(arguments.rivals, "--rivals", one_of(RIVALS))
    if options.out:
        for name in (*FILES, CHART_FILE):
            require_new(options.out / name)
    output = BenchOutput(options.mark)
    comparison = compare_with_rivals(options, rivals, output)
    if arguments.json:
        put_json(comparison.json())
    else:
        output.put(rival_table(comparison))
    if options.out:
        _write(comparison, options, options.out, output)
    return EXIT_INTERRUPTED if comparison.result.is_interrupted else 0


def _write(
    comparison: RivalResult, options: BenchOptions, folder: Path, output: BenchOutput
) -> None:
    """Raises OutputUnwritable."""
    write_result(folder, options.mark, rival_table(comparison), comparison.json())
    try:
        write_new(folder / CHART_FILE, drawn_chart(comparison.result))
    except ImportError as error:
        output.say(f"no chart: {error}")
    output.say(f"written to {folder}")


if __name__ == "__main__":
    sys.exit(main())
