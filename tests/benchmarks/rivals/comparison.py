"""Kokoro beside its rivals: variants in one run, upstream as the reference, shares of ceilings.

options ─▶ weights, devices, text, ceilings ─▶ variants, by turns ─▶ result, rates
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from audiomill.flows.bench.command import result_of
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.engines import EnginePool, Opener
from audiomill.flows.bench.model_alone import (
    ModelOpener,
    Placement,
    model_variants,
    placements_of,
    spoken_text,
    weights_and_devices,
)
from audiomill.flows.bench.options import BenchOptions
from audiomill.flows.bench.passes import BenchOutput, PassRunner
from audiomill.flows.bench.result import Result, ResultRow, rounded
from audiomill.flows.bench.texts import check_source
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.engine.benchmarking import Device
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.child_object import ChildObject, ChildObjectError
from audiomill.renderers.host.hardware import this_machine
from audiomill.renderers.kokoro.bench_model import KokoroBenchModel, bench_model
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.model.precision import PYTORCH_PRECISIONS
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.releases import release_named
from benchmarks.rivals.onnx import OnnxModels, onnx_run
from benchmarks.rivals.roofline import CeilingMeter, Cost, Rates, cost_of, rates_of
from benchmarks.rivals.upstream import (
    UPSTREAM_CHUNKINGS,
    as_text,
    upstream_pipeline_run,
    upstream_run,
)

RIVALS = ("upstream", "onnx")
ONNX_PRECISIONS = ("float32", "int8")
MODEL = bench_model(KokoroOptions())


@dataclass(frozen=True, slots=True)
class RivalResult:
    """The result of all variants, and how near they come to what the devices can do."""

    result: Result
    cost: Cost
    ceilings: Mapping[str, Mapping[str, float]]  # by device

    def rates(self, row: ResultRow) -> Rates:
        """The rates of a row; those of ONNX Runtime's int8 have no ceiling."""
        ceilings = self.ceilings[row.variant.device]
        return rates_of(row.figures.speed, row.variant, self.cost, ceilings)

    def json(self) -> dict[str, Any]:
        """One object that `audiomill bench --compare` reads; see docs/benchmark.md."""
        document = self.result.json()
        variants = zip(document["variants"], self.result.rows, strict=True)
        return document | {
            "ceilings": rounded({name: dict(one) for name, one in self.ceilings.items()}),
            "flop_per_audio_s": rounded(self.cost.flop),
            "values_per_audio_s": rounded(self.cost.values),
            "variants": [one | rounded(asdict(self.rates(row))) for one, row in variants],
        }


def compare_with_rivals(
    options: BenchOptions, rivals: Sequence[str], output: BenchOutput
) -> RivalResult:
    """Measure Kokoro and `rivals` in a temporary folder, with the same text and weights.

    Raises WrongOptions, SourceError, RenderError.
    """
    check_source(options)
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as temporary:
        folder = Path(temporary)
        model = bench_model(options.engine_options.of(KokoroOptions()))
        model, devices = weights_and_devices(options, model, folder, output)
        kokoro = model.options
        text = spoken_text(_with_chunkings(options), model, devices)
        ceilings = _ceilings(devices, output)
        names = ", ".join(device.name for device in devices)
        output.say(f"{text.title}: {text.n_words:,} words, on {names}")
        with EnginePool(RivalOpener(options, kokoro, text, folder)) as pool:
            runner = PassRunner(pool, options.repeat, output)
            runner.run(variants_of(options, rivals, devices), devices)
        files = find_files(kokoro.weights, release_named(kokoro.release))
        cost = cost_of(read_config(files.config))
    return RivalResult(with_reference(result_of(options, machine, text, runner)), cost, ceilings)


def variants_of(
    options: BenchOptions, rivals: Sequence[str], devices: Sequence[Device]
) -> tuple[Variant, ...]:
    """All rows of the table, in order: ours and the rivals' in each mode."""
    ours = model_variants(options, MODEL, devices)
    theirs = tuple(_rival_variants(options, rivals, placements_of(options, MODEL, devices)))
    return tuple(one for mode in Mode for one in (*ours, *theirs) if one.mode is mode)


def _rival_variants(
    options: BenchOptions, rivals: Sequence[str], placements: Sequence[Placement]
) -> Iterator[Variant]:
    # Other precisions are no switches of PyTorch, and upstream has none of its own.
    of_pytorch = [placement for placement in placements if placement[1] in PYTORCH_PRECISIONS]
    if "upstream" in rivals:
        modes = Mode if options.end_to_end else (Mode.SYNTHESIS,)
        for mode, placement, chunking in product(modes, of_pytorch, UPSTREAM_CHUNKINGS):
            yield Variant(mode, "upstream", *placement, chunking)
    if "onnx" in rivals and any(device == "cpu" for device, _ in placements):
        for precision in ONNX_PRECISIONS:
            yield Variant(Mode.SYNTHESIS, "onnx", "cpu", precision, options.chunkings[0])


class RivalOpener:
    """Opens the variants of Kokoro and of its rivals."""

    def __init__(
        self, options: BenchOptions, kokoro: KokoroOptions, text: BenchText, folder: Path
    ) -> None:
        self._options = options
        self._kokoro = kokoro
        self._text = text
        self._folder = folder
        self._ours = ModelOpener(options, KokoroBenchModel(kokoro), text, folder)

    def __call__(self, variant: Variant) -> Opener:
        """Raises ChildObjectError, SourceError, WrongOptions."""
        if variant.engine not in RIVALS:
            return self._ours(variant)
        if variant.engine == "onnx":
            return onnx_run, (self._kokoro, self._text, self._onnx_models[variant.precision])
        kokoro = replace(self._kokoro, device=variant.device, precision=variant.precision)
        if variant.mode is Mode.END_TO_END:
            return upstream_pipeline_run, (kokoro, as_text(self._options, self._text))
        return upstream_run, (kokoro, self._text)

    @cached_property
    def _onnx_models(self) -> dict[str, Path]:
        with ChildObject(OnnxModels, self._folder) as models:
            return models.call("export", replace(self._kokoro, device="cpu"))


def with_reference(result: Result) -> Result:
    """The result with ratios to the fastest row of upstream in each mode, if there is one."""
    medians_s = {row.variant: median(row.figures.wall_s) for row in result.rows}
    references = dict(result.references)
    for mode in references:
        upstream = [one for one in medians_s if (one.mode, one.engine) == (mode, "upstream")]
        references[mode] = min(upstream, key=medians_s.__getitem__, default=references[mode])
    rows = tuple(
        replace(row, ratio=medians_s[references[row.variant.mode]] / medians_s[row.variant])
        for row in result.rows
    )
    return replace(result, rows=rows, references=references)


def _with_chunkings(options: BenchOptions) -> BenchOptions:
    """Options for a text that is also cut as upstream takes it."""
    chunkings = dict.fromkeys((*options.chunkings, *UPSTREAM_CHUNKINGS))
    return replace(options, chunkings=tuple(chunkings))


def _ceilings(devices: Sequence[Device], output: BenchOutput) -> dict[str, Mapping[str, float]]:
    """What each device can do at most, measured now. Raises EngineFailed."""
    found: dict[str, Mapping[str, float]] = {}
    try:
        with ChildObject(CeilingMeter) as meter:
            for device in devices:
                output.say(f"measuring what {device.name} can do at most")
                found[device.name] = meter.call("ceilings", device.name)
    except ChildObjectError as error:
        raise EngineFailed(str(error)) from error
    return found
