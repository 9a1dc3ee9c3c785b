"""A whole benchmark: from options to a result.

    options ─▶ weights, devices, text ─▶ variants ─▶ warm up ─▶ passes, interleaved ─▶ result

Synthesis keeps its processes for the whole run, and their passes alternate: something that
disturbs the machine for a while then disturbs all variants. An end-to-end pass has a process of its
own, because a process remembers what it has pronounced.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from audiomill.flows.bench.any_engine import EngineSurvey, cost_warnings, device_of, survey_engines
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.engines import EndToEndFiles, EnginePool, TextOpener
from audiomill.flows.bench.kokoro import (
    KokoroOpener,
    kokoro_variants,
    spoken_text,
    weights_and_devices,
)
from audiomill.flows.bench.options import BenchOptions
from audiomill.flows.bench.passes import BenchOutput, PassRunner
from audiomill.flows.bench.result import Result
from audiomill.flows.bench.texts import check_source, check_spoken
from audiomill.flows.bench.variants import Device, text_variant, text_variants
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.hardware import Machine, commit, load, this_machine, versions

ROOT = Path(__file__).parents[2]


def bench(options: BenchOptions, output: BenchOutput) -> Result:
    """Run the benchmark in a temporary folder.

    Variants that cannot be measured here are skipped, with the reason in the result.

    Raises WrongOptions, SourceError, RenderError.
    """
    check_source(options)  # before the work that it would waste
    if not options.is_kokoro:
        return _bench_from_text(options, output)
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as temporary:
        folder = Path(temporary)
        kokoro, devices = weights_and_devices(options, folder, output)
        text = spoken_text(options, kokoro, devices)
        names = ", ".join(device.name for device in devices)
        output.say(f"{text.title}: {text.n_words:,} words, on {names}")
        with EnginePool(KokoroOpener(options, kokoro, text, folder)) as pool:
            runner = PassRunner(pool, options.repeat, output)
            runner.run(kokoro_variants(options, devices), devices)
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

    `texts`: the text as other engines than Kokoro were given it, by engine.
    """
    measurements = runner.measurements
    return Result(
        mark=options.mark,
        text=text,
        machine=machine,
        devices=measurements.facts,
        versions=versions(),
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
