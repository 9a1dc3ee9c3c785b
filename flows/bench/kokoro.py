"""Kokoro in a benchmark: from phonemes, on each device, in each precision, by batch budgets.

The corpus comes with prepared phonemes. Any other text needs the full installation and misaki.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.flows.bench.corpus import BenchText, prepared_corpus
from audiomill.flows.bench.engines import EndToEndFiles, Opener
from audiomill.flows.bench.measure import ReportProgress, SynthesisRun
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.texts import bench_text_of, check_spoken, read_source
from audiomill.flows.bench.variants import Device, Mode, Variant
from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, RenderError
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import check_engine
from audiomill.renderers.host.child_object import ChildObject, ChildObjectError
from audiomill.renderers.kokoro.g2p.g2p import open_g2p
from audiomill.renderers.kokoro.g2p.phonemes import split
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.model.config import KokoroConfig, read_config
from audiomill.renderers.kokoro.model.precision import PRECISIONS
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.kokoro.weights.files import check_pytorch, find_files
from audiomill.renderers.kokoro.weights.mixes import parse_mix
from audiomill.renderers.kokoro.weights.releases import DEFAULT_VOICES, release_named

if TYPE_CHECKING:
    from audiomill.flows.bench.pipeline_run import PipelineRun

# A device and a precision.
Placement = tuple[str, str]


def placements_of(options: BenchOptions, devices: Sequence[Device]) -> list[Placement]:
    """The requested precisions of each device, supported or not; by default all supported ones."""
    return [
        (device.name, precision)
        for device in devices
        for precision in options.precisions
        or (one for one in PRECISIONS if one not in device.unsupported)
    ]


def kokoro_variants(options: BenchOptions, devices: Sequence[Device]) -> tuple[Variant, ...]:
    """All rows of Kokoro's table, in order. `devices` are those that the options name."""
    return tuple(_variants(options, placements_of(options, devices)))


def _variants(options: BenchOptions, placements: Sequence[Placement]) -> Iterator[Variant]:
    for placement, chunking, frames in product(placements, options.chunkings, options.batch_frames):
        yield Variant(Mode.SYNTHESIS, "kokoro", *placement, chunking, frames)
    if options.end_to_end:
        for placement, frames in product(placements, options.batch_frames):
            yield Variant(Mode.END_TO_END, "kokoro", *placement, "planned", frames)


class KokoroOpener:
    """Opens each variant on the device and in the precision that it names."""

    def __init__(
        self, options: BenchOptions, kokoro: KokoroOptions, text: BenchText, folder: Path
    ) -> None:
        self._kokoro = kokoro
        self._text = text
        self._files = EndToEndFiles(options, text, folder)

    def __call__(self, variant: Variant) -> Opener:
        """Raises SourceError, WrongOptions."""
        kokoro = replace(self._kokoro, device=variant.device, precision=variant.precision)
        if variant.mode is Mode.SYNTHESIS:
            return kokoro_run, (kokoro, self._text)
        kokoro = replace(kokoro, batch_frames=variant.batch_frames)
        source = self._files.source
        return kokoro_pipeline_run, (kokoro, source, self._files.new_folder())


def kokoro_run(options: KokoroOptions, text: BenchText, report: ReportProgress) -> SynthesisRun:
    """The model alone. Raises EngineMissing, WeightsUnfit."""
    from audiomill.renderers.kokoro.benchmark import RowsEngine

    return SynthesisRun(RowsEngine(options, text.voice), text, report)


def kokoro_pipeline_run(
    options: KokoroOptions, source: Path, folder: Path, report: ReportProgress
) -> PipelineRun:
    """The whole pipeline. Raises EngineMissing."""
    from audiomill.flows.bench.pipeline_run import PipelineRun
    from audiomill.renderers.kokoro.benchmark import TorchDevice
    from audiomill.renderers.kokoro.loading import chosen_device

    # A variant measures one device, but "auto" stands for every GPU in a render.
    device = chosen_device(options.device)
    options = replace(options, device=str(device))
    return PipelineRun(
        "kokoro",
        EngineOptions((options,)),
        source,
        folder,
        report,
        device=TorchDevice(device),
        open_phonemizer=partial(phonemizer, options=options),
    )


class KokoroFiles:
    """Everything that needs PyTorch before a measurement: devices, random weights.

    Used in a child process that ends before anything is measured: the process that is measured then
    never holds the memory that this took.
    """

    def __init__(self, folder: Path, report: ReportProgress) -> None:  # noqa: ARG002
        self._folder = folder

    def device(self, name: str) -> Device:
        """The device with this name, which may be "auto". Raises EngineMissing."""
        from audiomill.renderers.kokoro.loading import chosen_device, missing_support

        device = chosen_device(name)
        reasons = {precision: missing_support(precision, device) for precision in PRECISIONS}
        return Device(str(device), {name: reason for name, reason in reasons.items() if reason})

    def random_model(self, voices: Sequence[str]) -> Path:
        """A folder with Kokoro's files and random weights. Raises OSError."""
        from audiomill.renderers.kokoro.weights.random_weights import write_random_model

        place = self._folder / "random-weights"
        place.mkdir()
        write_random_model(place, voices)
        return place


def spoken_text(
    options: BenchOptions, kokoro: KokoroOptions, devices: Sequence[Device]
) -> BenchText:
    """The text that all variants speak.

    Raises SourceError, EngineMissing, WrongOptions; SourceEmpty if there is nothing to speak.
    """
    n_words = min(options.n_words(device.name) for device in devices)
    text = kokoro_text(options, kokoro, n_words)
    check_spoken([text], options.chunkings)
    return text


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
        with ChildObject(KokoroFiles, folder) as builder:
            devices = _devices(options, builder)
            if options.random_weights:
                output.say("making random weights")
                kokoro = replace(kokoro, weights=builder.call("random_model", DEFAULT_VOICES))
    except ChildObjectError as error:
        raise EngineFailed(str(error)) from error
    return kokoro, devices


def _check_weights(options: KokoroOptions) -> None:
    """Raise EngineMissing, with the way to do without them, if there are no weights."""
    try:
        check_engine("kokoro", EngineOptions((options,)))
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


def kokoro_text(options: BenchOptions, kokoro: KokoroOptions, n_words: int) -> BenchText:
    """The text for synthesis only, as phonemes: of the corpus the prepared ones.

    Raises SourceError, EngineMissing, WrongOptions.
    """
    if options.source is None:
        return prepared_corpus().slice(n_words)
    book = read_source(options)
    renderer = KokoroRenderer(kokoro)
    voice = renderer.default_voice(book.language)
    to_rows = phonemizer(voice, kokoro)
    text = bench_text_of(book, options.chunkings, renderer.limits, voice, to_rows)
    return text.slice(n_words)


def phonemizer(voice: str, options: KokoroOptions) -> Callable[[str], tuple[str, ...]]:
    """A function from spoken text to rows of phonemes, for the model that `options` name.

    Raises EngineMissing, WeightsUnfit.
    """
    release = release_named(options.release)
    return phonemizer_for(voice, read_config(find_files(options.weights, release).config), options)


def phonemizer_for(
    voice: str, config: KokoroConfig, options: KokoroOptions
) -> Callable[[str], tuple[str, ...]]:
    """A function from spoken text to rows of phonemes for a model. Loads the G2P now.

    Raises EngineMissing.
    """
    alphabet = Alphabet(frozenset(config.vocab), options.release)
    g2p = open_g2p(parse_mix(voice).language, alphabet)
    g2p.phonemes("Wake up.")

    @cache  # several chunkings have segments in common
    def to_rows(spoken: str) -> tuple[str, ...]:
        parts = split(g2p.phonemes(spoken), config.max_phonemes)
        return tuple(part.text for part in parts if part.text)

    return to_rows
