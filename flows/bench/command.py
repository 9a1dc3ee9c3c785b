"""The benchmark as both commands run it: measure, compare, print, write and save.

Reads no settings, so that it works without them.

A whole benchmark: from options to a result.

    options ─▶ weights, devices, text ─▶ variants ─▶ warm up ─▶ passes, interleaved ─▶ result

Synthesis keeps its processes for the whole run, and their passes alternate: something that
disturbs the machine for a while then disturbs all variants. An end-to-end pass has a process of its
own, because a process remembers what it has pronounced.
"""

from __future__ import annotations

import json
import signal
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from audiomill.flows.bench.any_engine import EngineSurvey, cost_warnings, device_of, survey_engines
from audiomill.flows.bench.compare import NotComparable, compare, comparison_table, read_result
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.engines import EndToEndFiles, EnginePool, TextOpener
from audiomill.flows.bench.model_alone import (
    ModelOpener,
    model_variants,
    spoken_text,
    weights_and_devices,
)
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.passes import BenchOutput, PassRunner
from audiomill.flows.bench.result import RESULT_FILE, Result
from audiomill.flows.bench.table import table
from audiomill.flows.bench.texts import check_source, check_spoken
from audiomill.flows.bench.tune import TuneResult
from audiomill.flows.bench.variants import text_variant, text_variants
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
from audiomill.renderers.engine.benchmarking import BenchModel, Device, Tuning
from audiomill.renderers.engine.errors import EngineFailed, RenderError
from audiomill.renderers.engine.registry import bench_models
from audiomill.renderers.host.hardware import (
    Machine,
    commit,
    load,
    this_machine,
    versions,
)

TABLE_FILE = "bench.txt"
FILES = (RESULT_FILE, TABLE_FILE)
# Where a result of `--tune` was not saved, and why.
NO_SETTINGS = "Kept nowhere: settings are read by audiomill bench --tune only."
OTHER_SIZE = (
    "Kept nowhere: the weights that were measured are of another size than the official ones, and"
    " cost something else."
)
ROOT = Path(__file__).parents[2]


def run_alone(run: Callable[[], int], program: str) -> int:
    """The exit code of a run where only PyTorch and NumPy are installed.

    An expected error is told in a line that begins with the program's name.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    escape_unencodable()
    try:
        return run()
    except (WrongOptions, NotComparable) as error:
        message, code = str(error), EXIT_USAGE
    except RenderError as error:
        message, code = str(error), EXIT_RENDER
    except OutputUnwritable as error:
        message, code = str(error), EXIT_OUTPUT
    except OSError as error:
        message, code = f"The result cannot be kept: {error}.", EXIT_OUTPUT
    except KeyboardInterrupt:
        message, code = INTERRUPTED, EXIT_INTERRUPTED
    say(f"{program}: {message}")
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


def save_tuned(result: TuneResult, tuning: Tuning) -> str:
    """Save the choice for all later runs, in place of an earlier one. The outcome as a sentence.

    `tuning` is that of the model that runs use. A model of another size than the official one is
    not saved.

    Raises OSError, OutputUnwritable.
    """
    if not result.costs_as_official:
        return OTHER_SIZE
    tuning.path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(tuning.path, tuning.content(result.measured))
    saved = f"Kept in {tuning.path}; every run here goes by it unless a setting says otherwise."
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


def bench(options: BenchOptions, output: BenchOutput) -> Result:
    """Run the benchmark in a temporary folder.

    Variants that cannot be measured here are skipped, with the reason in the result.

    Raises WrongOptions, SourceError, RenderError.
    """
    check_source(options)  # before the work that it would waste
    if options.model is not None:
        return _bench_model(options, options.model, output)
    return _bench_from_text(options, output)


def _bench_model(options: BenchOptions, model: BenchModel, output: BenchOutput) -> Result:
    """The benchmark of a model alone. Raises WrongOptions, SourceError, RenderError."""
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as temporary:
        folder = Path(temporary)
        model, devices = weights_and_devices(options, model, folder, output)
        text = spoken_text(options, model, devices)
        names = ", ".join(device.name for device in devices)
        output.say(f"{text.title}: {text.n_words:,} words, on {names}")
        with EnginePool(ModelOpener(options, model, text, folder)) as pool:
            runner = PassRunner(pool, options.repeat, output)
            runner.run(model_variants(options, model, devices), devices)
    return result_of(options, machine, text, runner)


def _bench_from_text(options: BenchOptions, output: BenchOutput) -> Result:
    """The benchmark of any engines, each as it is in a render.

    Raises WrongOptions, SourceError, RenderError.
    """
    machine = this_machine()
    surveys, missing = survey_engines(options)
    for line in cost_warnings(options, surveys):
        output.say(line)
    texts = {engine: survey.text for engine, survey in surveys.items()}
    if not texts:
        raise EngineFailed("; ".join(f"{engine}: {reason}" for engine, reason in missing.items()))
    check_spoken(texts.values(), options.chunkings)
    text = next(iter(texts.values()))
    names = {engine: survey.device for engine, survey in surveys.items()}
    devices = tuple(Device(name, {}) for name in dict.fromkeys(names.values()))
    output.say(f"{text.title}: {text.n_words:,} words, with {', '.join(texts)}")
    in_flight = {engine: survey.in_flight(options) for engine, survey in surveys.items()}
    with (
        tempfile.TemporaryDirectory(prefix="audiomill-bench-") as temporary,
        EnginePool(TextOpener(options, texts, _files(options, text, temporary))) as pool,
    ):
        runner = PassRunner(pool, options.repeat, output, _paid(surveys))
        for engine, reason in missing.items():
            runner.skip(text_variant(engine, device_of(engine, options.engine_options)), reason)
        runner.run(text_variants(options, names, in_flight), devices)
    return result_of(options, machine, text, runner, texts)


def _files(options: BenchOptions, text: BenchText, folder: str) -> EndToEndFiles:
    return EndToEndFiles(options, text, Path(folder))


def _paid(surveys: Mapping[str, EngineSurvey]) -> frozenset[str]:
    return frozenset(engine for engine, one in surveys.items() if one.has_price)


def result_of(
    options: BenchOptions,
    machine: Machine,
    text: BenchText,
    runner: PassRunner,
    texts: Mapping[str, BenchText] | None = None,
) -> Result:
    """The result of a runner that has run.

    `texts`: the text as each engine was given it, of those that are measured from it.
    """
    measurements = runner.measurements
    return Result(
        mark=options.mark,
        text=text,
        machine=machine,
        devices=measurements.facts,
        versions=versions(one for model in bench_models().values() for one in model.packages),
        commit=commit(ROOT),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        load_after=load(),
        weights=_weights(options, measurements.facts),
        repeat=options.repeat,
        rows=measurements.rows(text, texts),
        references=measurements.references(),
        skipped=tuple(measurements.skipped),
        is_interrupted=runner.is_interrupted,
    )


def _weights(options: BenchOptions, facts: Mapping[str, Mapping[str, object]]) -> str:
    """The identity of the weights; see `Result`."""
    if options.random_weights:
        return "random"
    digests = (one.get("weights_sha256", "") for one in facts.values())
    return str(next(digests, ""))
