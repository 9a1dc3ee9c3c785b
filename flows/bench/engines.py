"""An engine on the test stand: loaded once, then run through the text as often as it is asked.

Lives in a `RemoteObject`. Knows what each kind of engine is opened with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from audiomill.flows.bench import engines as stand
from audiomill.flows.bench import measure as passes
from audiomill.flows.bench import texts as sources
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.measure import Tell
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.statistics import Pass, Stages
from audiomill.flows.bench.variants import Device, Mode, Variant
from audiomill.renderers.base import Batch, Request
from audiomill.renderers.benchmarking import BenchEngine, BenchLine, BenchStep, StepStats
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.options import PRECISIONS, EngineOptions, KokoroOptions
from audiomill.renderers.planning import plan_windows
from audiomill.renderers.registry import open_renderer

# Any of our engines as a benchmark drives it:


class TextEngine:
    """An engine that takes text. A line is the spoken text of one segment."""

    def __init__(self, engine: str, voice: str) -> None:
        """Raises EngineMissing, UnknownVoice."""
        self._renderer = open_renderer(engine)
        self._voice = self._renderer.known_voice(voice)
        self.sample_rate = self._renderer.sample_rate

    def facts(self) -> Mapping[str, object]:
        """See `BenchEngine`."""
        return {"device": "cpu"}

    def steps(self, lines: Sequence[BenchLine], batch_frames: int) -> Sequence[BenchStep]:  # noqa: ARG002
        """See `BenchEngine`: rows are not padded."""
        # By its place, so that a line that comes twice is spoken twice.
        requests = [
            Request(f"{n:064x}", line.said, self._voice, 1.0) for n, line in enumerate(lines)
        ]
        return [
            BenchStep(
                tuple(int(one.key, 16) for one in batch.requests), partial(self._speak, batch)
            )
            for window in plan_windows(requests, self._renderer.limits)
            for batch in window.batches
        ]

    def _speak(self, batch: Batch) -> StepStats:
        rendered = self._renderer.render(batch)
        n_rows = len(batch.requests)
        return StepStats(
            n_samples=sum(one.samples.size for one in rendered),
            real=n_rows,
            computed=n_rows,
            n_batches=n_rows,
        )

    def rest(self) -> None:
        """See `BenchEngine`: it keeps none."""

    def forget_gpu_peak(self) -> None:
        """See `BenchEngine`."""

    def gpu_peak_bytes(self) -> None:
        """See `BenchEngine`: on the CPU."""
        return


if TYPE_CHECKING:
    from audiomill.flows.bench.pipeline_run import PipelineRun


class SynthesisRun:
    """Synthesis only: what is said is there beforehand, and samples are dropped."""

    def __init__(self, trial: BenchEngine, subject: BenchText, tell: passes.Tell) -> None:
        self._trial = trial
        self._tell = tell
        self._subject = subject
        self._turns: dict[tuple[str, int], Sequence[BenchStep]] = {}

    def facts(self) -> Mapping[str, object]:
        """See `BenchEngine`."""
        return self._trial.facts()

    def warm_up(self, chunking: str, batch_frames: int) -> None:
        """Until kernels and caches are warm."""
        passes.warm_up(self._wanted(chunking, batch_frames))
        self._trial.rest()

    def run(self, chunking: str, batch_frames: int) -> Pass:
        """One pass over the text."""
        made = passes.run_pass(self._trial, self._wanted(chunking, batch_frames), self._tell)
        self._trial.rest()
        return made

    def cancel(self, chunking: str, batch_frames: int, after_s: float) -> float:
        """How long it takes to stop, in seconds, when asked `after_s` after the start."""
        turns = self._wanted(chunking, batch_frames)
        stopped_s = passes.cancellation_s(partial(passes.speak_all, turns), after_s)
        self._trial.rest()
        return stopped_s

    def _wanted(self, chunking: str, batch_frames: int) -> Sequence[BenchStep]:
        """Planned once, so that no pass pays for it."""
        wanted = chunking, batch_frames
        if wanted not in self._turns:
            lines = self._subject.lines(chunking)
            self._turns[wanted] = self._trial.steps(lines, batch_frames)
        return self._turns[wanted]


def text_run(engine: str, subject: BenchText, tell: passes.Tell) -> SynthesisRun:
    """Any engine that takes text. Raises EngineMissing."""
    return SynthesisRun(TextEngine(engine, subject.voice), subject, tell)


def kokoro_run(options: KokoroOptions, subject: BenchText, tell: passes.Tell) -> SynthesisRun:
    """Our Kokoro. Raises EngineMissing, WeightsUnfit."""
    from audiomill.renderers.kokoro.bench.ours import RowsEngine

    return SynthesisRun(RowsEngine(options, subject.voice), subject, tell)


def upstream_run(options: KokoroOptions, subject: BenchText, tell: passes.Tell) -> SynthesisRun:
    """Upstream's model. Raises EngineMissing."""
    from audiomill.renderers.kokoro.bench.upstream import UpstreamEngine

    return SynthesisRun(UpstreamEngine(options, subject.voice), subject, tell)


def upstream_pipeline_run(
    options: KokoroOptions, subject: BenchText, tell: passes.Tell
) -> SynthesisRun:
    """Upstream's whole pipeline; the subject's lines are text. Raises EngineMissing."""
    from audiomill.renderers.kokoro.bench.upstream import PipelineEngine

    return SynthesisRun(PipelineEngine(options, subject.voice), subject, tell)


def pipeline_run(
    engine: str, options: EngineOptions, source: Path, folder: Path, tell: passes.Tell
) -> PipelineRun:
    """Our whole mill. Raises EngineMissing."""
    from audiomill.flows.bench.pipeline_run import PipelineRun

    own = _on_one_device(options) if engine == "kokoro" else options
    return PipelineRun(engine, own, source, folder, tell)


def _on_one_device(options: EngineOptions) -> EngineOptions:
    """A stand measures one device, where a render takes every GPU there is."""
    from audiomill.renderers.kokoro.inference.loading import chosen_device

    device = str(chosen_device(options.kokoro.device))
    return replace(options, kokoro=replace(options.kokoro, device=device))


def onnx_run(
    options: KokoroOptions, subject: BenchText, model: Path, tell: passes.Tell
) -> SynthesisRun:
    """ONNX Runtime. Raises EngineMissing."""
    from audiomill.renderers.kokoro.bench.onnx import OnnxEngine

    return SynthesisRun(OnnxEngine(options, subject.voice, model), subject, tell)


# Files that take PyTorch to make:


class ArtifactBuilder:
    """Makes files in `folder`."""

    def __init__(self, folder: Path, tell: Tell) -> None:  # noqa: ARG002
        self._folder = folder

    def device(self, name: str) -> Device:
        """The device that a name stands for, "auto" among them. Raises EngineMissing."""
        from audiomill.renderers.kokoro.inference.loading import chosen_device, missing_support

        device = chosen_device(name)
        lacks = {one: lack for one in PRECISIONS if (lack := missing_support(one, device))}
        return Device(str(device), lacks)

    def ceilings(self, name: str) -> Mapping[str, float]:
        """See `ceilings`. Raises EngineMissing."""
        from audiomill.renderers.kokoro.bench.roofline import ceilings
        from audiomill.renderers.kokoro.inference.loading import chosen_device

        return ceilings(chosen_device(name))

    def random_model(self, voices: Sequence[str]) -> Path:
        """A folder of Kokoro's files with random weights. Raises OSError."""
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


# Which worker measures a variant:

Opening = tuple[Callable[..., Any], tuple[Any, ...]]  # what to make, and with what


@dataclass(frozen=True, slots=True)
class Failure:
    """A worker that could not be opened."""

    reason: str


class EnginePool:
    """The workers of one run, in order of need."""

    def __init__(
        self, order: BenchOptions, options: KokoroOptions, subject: BenchText, folder: Path
    ) -> None:
        self._order = order
        self._options = options
        self._subject = subject
        self._folder = folder
        self._open: dict[tuple[str, ...], RemoteObject | Failure] = {}
        self._n_folders = 0

    def is_open(self, variant: Variant) -> bool:
        """Whether a variant's stand is loaded, or could not be."""
        return variant.stand in self._open

    def open(self, variant: Variant) -> None:
        """Have a variant's stand loaded. Raises RemoteError."""
        self._standing(variant)

    def ask(
        self, variant: Variant, what: str, *given: Any, heard: Callable[[float], None] | None = None
    ) -> Any:
        """What a variant's stand answers. Raises RemoteError, each time again if it cannot open.

        One that fails at what it is asked is opened anew, and warmed up, when another variant needs
        it: what has failed may be that variant's own.
        """
        is_open = self.is_open(variant)
        worker = self._standing(variant)
        try:
            if what == "run" and not is_open:
                worker.ask("warm_up", variant.chunking, variant.batch_frames)
            return worker.ask(what, variant.chunking, variant.batch_frames, *given, heard=heard)
        except RemoteError:
            self.drop(variant)
            raise

    def facts(self, variant: Variant) -> Mapping[str, object]:
        """See `BenchEngine`. Of a stand that has been asked before. Raises RemoteError."""
        return self._standing(variant).ask("facts")

    def stages(self, variant: Variant) -> Stages:
        """See `PipelineRun`. Of a stand that has been run before. Raises RemoteError."""
        return self._standing(variant).ask("stages")

    def drop(self, variant: Variant) -> None:
        """End a variant's worker; it is opened anew when it is asked again."""
        worker = self._open.pop(variant.stand, None)
        if isinstance(worker, RemoteObject):
            worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._open.values():
            if isinstance(worker, RemoteObject):
                worker.close()

    def _standing(self, variant: Variant) -> RemoteObject:
        worker = self._open.get(variant.stand) or self._opened(variant)
        if isinstance(worker, Failure):
            raise RemoteError(worker.reason)
        return worker

    def _opened(self, variant: Variant) -> RemoteObject | Failure:
        try:
            make, given = self._opening(variant)
            worker: RemoteObject | Failure = RemoteObject(make, *given)
        except (RemoteError, WrongOptions) as error:
            worker = Failure(str(error))
        self._open[variant.stand] = worker
        return worker

    def _opening(self, variant: Variant) -> Opening:
        """Raises RemoteError, SourceError, WrongOptions."""
        if variant.engine == "onnx":
            model = self._onnx_models[variant.precision]
            return stand.onnx_run, (self._options, self._subject, model)
        options = replace(self._options, device=variant.device, precision=variant.precision)
        if variant.mode is Mode.END_TO_END:
            return self._end_to_end(variant, options)
        models = {"kokoro": stand.kokoro_run, "upstream": stand.upstream_run}
        if make := models.get(variant.engine):
            return make, (options, self._subject)
        return stand.text_run, (variant.engine, self._subject)

    def _end_to_end(self, variant: Variant, options: KokoroOptions) -> Opening:
        if variant.engine == "upstream":
            return stand.upstream_pipeline_run, (
                options,
                sources.as_text(self._order, self._subject),
            )
        engine_options = EngineOptions(replace(options, batch_frames=variant.batch_frames))
        self._n_folders += 1
        folder = self._folder / f"end-to-end-{self._n_folders}"
        folder.mkdir()
        return stand.pipeline_run, (variant.engine, engine_options, self._source, folder)

    @cached_property
    def _source(self) -> Path:
        return sources.write_source(self._order, self._subject, self._folder)

    @cached_property
    def _onnx_models(self) -> dict[str, Path]:
        with RemoteObject(ArtifactBuilder, self._folder) as maker:
            return maker.ask("onnx_models", replace(self._options, device="cpu"))
