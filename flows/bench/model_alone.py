"""A model alone in a benchmark: from its own input, on each device, in each precision.

Which engine has such a model, its engine says: `Engine.bench_model`. The corpus may come prepared
as its input. Any other text needs the full installation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from audiomill.flows.bench.corpus import BenchText, prepared_corpus
from audiomill.flows.bench.engines import EndToEndFiles, Opener
from audiomill.flows.bench.measure import ReportProgress, SynthesisRun
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.texts import bench_text_of, check_spoken, read_source
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.engine.benchmarking import BenchModel, Device
from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, RenderError
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import check_engine, open_renderer
from audiomill.renderers.host.child_object import ChildObject, ChildObjectError

if TYPE_CHECKING:
    from audiomill.flows.bench.pipeline_run import PipelineRun

Model = TypeVar("Model", bound=BenchModel)
# A device and a precision.
Placement = tuple[str, str]


def placements_of(
    options: BenchOptions, model: BenchModel, devices: Sequence[Device]
) -> list[Placement]:
    """The requested precisions of each device, supported or not; by default all supported ones."""
    return [
        (device.name, precision)
        for device in devices
        for precision in options.precisions
        or (one for one in model.precisions if one not in device.unsupported)
    ]


def model_variants(
    options: BenchOptions, model: BenchModel, devices: Sequence[Device]
) -> tuple[Variant, ...]:
    """All rows of the model's table, in order. `devices` are those that the options name."""
    return tuple(_variants(options, placements_of(options, model, devices)))


def _variants(options: BenchOptions, placements: Sequence[Placement]) -> Iterator[Variant]:
    engine = options.engine
    for placement, chunking, frames in product(placements, options.chunkings, options.batch_frames):
        yield Variant(Mode.SYNTHESIS, engine, *placement, chunking, frames)
    if options.end_to_end:
        for placement, frames in product(placements, options.batch_frames):
            yield Variant(Mode.END_TO_END, engine, *placement, "planned", frames)


class ModelOpener:
    """Opens each variant on the device and in the precision that it names."""

    def __init__(
        self, options: BenchOptions, model: BenchModel, text: BenchText, folder: Path
    ) -> None:
        self._model = model
        self._text = text
        self._files = EndToEndFiles(options, text, folder)

    def __call__(self, variant: Variant) -> Opener:
        """Raises SourceError, WrongOptions."""
        if variant.mode is Mode.SYNTHESIS:
            return model_run, (self._model.variant(variant.device, variant.precision), self._text)
        model = self._model.variant(variant.device, variant.precision, variant.batch_frames)
        source = self._files.source
        return model_pipeline_run, (model, variant.engine, source, self._files.new_folder())


def model_run(model: BenchModel, text: BenchText, report: ReportProgress) -> SynthesisRun:
    """The model alone. Raises EngineMissing, WeightsUnfit."""
    return SynthesisRun(model.open(text.voice), text, report)


def model_pipeline_run(
    model: BenchModel, engine: str, source: Path, folder: Path, report: ReportProgress
) -> PipelineRun:
    """The whole pipeline. Raises EngineMissing."""
    from audiomill.flows.bench.pipeline_run import PipelineRun

    return PipelineRun(
        engine,
        EngineOptions((model.options,)),
        source,
        folder,
        report,
        device=model.memory(),
        open_phonemizer=model.to_rows,
    )


class ModelBuilder:
    """Everything that is loaded before a measurement: devices, random weights.

    Used in a child process that ends before anything is measured: the process that is measured then
    never holds the memory that this took.
    """

    def __init__(self, model: BenchModel, folder: Path, report: ReportProgress) -> None:  # noqa: ARG002
        self._model = model
        self._folder = folder

    def device(self, name: str) -> Device:
        """The device with this name, which may be "auto". Raises EngineMissing."""
        return self._model.device(name)

    def random_model(self) -> BenchModel:
        """The model with random weights. Raises EngineMissing, OSError."""
        return self._model.with_random_weights(self._folder)


def spoken_text(options: BenchOptions, model: BenchModel, devices: Sequence[Device]) -> BenchText:
    """The text that all variants speak.

    Raises SourceError, EngineMissing, WrongOptions; SourceEmpty if there is nothing to speak.
    """
    n_words = min(options.n_words(device.name) for device in devices)
    text = model_text(options, model, n_words)
    check_spoken([text], options.chunkings)
    return text


def weights_and_devices(
    options: BenchOptions, model: Model, folder: Path, output: BenchOutput
) -> tuple[Model, tuple[Device, ...]]:
    """The model with the weights to use, and the devices that the options name.

    Raises EngineMissing, EngineFailed, WrongOptions.
    """
    model.check()
    if not options.random_weights:
        _check_weights(options.engine, model)
    try:
        with ChildObject(ModelBuilder, model, folder) as builder:
            devices = _devices(options, builder)
            if options.random_weights:
                output.say("making random weights")
                model = builder.call("random_model")
    except ChildObjectError as error:
        raise EngineFailed(str(error)) from error
    return model, devices


def _check_weights(engine: str, model: BenchModel) -> None:
    """Raise EngineMissing, with the way to do without them, if there are no weights."""
    try:
        check_engine(engine, EngineOptions((model.options,)))
    except RenderError as error:
        advice = "--random-weights measures without the real ones."
        raise EngineMissing(f"{str(error).rstrip('.')}. {advice}") from error


def _devices(options: BenchOptions, builder: ChildObject) -> tuple[Device, ...]:
    """The devices without duplicates.

    Raises ChildObjectError; WrongOptions if no device supports any of the precisions.
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


def model_text(options: BenchOptions, model: BenchModel, n_words: int) -> BenchText:
    """The text for synthesis only, as the model's input: of the corpus the prepared one.

    Raises SourceError, EngineMissing, WrongOptions.
    """
    if options.source is None and model.prepared is not None:
        return prepared_corpus(model.prepared.path).slice(n_words)
    book = read_source(options)
    renderer = open_renderer(options.engine, EngineOptions((model.options,)))
    voice = renderer.default_voice(book.language)
    to_rows = model.to_rows(voice)
    text = bench_text_of(book, options.chunkings, renderer.limits, voice, to_rows)
    return text.slice(n_words)
