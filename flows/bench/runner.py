"""A whole benchmark: from options to a result.

    options ─▶ weights, devices, text ─▶ variants ─▶ warm up ─▶ passes, interleaved ─▶ result

Synthesis keeps its processes for the whole run, and their passes alternate: something that
disturbs the machine for a while then disturbs all variants. An end-to-end pass has a process of its
own, because a process remembers what it has pronounced.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from audiomill.flows import console
from audiomill.flows.bench.any_engine import EngineSurvey, cost_warnings, device_of, survey_engines
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.engines import ArtifactBuilder, EnginePool
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.results.result import Measurements, Result, SkippedVariant
from audiomill.flows.bench.texts import bench_text_for, check_source
from audiomill.flows.bench.variants import (
    Device,
    Mode,
    Variant,
    text_variant,
    text_variants,
    variants_of,
)
from audiomill.inputs.book import SourceEmpty
from audiomill.renderers.base import EngineFailed, EngineMissing, RenderError
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.host.hardware import Machine, commit, load, this_machine, versions
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.files import check_pytorch
from audiomill.renderers.kokoro.weights.releases import DEFAULT_VOICES
from audiomill.renderers.registry import check_engine

ROOT = Path(__file__).parents[2]
PROGRESS_EVERY_S = 10.0
STOP_AFTER_S = 1.0


class BenchOutput:
    """Progress to stderr and results to stdout, each line with the prefix `mark`."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def say(self, line: str) -> None:
        """Print one line of progress, or a warning."""
        console.say(f"{self._mark}{line}")

    def put(self, text: str) -> None:
        """Print lines of the result."""
        for line in text.splitlines():
            console.put(f"{self._mark}{line}")

    def progress_of(self, task: str) -> Callable[[float], None]:
        """A function that takes the finished share of a task, from 0 to 1.

        It prints that now and then, with the time that is left.
        """
        start_s = last_s = time.monotonic()

        def report(share: float) -> None:
            nonlocal last_s
            now_s = time.monotonic()
            if now_s - last_s >= PROGRESS_EVERY_S and 0 < share < 1:
                last_s = now_s
                left_s = (now_s - start_s) * (1 - share) / share
                self.say(f"  {task}: {share:.0%}, about {left_s:.0f} s left")

        return report


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


class PassRunner:
    """Runs the passes of all variants and collects what they measure."""

    def __init__(
        self,
        pool: EnginePool,
        repeat: int,
        output: BenchOutput,
        paid: frozenset[str] = frozenset(),
    ) -> None:
        """`paid`: engines that are not asked for more than the passes."""
        self._paid = paid
        self._pool = pool
        self._repeat = repeat
        self._output = output
        self.measurements = Measurements()
        self.is_interrupted = False

    def run(self, variants: Sequence[Variant], devices: Sequence[Device]) -> None:
        """Measure all variants. Raises EngineFailed if none of our own can synthesize.

        Variants that fail are skipped, and so are end-to-end runs that this installation does not
        support and precisions that a device lacks. Ctrl-C ends the measuring: finished passes
        count, and without any the interruption is raised.
        """
        unsupported = {device.name: device.unsupported for device in devices}
        for variant in variants:
            if reason := unsupported[variant.device].get(variant.precision):
                self.skip(variant, reason)
        try:
            self._synthesis([one for one in variants if one.mode is Mode.SYNTHESIS])
            self._end_to_end([one for one in variants if one.mode is Mode.END_TO_END])
        except KeyboardInterrupt:
            if not self.measurements.passes:
                raise
            self.is_interrupted = True
            for variant in self._remaining(variants):
                if variant not in self.measurements.passes:
                    self.skip(variant, console.INTERRUPTED)

    def _synthesis(self, variants: Sequence[Variant]) -> None:
        # Those with more requests at a time share a process with the first.
        first = {one.process_key: one for one in reversed(variants)}
        warmed = [one for one in variants if one.in_flight == 1 or one in first.values()]
        self._each(warmed, self._warm_up)
        for number in range(self._repeat):
            self._each(variants, self._pass, f"pass {number + 1} of {self._repeat}")
        self._each([one for one in variants if self._is_cancelled(one)], self._cancel)
        for variant in variants:
            self._pool.close(variant)

    def _is_cancelled(self, variant: Variant) -> bool:
        return not variant.is_rival and variant.in_flight == 1 and variant.engine not in self._paid

    def _end_to_end(self, variants: Sequence[Variant]) -> None:
        for number in range(self._repeat):
            is_last = number + 1 == self._repeat
            run = self._last_cold_run if is_last else self._cold_run
            self._each(variants, run, f"pass {number + 1} of {self._repeat}")

    def _each(self, variants: Sequence[Variant], work: Callable[..., None], *args: str) -> None:
        """Call `work` for each variant that is not skipped. Skip those that fail."""
        for variant in self._remaining(variants):
            try:
                work(variant, *args)
            except RemoteError as error:
                self.skip(variant, str(error))
                own = [one for one in variants if not one.is_rival]
                if variant in own and variant.mode is Mode.SYNTHESIS and not self._remaining(own):
                    raise EngineFailed(f"{variant.name}: {error}") from error

    def _remaining(self, variants: Sequence[Variant]) -> list[Variant]:
        skipped = {one.variant for one in self.measurements.skipped}
        return [one for one in variants if one not in skipped]

    def skip(self, variant: Variant, reason: str) -> None:
        """Note that a variant is not measured, and why."""
        self._output.say(f"not measured: {variant.name}, {variant.mode}: {reason}")
        self.measurements.skipped.append(SkippedVariant(variant, reason))
        self.measurements.passes.pop(variant, None)

    def _warm_up(self, variant: Variant) -> None:
        self._output.say(f"warming up: {variant.name}")
        self._pool.call(variant, "warm_up")
        facts = self.measurements.facts
        if not variant.is_rival and variant.device not in facts:
            facts[variant.device] = self._pool.facts(variant)

    def _pass(self, variant: Variant, which: str) -> None:
        task = f"{variant.name}, {variant.mode}, {which}"
        self._output.say(task)
        several = (variant.in_flight,) if variant.in_flight > 1 else ()
        result = self._pool.call(variant, "run", *several, report=self._output.progress_of(task))
        self.measurements.passes.setdefault(variant, []).append(result)

    def _cancel(self, variant: Variant) -> None:
        """Measure the time to stop. The request comes within the first batch."""
        self._output.say(f"{variant.name}, {variant.mode}: asked to stop")
        last = self.measurements.passes[variant][-1]
        after_s = min(STOP_AFTER_S, last.finished_s[0] / 2)
        self.measurements.cancellation_s[variant] = self._pool.call(variant, "cancel", after_s)

    def _cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        self._pool.close(variant)

    def _last_cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        if not variant.is_rival:
            self.measurements.stages[variant] = self._pool.stages(variant)
            self._cancel(variant)
        self._pool.close(variant)


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
