"""Upstream's own code as an engine of the benchmark: its model alone, and its whole pipeline.

Source: `KModel` in kokoro/model.py, which takes one string of phonemes and returns samples, and
`KPipeline` in kokoro/pipeline.py.
"""

from __future__ import annotations

import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.flows.bench.measure import ReportProgress, SynthesisRun
from audiomill.flows.bench.options import BenchOptions
from audiomill.flows.bench.statistics import Stages
from audiomill.flows.bench.texts import read_source, sentences_of
from audiomill.renderers.engine.benchmarking import BenchLine, BenchStep, StepStats
from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.kokoro.benchmark import TorchDevice
from audiomill.renderers.kokoro.g2p.requirements import ENGLISH_MODEL, has_english_model
from audiomill.renderers.kokoro.loading import ready_device
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.checkpoint import load_voice
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.mixes import parse_mix
from audiomill.renderers.kokoro.weights.releases import V1_0, release_named
from audiomill.renderers.kokoro.weights.voices import KokoroVoices

# The model is given one sentence at a time, and as much as its own pipeline would give it.
UPSTREAM_CHUNKINGS = ("sentence", "adaptive")


class RivalEngine(TorchDevice, ABC):
    """The part of `BenchEngine` that rivals share, as none of them has batches."""

    sample_rate = SAMPLE_RATE

    def steps(self, lines: Sequence[BenchLine], batch_frames: int) -> Sequence[BenchStep]:  # noqa: ARG002
        """Implement `BenchEngine.steps`: one line a step."""
        return [BenchStep((n,), partial(self._speak, line.text)) for n, line in enumerate(lines)]

    @abstractmethod
    def _speak(self, text: str) -> StepStats: ...


class UpstreamEngine(RivalEngine):
    """Implement `BenchEngine` with `KModel` on one device. A line is the phonemes of one row."""

    def __init__(self, options: KokoroOptions, voice: str) -> None:
        """Raises EngineMissing, WeightsUnfit, UnknownVoice."""
        release = release_named(options.release)
        files = find_files(options.weights, release)
        device = ready_device(options)
        super().__init__(device)
        self._model = load_kmodel(files.config, files.weights).to(device)
        self._pack = load_voice(KokoroVoices(options.weights, release), voice).to(device)

    def _speak(self, text: str) -> StepStats:
        return StepStats(len(self._model(text, self._pack[len(text) - 1], 1.0)))


def load_kmodel(config: Path, weights: Path, *, disable_complex: bool = False) -> Any:
    """Load upstream's `KModel` on the CPU. Raises EngineMissing.

    `disable_complex` selects the STFT that ONNX can express.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # upstream's deprecation warnings
        kmodel = upstream_module("kokoro.model").KModel
        model = kmodel(V1_0.repo, str(config), str(weights), disable_complex=disable_complex)
    return model.eval()


def upstream_module(name: str) -> ModuleType:
    """Import a module of the kokoro package without running the package's `__init__`.

    That would load spaCy and misaki: seconds, memory and packages that the model does not need. It
    leaves a partial `kokoro` in `sys.modules`, so it is for the benchmark's own processes only.
    Raises EngineMissing.
    """
    quiet_log()
    if "kokoro" not in sys.modules:
        found = find_spec("kokoro")
        if found is None or not found.submodule_search_locations:
            raise EngineMissing("the kokoro package is not installed")
        package = ModuleType("kokoro")
        package.__path__ = list(found.submodule_search_locations)
        sys.modules["kokoro"] = package
    try:
        return import_module(name)
    except ImportError as error:
        raise EngineMissing(f"the kokoro package lacks what it needs: {error}") from error


def quiet_log() -> None:
    """Stop upstream from logging each row, which takes time."""
    if find_spec("loguru") is not None:
        import_module("loguru").logger.disable("kokoro")


class PipelineEngine(RivalEngine):
    """Implement `BenchEngine` with `KPipeline` on one device.

    A line is text: a sentence or a whole paragraph.
    """

    def __init__(self, options: KokoroOptions, voice: str) -> None:
        """Raises EngineMissing, WeightsUnfit, UnknownVoice."""
        code = parse_mix(voice).language.code
        if code in "ab" and not has_english_model():
            raise EngineMissing(
                f"KPipeline needs {ENGLISH_MODEL}, which is not installed and would be fetched"
            )
        release = release_named(options.release)
        files = find_files(options.weights, release)
        device = ready_device(options)
        super().__init__(device)
        # A path, because upstream would look for a bare name on the Hub.
        self._pack = str(KokoroVoices(options.weights, release).pack(voice).path)
        quiet_log()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # upstream's deprecation warnings
            try:
                from kokoro import KPipeline
            except ImportError as error:
                raise EngineMissing(f"the kokoro package cannot be loaded: {error}") from error
            model = load_kmodel(files.config, files.weights).to(device)
            self._pipeline = KPipeline(code, V1_0.repo, model)

    def _speak(self, text: str) -> StepStats:
        results = self._pipeline(text, self._pack, split_pattern=None)
        return StepStats(sum(len(result.audio) for result in results if result.audio is not None))


class UpstreamPipelineRun(SynthesisRun):
    """Passes of upstream's pipeline, whose stages are not measured."""

    def stages(self) -> Stages:
        """No shares."""
        return Stages()


def upstream_run(options: KokoroOptions, text: BenchText, report: ReportProgress) -> SynthesisRun:
    """The model, in a child process. Raises EngineMissing."""
    return SynthesisRun(UpstreamEngine(options, text.voice), text, report)


def upstream_pipeline_run(
    options: KokoroOptions, text: BenchText, report: ReportProgress
) -> UpstreamPipelineRun:
    """The pipeline, in a child process; it takes lines of plain text. Raises EngineMissing."""
    return UpstreamPipelineRun(PipelineEngine(options, text.voice), text, report)


def as_text(options: BenchOptions, text: BenchText) -> BenchText:
    """The same passages in the form of upstream's pipeline: sentences, and whole paragraphs.

    Raises SourceError, WrongOptions.
    """
    sentences = sentences_of(read_source(options))

    def passage_as_text(passage: BenchPassage) -> BenchPassage:
        own_sentences = sentences[passage.chapter, passage.block]
        paragraph = " ".join(own_sentences)
        lines = {
            "sentence": tuple(BenchLine(sentence, len(sentence)) for sentence in own_sentences),
            "adaptive": (BenchLine(paragraph, len(paragraph)),),
        }
        return replace(passage, lines=lines)

    return replace(text, passages=tuple(map(passage_as_text, text.passages)))
