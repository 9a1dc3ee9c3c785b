"""The work of both commands of the benchmark: measure, compare, print, write and save.

Reads no settings, so that it works without them.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from audiomill.flows.bench.compare import NotComparable, compare, comparison_table, read_result
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.result import RESULT_FILE
from audiomill.flows.bench.runner import bench
from audiomill.flows.bench.table import table
from audiomill.flows.bench.tune import TuneResult
from audiomill.flows.console import (
    EXIT_INTERRUPTED,
    EXIT_OUTPUT,
    EXIT_RENDER,
    EXIT_USAGE,
    INTERRUPTED,
    escape_unencodable,
    put,
    put_json,
    say,
)
from audiomill.outputs.files import require_new, write_atomically, write_new
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.host.hardware import this_fingerprint
from audiomill.renderers.kokoro.tuning import Tuned, tuned_to_json

TABLE_FILE = "bench.txt"
FILES = (RESULT_FILE, TABLE_FILE)
# Where a result of `--tune` was not saved, and why.
NO_SETTINGS = "Kept nowhere: settings are read by audiomill bench --tune only."
OTHER_SIZE = (
    "Kept nowhere: the weights that were measured are of another size than the official ones, and"
    " cost something else."
)


def run_alone(run: Callable[[], int], program: str) -> int:
    """The exit code of a run where only PyTorch and NumPy are installed.

    An expected error is told in a line that begins with the program's name.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    escape_unencodable()
    try:
        return run()
    except (WrongOptions, NotComparable) as error:
        told, code = str(error), EXIT_USAGE
    except RenderError as error:
        told, code = str(error), EXIT_RENDER
    except OutputUnwritable as error:
        told, code = str(error), EXIT_OUTPUT
    except OSError as error:
        told, code = f"The result cannot be kept: {error}.", EXIT_OUTPUT
    except KeyboardInterrupt:
        told, code = INTERRUPTED, EXIT_INTERRUPTED
    say(f"{program}: {told}")
    return code


def run_bench(options: BenchOptions, *, as_json: bool) -> int:
    """Measure, print, then write; the exit code. After Ctrl-C, what is measured is kept.

    Raises WrongOptions, SourceError, RenderError, OSError, OutputUnwritable.
    """
    output = BenchOutput(options.mark)
    if options.out:
        for name in FILES:
            require_new(options.out / name)
    result = bench(options, output)
    if as_json:
        put_json(result.json())
    else:
        output.put(table(result))
    if options.out:
        write_result(options.out, result.mark, table(result), result.json())
        output.say(f"written to {options.out}")
    return EXIT_INTERRUPTED if result.is_interrupted else 0


def compare_files(a: Path, b: Path, *, as_json: bool) -> None:
    """Print the comparison of two results. Raises NotComparable."""
    comparison = compare(read_result(a), read_result(b))
    if as_json:
        put_json(comparison.json())
        return
    for line in comparison_table(comparison).splitlines():
        put(line)


def save_tuned(result: TuneResult, release: str, path: Path) -> str:
    """Save the choice for all later runs, in place of an earlier one. The outcome as a sentence.

    `release` is the release of the model that runs use; random weights have none of their own. A
    model of another size than the official one is not saved.

    Raises OSError, OutputUnwritable.
    """
    if not result.costs_as_official:
        return OTHER_SIZE
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, tuned_to_json(_tuned(result, release)))
    saved = f"Kept in {path}; every run here goes by it unless a setting says otherwise."
    if result.weights == "random":
        saved += " Measured with random weights, which cost what real ones do."
    return saved


def print_tuned(result: TuneResult, saved: str, options: BenchOptions, *, as_json: bool) -> None:
    """Print the result of tuning. `saved` says where it was saved."""
    if as_json:
        put_json(result.json() | {"kept": saved})
    else:
        BenchOutput(options.mark).put(f"{result.table()}\n{saved}")


def write_result(folder: Path, mark: str, text: str, document: dict[str, Any]) -> None:
    """Write bench.txt, each line after `mark`, and bench.json. Raises OutputUnwritable."""
    marked = "".join(f"{mark}{line}\n" for line in text.splitlines())
    write_new(folder / TABLE_FILE, marked.encode())
    indented = json.dumps(document, ensure_ascii=False, indent=1)
    write_new(folder / RESULT_FILE, f"{indented}\n".encode())


def _tuned(result: TuneResult, release: str) -> Tuned:
    return Tuned(
        choice=result.choice,
        device=result.device,
        release=release,
        machine=this_fingerprint(),
        date=result.date,
        speed=result.speed,
        default_speed=result.default_speed,
        weights=result.weights,
    )
