"""A whole benchmark: from options to a result.

    options ─▶ weights, devices, text ─▶ variants ─▶ warm up ─▶ passes, interleaved ─▶ result

Synthesis keeps its processes for the whole run, and their passes alternate: something that
disturbs the machine for a while then disturbs all variants. An end-to-end pass has a process of its
own, because a process remembers what it has pronounced.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from audiomill.flows.bench.any_engine import EngineSurvey, cost_warnings, device_of, survey_engines
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.engines import ArtifactBuilder, EnginePool
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.passes import BenchOutput, PassRunner
from audiomill.flows.bench.results.result import Result
from audiomill.flows.bench.texts import bench_text_for, check_source
from audiomill.flows.bench.variants import (
    Device,
    text_variant,
    text_variants,
    variants_of,
)
from audiomill.inputs.model.book import SourceEmpty
from audiomill.renderers.base import EngineFailed, EngineMissing, RenderError
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.host.hardware import Machine, commit, load, this_machine, versions
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.files import check_pytorch
from audiomill.renderers.kokoro.weights.releases import DEFAULT_VOICES
from audiomill.renderers.registry import check_engine

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
        text = _text(options, kokoro, devices)
        devices = _with_ceilings(devices, folder, output)
        names = ", ".join(device.name for device in devices)
        output.say(f"{text.title}: {text.n_words:,} words, on {names}")
        with EnginePool(options, kokoro, text, folder) as pool:
            runner = PassRunner(pool, options.repeat, output)
            runner.run(variants_of(options, devices), devices)
    return _result(options, machine, text, devices, runner)


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
    _check_spoken(texts.values(), options.chunkings)
    text = next(iter(texts.values()))
    names = {engine: survey.device for engine, survey in surveys.items()}
    devices = tuple(Device(name, {}) for name in dict.fromkeys(names.values()))
    output.say(f"{text.title}: {text.n_words:,} words, with {', '.join(texts)}")
    in_flight = {engine: survey.in_flight(options) for engine, survey in surveys.items()}
    with (
        tempfile.TemporaryDirectory(prefix="audiomill-bench-") as temporary,
        EnginePool(options, KokoroOptions(), text, Path(temporary), texts) as pool,
    ):
        runner = PassRunner(pool, options.repeat, output, _paid(surveys))
        for engine, reason in missing.items():
            runner.skip(text_variant(engine, device_of(engine, options.engine_options)), reason)
        runner.run(text_variants(options, names, in_flight), devices)
    return _result(options, machine, text, devices, runner, texts)


def _paid(surveys: Mapping[str, EngineSurvey]) -> frozenset[str]:
    return frozenset(engine for engine, one in surveys.items() if one.has_price)


def _check_spoken(texts: Iterable[BenchText], chunkings: Sequence[str]) -> None:
    """Raise SourceEmpty if there is nothing to speak."""
    for text in texts:
        if not all(map(text.lines, chunkings)):
            raise SourceEmpty(f"There is nothing to speak in “{text.title}”.")


def _text(options: BenchOptions, kokoro: KokoroOptions, devices: Sequence[Device]) -> BenchText:
    """The text that all variants speak.

    Raises SourceError, EngineMissing, WrongOptions; SourceEmpty if there is nothing to speak.
    """
    n_words = min(options.n_words(device.name) for device in devices)
    text = bench_text_for(options, kokoro, n_words)
    _check_spoken([text], options.chunkings)
    return text


def _result(
    options: BenchOptions,
    machine: Machine,
    text: BenchText,
    devices: Sequence[Device],
    runner: PassRunner,
    texts: Mapping[str, BenchText] | None = None,
) -> Result:
    measurements = runner.measurements
    ceilings = {device.name: dict(device.ceilings) for device in devices}
    return Result(
        mark=options.mark,
        text=text,
        machine=machine,
        devices={
            name: {**facts, "ceilings": ceilings[name]}
            for name, facts in measurements.facts.items()
        },
        versions=versions(),
        commit=commit(ROOT),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        load_after=load(),
        weights=_weights(options, measurements.facts),
        repeat=options.repeat,
        rows=measurements.rows(text, devices, texts),
        references=measurements.references(),
        skipped=tuple(measurements.skipped),
        is_interrupted=runner.is_interrupted,
    )


def weights_and_devices(
    options: BenchOptions, folder: Path, output: BenchOutput
) -> tuple[KokoroOptions, tuple[Device, ...]]:
    """Kokoro's options with the weights to use, and the devices that the options name.

    Raises EngineMissing, EngineFailed, WrongOptions.
    """
    kokoro = KokoroOptions(weights=options.weights, release=options.release)
    check_pytorch()
    if not options.random_weights:
        _check_weights(kokoro)
    try:
        with RemoteObject(ArtifactBuilder, folder) as builder:
            devices = _devices(options, builder)
            if options.random_weights:
                output.say("making random weights")
                kokoro = replace(kokoro, weights=builder.call("random_model", DEFAULT_VOICES))
    except RemoteError as error:
        raise EngineFailed(str(error)) from error
    return kokoro, devices


def _check_weights(options: KokoroOptions) -> None:
    """Raise EngineMissing, with the way to do without them, if there are no weights."""
    try:
        check_engine("kokoro", EngineOptions((options,)))
    except RenderError as error:
        advice = "--random-weights measures without the real ones."
        raise EngineMissing(f"{str(error).rstrip('.')}. {advice}") from error


def _devices(options: BenchOptions, builder: RemoteObject) -> tuple[Device, ...]:
    """The devices without duplicates.

    Raises RemoteError; WrongOptions if no device supports any of the precisions.
    """
    named: list[Device] = [builder.call("device", name) for name in options.devices]
    devices = tuple({device.name: device for device in named}.values())
    reasons = [
        device.unsupported.get(precision, "")
        for device in devices
        for precision in options.precisions
    ]
    if reasons and all(reasons):
        raise WrongOptions(f"--precision {','.join(options.precisions)}: {reasons[0]}.")
    return devices


def _with_ceilings(
    devices: tuple[Device, ...], folder: Path, output: BenchOutput
) -> tuple[Device, ...]:
    """The devices with their ceilings, measured now. Raises EngineFailed."""
    try:
        with RemoteObject(ArtifactBuilder, folder) as builder:
            return tuple(_measured(device, builder, output) for device in devices)
    except RemoteError as error:
        raise EngineFailed(str(error)) from error


def _measured(device: Device, builder: RemoteObject, output: BenchOutput) -> Device:
    """Raises RemoteError."""
    output.say(f"measuring what {device.name} can do at most")
    return replace(device, ceilings=builder.call("ceilings", device.name))


def _weights(options: BenchOptions, facts: Mapping[str, Mapping[str, object]]) -> str:
    """The identity of the weights; see `Result`."""
    if options.random_weights:
        return "random"
    digests = (one.get("weights_sha256", "") for one in facts.values())
    return str(next(digests, ""))
