"""An engine on the test stand: loaded once, then run through the text as often as it is asked.

Lives in a `Worker`. Knows what each kind of engine is opened with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flows.bench import passes
from flows.bench.figures import Pass
from flows.bench.subject import Subject
from renderers.options import EngineOptions, KokoroOptions
from renderers.trial import Trial, Turn

if TYPE_CHECKING:
    from flows.bench.mill_stand import MillStand


class SynthesisStand:
    """Synthesis only: what is said is there beforehand, and samples are dropped."""

    def __init__(self, trial: Trial, subject: Subject, tell: passes.Tell) -> None:
        self._trial = trial
        self._tell = tell
        self._subject = subject
        self._turns: dict[tuple[str, int], Sequence[Turn]] = {}

    def facts(self) -> Mapping[str, object]:
        """See `Trial`."""
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

    def _wanted(self, chunking: str, batch_frames: int) -> Sequence[Turn]:
        """Planned once, so that no pass pays for it."""
        wanted = chunking, batch_frames
        if wanted not in self._turns:
            lines = self._subject.lines(chunking)
            self._turns[wanted] = self._trial.turns(lines, batch_frames)
        return self._turns[wanted]


def text_stand(engine: str, subject: Subject, tell: passes.Tell) -> SynthesisStand:
    """Any engine that takes text. Raises EngineMissing."""
    from flows.bench.text_trial import TextTrial

    return SynthesisStand(TextTrial(engine, subject.voice), subject, tell)


def kokoro_stand(options: KokoroOptions, subject: Subject, tell: passes.Tell) -> SynthesisStand:
    """Our Kokoro. Raises EngineMissing, WeightsUnfit."""
    from renderers.kokoro.bench_rows import RowsTrial

    return SynthesisStand(RowsTrial(options, subject.voice), subject, tell)


def upstream_stand(options: KokoroOptions, subject: Subject, tell: passes.Tell) -> SynthesisStand:
    """Upstream's model. Raises EngineMissing."""
    from renderers.kokoro.bench_upstream import UpstreamTrial

    return SynthesisStand(UpstreamTrial(options, subject.voice), subject, tell)


def pipeline_stand(options: KokoroOptions, subject: Subject, tell: passes.Tell) -> SynthesisStand:
    """Upstream's whole pipeline; the subject's lines are text. Raises EngineMissing."""
    from renderers.kokoro.bench_pipeline import PipelineTrial

    return SynthesisStand(PipelineTrial(options, subject.voice), subject, tell)


def mill_stand(
    engine: str, options: EngineOptions, source: Path, folder: Path, tell: passes.Tell
) -> MillStand:
    """Our whole mill. Raises EngineMissing."""
    from flows.bench.mill_stand import MillStand

    own = _on_one_device(options) if engine == "kokoro" else options
    return MillStand(engine, own, source, folder, tell)


def _on_one_device(options: EngineOptions) -> EngineOptions:
    """A stand measures one device, where a render takes every GPU there is."""
    from renderers.kokoro.loading import chosen_device

    device = str(chosen_device(options.kokoro.device))
    return replace(options, kokoro=replace(options.kokoro, device=device))


def onnx_stand(
    options: KokoroOptions, subject: Subject, model: Path, tell: passes.Tell
) -> SynthesisStand:
    """ONNX Runtime. Raises EngineMissing."""
    from renderers.kokoro.bench_onnx import OnnxTrial

    return SynthesisStand(OnnxTrial(options, subject.voice, model), subject, tell)
