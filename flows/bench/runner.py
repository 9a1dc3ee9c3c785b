"""A whole benchmark: from an order to a result.

order ─▶ text, weights, devices ─▶ variants ─▶ warm up ─▶ passes, taking turns ─▶ result
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from audiomill.flows import console
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.engines import ArtifactBuilder, EnginePool
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.result import Passed, Result, ResultRow
from audiomill.flows.bench.statistics import Pass, Stages, figures_of, share_of
from audiomill.flows.bench.texts import bench_text_for
from audiomill.flows.bench.variants import Device, Mode, Variant, reference, variants_of
from audiomill.inputs.book import SourceEmpty
from audiomill.renderers.base import EngineFailed, EngineMissing, RenderError
from audiomill.renderers.host.hardware import Machine, commit, load, this_machine, versions
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.kokoro.weights.releases import FIRST_CHOICES
from audiomill.renderers.options import PRECISIONS, EngineOptions, KokoroOptions
from audiomill.renderers.registry import check_kokoro

# What is said while a benchmark runs.

LINE_EVERY_S = 10.0


class BenchOutput:
    """Progress to stderr, results to stdout, each line with `mark` before it."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def say(self, line: str) -> None:
        """One line of progress, or a warning."""
        console.say(f"{self._mark}{line}")

    def put(self, text: str) -> None:
        """Lines of the result."""
        for line in text.splitlines():
            console.put(f"{self._mark}{line}")

    def during(self, what: str) -> Callable[[float], None]:
        """Told how much of `what` is done, it says so now and then, with the time that is left."""
        began = last = time.monotonic()

        def tell(part: float) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= LINE_EVERY_S and 0 < part < 1:
                last = now
                left_s = (now - began) * (1 - part) / part
                self.say(f"  {what}: {part:.0%}, about {left_s:.0f} s left")

        return tell


# What must be there before anything is measured:


def prepared(
    order: BenchOptions, folder: Path, teller: BenchOutput
) -> tuple[KokoroOptions, tuple[Device, ...]]:
    """Which weights are spoken with, and which devices are meant.

    Raises EngineMissing, EngineFailed, WrongOptions.
    """
    options = KokoroOptions(weights=order.weights, release=order.release)
    if order.engine != "kokoro":
        lacks = {one: f"{order.engine} does not have it" for one in PRECISIONS if one != "float32"}
        return options, (Device("cpu", lacks),)
    if not order.random_weights:
        _refuse_missing(options)
    try:
        with RemoteObject(ArtifactBuilder, folder) as maker:
            devices = _devices(order, maker)
            if order.random_weights:
                teller.say("making random weights")
                options = replace(options, weights=maker.ask("random_model", FIRST_CHOICES))
    except RemoteError as error:
        raise EngineFailed(str(error)) from error
    return options, devices


def with_ceilings(
    devices: tuple[Device, ...], folder: Path, teller: BenchOutput
) -> tuple[Device, ...]:
    """With what each could do at most, measured now. Raises EngineFailed."""
    try:
        with RemoteObject(ArtifactBuilder, folder) as maker:
            return tuple(_measured(device, maker, teller) for device in devices)
    except RemoteError as error:
        raise EngineFailed(str(error)) from error


def _measured(device: Device, maker: RemoteObject, teller: BenchOutput) -> Device:
    """Raises RemoteError."""
    teller.say(f"measuring what {device.name} can do at most")
    return replace(device, ceilings=maker.ask("ceilings", device.name))


def _devices(order: BenchOptions, maker: RemoteObject) -> tuple[Device, ...]:
    """Each once. Raises RemoteError, WrongOptions if none has a precision that is asked for."""
    found: list[Device] = [maker.ask("device", name) for name in order.devices]
    devices = tuple({one.name: one for one in found}.values())
    lacks = [one.lacks.get(precision, "") for one in devices for precision in order.precisions]
    if lacks and all(lacks):
        raise WrongOptions(f"--precision {','.join(order.precisions)}: {lacks[0]}.")
    return devices


def _refuse_missing(options: KokoroOptions) -> None:
    """Raise EngineMissing, which says what can be done without them, if there are no weights."""
    try:
        check_kokoro(EngineOptions(options))
    except RenderError as error:
        raise EngineMissing(f"{error} To measure speed without them: --random-weights") from error


# The order in which variants are measured, and what comes of each.

STOP_AFTER_S = 1.0


class Rounds:
    """Passes as they come in."""

    def __init__(self, stands: EnginePool, repeat: int, teller: BenchOutput) -> None:
        self._stands = stands
        self._repeat = repeat
        self._teller = teller
        self.passes: dict[Variant, list[Pass]] = {}
        self.facts: dict[str, Mapping[str, object]] = {}  # of each device, as ours sees it
        self.cancellation_s: dict[Variant, float] = {}
        self.stages: dict[Variant, Stages] = {}
        self.passed: list[Passed] = []

    def run(self, variants: Sequence[Variant], devices: Sequence[Device]) -> None:
        """Measure all. Raises EngineFailed if none of ours can speak.

        What cannot is passed over, and so are whole runs that this installation cannot make and
        precisions that a device has not.
        """
        lacks = {one.name: one.lacks for one in devices}
        for variant in variants:
            if lack := lacks[variant.device].get(variant.precision):
                self._pass_over(variant, lack)
        self._synthesis([one for one in variants if one.mode is Mode.SYNTHESIS])
        self._end_to_end([one for one in variants if one.mode is Mode.END_TO_END])

    def _synthesis(self, variants: Sequence[Variant]) -> None:
        self._each(variants, self._warm_up)
        for number in range(self._repeat):
            self._each(variants, self._pass, f"pass {number + 1} of {self._repeat}")
        self._each([one for one in variants if not one.is_rival], self._cancel)
        for variant in variants:
            self._stands.drop(variant)

    def _end_to_end(self, variants: Sequence[Variant]) -> None:
        for number in range(self._repeat):
            is_last = number + 1 == self._repeat
            work = self._last_cold_run if is_last else self._cold_run
            self._each(variants, work, f"pass {number + 1} of {self._repeat}")

    def _each(self, variants: Sequence[Variant], work: Callable[..., None], *given: str) -> None:
        for variant in self._left(variants):
            try:
                work(variant, *given)
            except RemoteError as error:
                self._pass_over(variant, str(error))
                own = [one for one in variants if not one.is_rival]
                if variant in own and variant.mode is Mode.SYNTHESIS and not self._left(own):
                    raise EngineFailed(f"{variant.name}: {error}") from error

    def _left(self, variants: Sequence[Variant]) -> list[Variant]:
        passed = {one.variant for one in self.passed}
        return [one for one in variants if one not in passed]

    def _pass_over(self, variant: Variant, reason: str) -> None:
        self._teller.say(f"not measured: {variant.name}, {variant.mode}: {reason}")
        self.passed.append(Passed(variant, reason))
        self.passes.pop(variant, None)

    def _warm_up(self, variant: Variant) -> None:
        self._teller.say(f"warming up: {variant.name}")
        self._stands.ask(variant, "warm_up")
        if not variant.is_rival and variant.device not in self.facts:
            self.facts[variant.device] = self._stands.facts(variant)

    def _pass(self, variant: Variant, which: str) -> None:
        what = f"{variant.name}, {variant.mode}, {which}"
        self._teller.say(what)
        heard = self._teller.during(what)
        self.passes.setdefault(variant, []).append(self._stands.ask(variant, "run", heard=heard))

    def _cancel(self, variant: Variant) -> None:
        """Asked while the first batch is under way."""
        self._teller.say(f"{variant.name}, {variant.mode}: asked to stop")
        after_s = min(STOP_AFTER_S, self.passes[variant][-1].finished_s[0] / 2)
        self.cancellation_s[variant] = self._stands.ask(variant, "cancel", after_s)

    def _cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        self._stands.drop(variant)

    def _last_cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        if not variant.is_rival:
            self.stages[variant] = self._stands.stages(variant)
            self._cancel(variant)
        self._stands.drop(variant)


ROOT = Path(__file__).parent.parent.parent


def bench(order: BenchOptions, teller: BenchOutput) -> Result:
    """Measure what `order` asks for, in a folder that is gone afterwards.

    Raises WrongOptions, SourceError, RenderError. What cannot be compared here is passed over, with
    the reason in the result.
    """
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as made:
        folder = Path(made)
        options, devices = prepared(order, folder, teller)
        subject = bench_text_for(
            order, options, min(order.n_words(device.name) for device in devices)
        )
        if not all(map(subject.lines, order.chunkings)):
            raise SourceEmpty(f"There is nothing to speak in “{subject.title}”.")
        if order.engine == "kokoro":
            devices = with_ceilings(devices, folder, teller)
        names = ", ".join(device.name for device in devices)
        teller.say(f"{subject.title}: {subject.n_words:,} words, on {names}")
        with EnginePool(order, options, subject, folder) as stands:
            rounds = Rounds(stands, order.repeat, teller)
            rounds.run(variants_of(order, devices), devices)
    return _result(order, machine, devices, subject, rounds)


def _result(
    order: BenchOptions,
    machine: Machine,
    devices: Sequence[Device],
    subject: BenchText,
    rounds: Rounds,
) -> Result:
    ceilings = {one.name: one.ceilings for one in devices}
    medians_s = {one: median(each.wall_s for each in rounds.passes[one]) for one in rounds.passes}
    references = {mode: one for mode in Mode if (one := reference(medians_s, mode))}
    return Result(
        mark=order.mark,
        subject=subject,
        machine=machine,
        devices={
            name: {**facts, "ceilings": dict(ceilings[name])}
            for name, facts in rounds.facts.items()
        },
        versions=versions(),
        commit=commit(ROOT),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        load_after=load(),
        weights=_weights(order, rounds.facts),
        repeat=order.repeat,
        rows=tuple(
            _row(
                subject,
                rounds,
                one,
                medians_s[references[one.mode]] / medians_s[one],
                ceilings[one.device],
            )
            for one in medians_s
        ),
        references=references,
        passed=tuple(rounds.passed),
    )


def _row(
    subject: BenchText,
    rounds: Rounds,
    variant: Variant,
    ratio: float,
    ceilings: Mapping[str, float],
) -> ResultRow:
    lines = subject.lines(variant.chunking)
    n_chars = sum(line.n_chars for line in lines)
    figures = figures_of(rounds.passes[variant], n_chars, rounds.cancellation_s.get(variant))
    share = share_of(figures.speed, variant, rounds.facts.get(variant.device, {}), ceilings)
    return ResultRow(
        variant, figures, rounds.stages.get(variant), len(lines), n_chars, ratio, share
    )


def _weights(order: BenchOptions, facts: Mapping[str, Mapping[str, object]]) -> str:
    if order.random_weights:
        return "random"
    digests = (one.get("weights_sha256", "") for one in facts.values())
    return str(next(digests, ""))
