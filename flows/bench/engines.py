"""Engines of a benchmark, each in a child process that one or more variants share.

    variant ─▶ EnginePool ─▶ child process: *_run(…) ─▶ warm_up, run, cancel, facts

The functions `*_run` are called in the child process. They load what they need there, so that the
process of the benchmark itself needs neither PyTorch nor the full installation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from audiomill.flows.bench.any_engine import TextEngine
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.measure import ReportProgress, SynthesisRun
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.results.statistics import Stages
from audiomill.flows.bench.texts import as_text, write_source
from audiomill.flows.bench.variants import Device, Mode, Variant
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.kokoro.options import PRECISIONS, KokoroOptions

if TYPE_CHECKING:
    from audiomill.flows.bench.pipeline_run import PipelineRun

# A function to call in a child process, and its arguments without the last, a `ReportProgress`.
Opener = tuple[Callable[..., Any], tuple[Any, ...]]


class EnginePool:
    """The child processes of one benchmark, each started when it is first needed."""

    def __init__(
        self,
        options: BenchOptions,
        kokoro: KokoroOptions,
        text: BenchText,
        folder: Path,
        texts: Mapping[str, BenchText] | None = None,
    ) -> None:
        """`texts`: those of engines that are measured from the text, each cut in its own way."""
        self._options = options
        self._kokoro = kokoro
        self._text = text
        self._texts = texts or {}
        self._folder = folder
        self._open: dict[tuple[str, ...], RemoteObject | OpenFailure] = {}
        self._n_folders = 0

    def is_open(self, variant: Variant) -> bool:
        """True if the engine of a variant is loaded, or has failed to load."""
        return variant.process_key in self._open

    def open(self, variant: Variant) -> None:
        """Load the engine of a variant. Raises RemoteError."""
        self._remote(variant)

    def call(
        self, variant: Variant, method: str, *arguments: Any, report: ReportProgress | None = None
    ) -> Any:
        """The result of a method of a variant's engine.

        Raises RemoteError, and again on each call if the engine cannot be opened. An engine whose
        method fails is closed. It is opened again and warmed up if another variant needs it: the
        reason for the failure may concern only this variant.
        """
        is_open = self.is_open(variant)
        remote = self._remote(variant)
        try:
            if method == "run" and not is_open:
                remote.call("warm_up", variant.chunking, variant.batch_frames)
            return remote.call(
                method, variant.chunking, variant.batch_frames, *arguments, on_progress=report
            )
        except RemoteError:
            self.close(variant)
            raise

    def facts(self, variant: Variant) -> Mapping[str, object]:
        """The facts of a variant's engine, see `BenchEngine`. Raises RemoteError."""
        return self._remote(variant).call("facts")

    def stages(self, variant: Variant) -> Stages:
        """The stages of an end-to-end variant that has run. Raises RemoteError."""
        return self._remote(variant).call("stages")

    def close(self, variant: Variant) -> None:
        """End the process of a variant. The next call starts it again."""
        remote = self._open.pop(variant.process_key, None)
        if isinstance(remote, RemoteObject):
            remote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for remote in self._open.values():
            if isinstance(remote, RemoteObject):
                remote.close()

    def _remote(self, variant: Variant) -> RemoteObject:
        """The process of a variant, started if necessary. Raises RemoteError."""
        remote = self._open.get(variant.process_key) or self._start(variant)
        if isinstance(remote, OpenFailure):
            raise RemoteError(remote.reason)
        return remote

    def _start(self, variant: Variant) -> RemoteObject | OpenFailure:
        try:
            make, arguments = self._opener(variant)
            remote: RemoteObject | OpenFailure = RemoteObject(make, *arguments)
        except (RemoteError, WrongOptions) as error:
            remote = OpenFailure(str(error))
        self._open[variant.process_key] = remote
        return remote

    def _opener(self, variant: Variant) -> Opener:
        """Raises RemoteError, SourceError, WrongOptions."""
        if variant.engine == "onnx":
            return onnx_run, (self._kokoro, self._text, self._onnx_models[variant.precision])
        if variant.engine in self._texts:
            options = self._options.engine_options
            if variant.mode is Mode.END_TO_END:
                return self._pipeline_opener(variant.engine, options)
            return text_run, (variant.engine, options, self._texts[variant.engine])
        kokoro = replace(self._kokoro, device=variant.device, precision=variant.precision)
        if variant.mode is Mode.END_TO_END:
            return self._end_to_end_opener(variant, kokoro)
        make = kokoro_run if variant.engine == "kokoro" else upstream_run
        return make, (kokoro, self._text)

    def _end_to_end_opener(self, variant: Variant, kokoro: KokoroOptions) -> Opener:
        if variant.engine == "upstream":
            return upstream_pipeline_run, (kokoro, as_text(self._options, self._text))
        options = EngineOptions((replace(kokoro, batch_frames=variant.batch_frames),))
        return self._pipeline_opener(variant.engine, options)

    def _pipeline_opener(self, engine: str, options: EngineOptions) -> Opener:
        self._n_folders += 1
        folder = self._folder / f"end-to-end-{self._n_folders}"
        folder.mkdir()
        return pipeline_run, (engine, options, self._source, folder)

    @cached_property
    def _source(self) -> Path:
        return write_source(self._options, self._text, self._folder)

    @cached_property
    def _onnx_models(self) -> dict[str, Path]:
        with RemoteObject(ArtifactBuilder, self._folder) as builder:
            return builder.call("onnx_models", replace(self._kokoro, device="cpu"))


@dataclass(frozen=True, slots=True)
class OpenFailure:
    """The reason why an engine could not be opened."""

    reason: str


def kokoro_run(options: KokoroOptions, text: BenchText, report: ReportProgress) -> SynthesisRun:
    """Our Kokoro. Raises EngineMissing, WeightsUnfit."""
    from audiomill.renderers.kokoro.bench.ours import RowsEngine

    return SynthesisRun(RowsEngine(options, text.voice), text, report)


def upstream_run(options: KokoroOptions, text: BenchText, report: ReportProgress) -> SynthesisRun:
    """The upstream model. Raises EngineMissing."""
    from audiomill.renderers.kokoro.bench.upstream import UpstreamEngine

    return SynthesisRun(UpstreamEngine(options, text.voice), text, report)


def upstream_pipeline_run(
    options: KokoroOptions, text: BenchText, report: ReportProgress
) -> SynthesisRun:
    """The whole upstream pipeline, which takes lines of plain text. Raises EngineMissing."""
    from audiomill.renderers.kokoro.bench.upstream import PipelineEngine

    return SynthesisRun(PipelineEngine(options, text.voice), text, report)


def onnx_run(
    options: KokoroOptions, text: BenchText, model: Path, report: ReportProgress
) -> SynthesisRun:
    """ONNX Runtime. Raises EngineMissing."""
    from audiomill.renderers.kokoro.bench.onnx import OnnxEngine

    return SynthesisRun(OnnxEngine(options, text.voice, model), text, report)


def text_run(
    engine: str, options: EngineOptions, text: BenchText, report: ReportProgress
) -> SynthesisRun:
    """Any engine, from the text. Raises EngineMissing."""
    opened = TextEngine(engine, options, text.voice)
    return SynthesisRun(opened, text, report, has_memory=opened.is_ours)


def pipeline_run(
    engine: str, options: EngineOptions, source: Path, folder: Path, report: ReportProgress
) -> PipelineRun:
    """Our whole pipeline. Raises EngineMissing."""
    from audiomill.flows.bench.pipeline_run import PipelineRun

    return PipelineRun(engine, options, source, folder, report)


class ArtifactBuilder:
    """Everything that needs PyTorch before a measurement: devices, ceilings, models.

    Used in a child process that ends before anything is measured: the process that is measured then
    never holds the memory that this took.
    """

    def __init__(self, folder: Path, report: ReportProgress) -> None:  # noqa: ARG002
        self._folder = folder

    def device(self, name: str) -> Device:
        """The device with this name, which may be "auto". Raises EngineMissing."""
        from audiomill.renderers.kokoro.inference.loading import chosen_device, missing_support

        device = chosen_device(name)
        reasons = {precision: missing_support(precision, device) for precision in PRECISIONS}
        return Device(str(device), {name: reason for name, reason in reasons.items() if reason})

    def ceilings(self, name: str) -> Mapping[str, float]:
        """The measured limits of a device, see `roofline.ceilings`. Raises EngineMissing."""
        from audiomill.renderers.kokoro.bench.roofline import ceilings
        from audiomill.renderers.kokoro.inference.loading import chosen_device

        return ceilings(chosen_device(name))

    def random_model(self, voices: Sequence[str]) -> Path:
        """A folder with Kokoro's files and random weights. Raises OSError."""
        from audiomill.renderers.kokoro.bench.random_weights import write_random_model

        place = self._folder / "random-weights"
        place.mkdir()
        write_random_model(place, voices)
        return place

    def onnx_models(self, options: KokoroOptions) -> dict[str, Path]:
        """Upstream's model for ONNX Runtime, by precision. Raises EngineMissing, WeightsUnfit."""
        from audiomill.renderers.kokoro.bench.onnx import export, quantise

        models = {name: self._folder / f"{name}.onnx" for name in ("float32", "int8")}
        export(options, models["float32"])
        quantise(models["float32"], models["int8"])
        return models
