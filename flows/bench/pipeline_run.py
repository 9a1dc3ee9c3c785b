"""End-to-end runs of the whole pipeline, measured: from a text to a finished file.

Used in a child process; needs the full installation. Each run has its own store and library:
nothing of the user's store, library or remembered phonemes is read or written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from audiomill.flows.bench.measure import (
    ReportProgress,
    cancellation_s,
    cpu_s,
    peak_bytes,
    reset_peak,
)
from audiomill.flows.bench.statistics import Pass, Stages, shares
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.job import Job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.flows.pipeline.report import Report
from audiomill.inputs.metadata.credits import Credits
from audiomill.renderers.engine.benchmarking import DeviceMemory, ToRows
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.protocol import Rendered, Request
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.store.store import ShardStore, StoredShard, open_store

# Not part of any text that is measured.
WARM_UP = "# One\n\nThis is said to wake the engine, and for nothing else.\n"


class PipelineRun:
    """One cold run from text to a finished file, then the cost of each of its stages."""

    def __init__(
        self,
        engine: str,
        options: EngineOptions,
        source: Path,
        folder: Path,
        report: ReportProgress,
        *,
        device: DeviceMemory | None = None,
        open_phonemizer: Callable[[str], ToRows] | None = None,
    ) -> None:
        """`device`: what the engine runs on, if this process can ask it.

        `open_phonemizer` gives the text to phonemes of a voice, for an engine whose own is measured
        apart. Raises EngineMissing.
        """
        self._report_progress = report
        self._folder = folder
        self._device = device
        self._open_phonemizer = open_phonemizer
        self._job = Job(
            source,
            folder / "library",
            str(folder / "store"),
            engine,
            credits=Credits(enabled=False),  # the text alone, as in the other measurements
            options=options,
        )
        self._renderer = open_renderer(engine, options)
        self._encode_s = self._synthesis_s = self._busy_share = self._hit_rate = 0.0

    def facts(self) -> Mapping[str, object]:
        """The facts of the device; see `BenchEngine`."""
        return self._device.facts() if self._device else {"device": "cpu"}

    def warm_up(self, _chunking: str, _batch_frames: int) -> None:
        """Load the engine and start its helper processes, with a sentence that is not measured."""
        source = self._folder / "warm-up.md"
        source.write_text(WARM_UP, "utf-8")
        self._render(replace(self._job, source=source, out=self._folder / "warm-up"), RunContext())

    def run(self, _chunking: str, _batch_frames: int) -> Pass:
        """Measure one cold run. May be called once: the process remembers pronunciations."""
        reset_peak()
        if self._device:
            self._device.reset_gpu_peak()
        timeline, start_cpu_s = Timeline(self._report_progress, time.perf_counter()), cpu_s()
        report = self._render(self._job, RunContext(timeline))
        wall_s = time.perf_counter() - timeline.start_s
        peak = peak_bytes()
        self._encode_s = wall_s - timeline.encoding_s
        if report.result:
            self._synthesis_s = report.result.stage_times.synthesis_s
            self._busy_share = report.result.stage_times.busy_share
        self._hit_rate = hit_rate(report)
        return Pass(
            wall_s=wall_s,
            audio_s=self._speech_s(),
            first_s=min(timeline.rendered_s, default=wall_s),
            finished_s=tuple(sorted(timeline.rendered_s)),
            peak_ram_bytes=peak,
            peak_gpu_bytes=self._device.gpu_peak_bytes() if self._device else None,
            cpu_s=cpu_s() - start_cpu_s,
        )

    def cancel(self, _chunking: str, _batch_frames: int, after_s: float) -> float:
        """The seconds to stop, as in `SynthesisRun`. Renders into a new store and library."""
        job = replace(
            self._job, out=self._folder / "stopped", store=str(self._folder / "stopped-store")
        )
        return cancellation_s(lambda context: self._render(job, context), after_s)

    def stages(self) -> Stages:
        """The cost of each stage, and a second run with a full store. To be called after `run`."""
        requests = self._requests()
        start_s = time.perf_counter()
        report = self._render(replace(self._job, out=self._folder / "again"), RunContext())
        warm_wall_s = time.perf_counter() - start_s
        seconds = {
            "g2p_share": self._g2p_s(requests),
            "synthesis_share": self._synthesis_s,
            "store_share": self._store_s(requests),
            "encode_share": self._encode_s,
        }
        return Stages(
            **shares(seconds),
            busy_share=self._busy_share,
            cold_hit_rate=self._hit_rate,
            warm_hit_rate=hit_rate(report),
            warm_wall_s=warm_wall_s,
        )

    def _render(self, job: Job, context: RunContext) -> Report:
        with ThreadExecutor() as executor:
            return run_pipeline(job, executor, context)

    def _requests(self) -> list[Request]:
        """The distinct requests of the text."""
        plan = make_plan(read_manuscript(self._job), self._job, self._renderer)
        segments = (segment for chapter in plan.chapters for segment in chapter.segments)
        return list({segment.request.key: segment.request for segment in segments}.values())

    def _speech_s(self) -> float:
        """Seconds of speech without the pauses between segments, as for engines of others."""
        store = open_store(self._job.store)
        n_samples = sum(_stored(store, one).info.n_samples for one in self._requests())
        return n_samples / self._renderer.sample_rate

    def _g2p_s(self, requests: list[Request]) -> float | None:
        """Seconds of text to phonemes in one process, without loading the G2P."""
        if not self._open_phonemizer or not requests:
            return None
        to_rows = self._open_phonemizer(requests[0].voice)
        start_s = time.perf_counter()
        for request in requests:
            to_rows(request.spoken)
        return time.perf_counter() - start_s

    def _store_s(self, requests: list[Request]) -> float:
        """Seconds to pack, write, read and verify all shards, one after another."""
        full, empty = open_store(self._job.store), open_store(str(self._folder / "other-store"))
        bits = self._renderer.limits.exact_bits
        total_s = 0.0
        with empty.session():
            for request in requests:
                stored = _stored(full, request)
                info = stored.info
                rendered = Rendered(stored.samples, info.timings, info.remarks)
                start_s = time.perf_counter()
                empty.put(info.key, rendered, sample_rate=info.sample_rate, bits=bits)
                empty.get(info.key)
                total_s += time.perf_counter() - start_s
        return total_s


@dataclass(slots=True)
class Timeline:
    """Implements `Progress`: keeps the times of events, in seconds since the start of a run."""

    report: ReportProgress
    start_s: float  # by `time.perf_counter`
    total_s: float = 1.0
    done_s: float = 0.0
    rendered_s: tuple[float, ...] = ()  # when each batch was finished
    encoding_s: float = 0.0  # when encoding began

    def begin(self, step: Step, total: float) -> None:
        """Keep the time when encoding begins, or the seconds of audio to render."""
        if step is Step.ENCODE:
            self.encoding_s = time.perf_counter() - self.start_s
        elif step is Step.RENDER:
            self.total_s = max(total, 1e-9)

    def advance(self, step: Step, done: float) -> None:
        """Keep the time when a batch is finished, and report the finished share of the book."""
        if step is Step.RENDER:
            self.rendered_s += (time.perf_counter() - self.start_s,)
            self.done_s += done
            self.report(min(1.0, self.done_s / self.total_s))

    def extend(self, step: Step, more: float) -> None:
        """Count what the store has as rendered, as it is in the seconds of audio."""
        self.advance(step, -more)


def hit_rate(report: Report) -> float:
    """The share of a book's distinct segments that the store had."""
    return report.cached / max(1, report.cached + report.rendered)


def _stored(store: ShardStore, request: Request) -> StoredShard:
    """The shard of a request. Raises OSError if it is missing or damaged."""
    entry = store.get(request.key)
    if not isinstance(entry, StoredShard):
        raise OSError(entry.detail)
    return entry
