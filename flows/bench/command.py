"""From an order to what is printed and written. Reads no settings, so that it works without any."""

from __future__ import annotations

import json
from pathlib import Path

from audiomill.flows.bench.compare import compare, comparison_table, read_result
from audiomill.flows.bench.options import BenchOptions
from audiomill.flows.bench.result import Result
from audiomill.flows.bench.runner import BenchOutput, bench
from audiomill.flows.bench.table import draw, table
from audiomill.flows.bench.tune import TuneResult
from audiomill.flows.console import put, put_json

NO_PLACE = "Kept nowhere: settings are read by audiomill bench --tune only."


def carry_out(order: BenchOptions, *, as_json: bool) -> None:
    """Measure and tell. Raises WrongOptions, SourceError, RenderError, OSError."""
    teller = BenchOutput(order.mark)
    if order.out:
        order.out.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    result = bench(order, teller)
    if order.out:
        _write(result, order.out, teller)
    if as_json:
        put_json(result.json())
    else:
        teller.put(table(result))


def compare_files(a: Path, b: Path, *, as_json: bool) -> None:
    """Tell two results apart. Raises NotComparable."""
    comparison = compare(read_result(a), read_result(b))
    if as_json:
        put_json(comparison.json())
        return
    for line in comparison_table(comparison).splitlines():
        put(line)


def tell_tuned(found: TuneResult, kept: str, order: BenchOptions, *, as_json: bool) -> None:
    """Print what tuning found, and what became of it."""
    if as_json:
        put_json(found.json() | {"kept": kept})
    else:
        BenchOutput(order.mark).put(f"{found.table()}\n{kept}")


def _write(result: Result, folder: Path, teller: BenchOutput) -> None:
    """bench.json, bench.txt and bench.png. Raises OSError."""
    marked = "".join(f"{result.mark}{line}\n" for line in table(result).splitlines())
    (folder / "bench.txt").write_text(marked, "utf-8")
    written = json.dumps(result.json(), ensure_ascii=False, indent=1)
    (folder / "bench.json").write_text(f"{written}\n", "utf-8")
    try:
        draw(result, folder / "bench.png")
    except ImportError as error:
        teller.say(f"no chart: {error}. Install what draws it: pip install matplotlib")
    teller.say(f"written to {folder}")
