"""The whole mill on the test stand: from a text to a finished file, its store and library its own.

Lives in a `RemoteObject`; needs the full installation. Nothing of the user's store, library or
remembered phonemes is read or written.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.flows.bench import measure as passes
from audiomill.flows.bench.measure import forget_peak, peak_bytes
from audiomill.flows.bench.statistics import Pass, Stages, shares
from audiomill.flows.bench.texts import phonemiser
from audiomill.flows.job import Job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.plan import make_plan
from audiomill.flows.pipeline.report import Report
from audiomill.flows.pipeline.run_context import RunContext, Step, ThreadExecutor
from audiomill.flows.pipeline.stages import read_manuscript
from audiomill.renderers.base import Rendered, Request
from audiomill.renderers.options import EngineOptions
from audiomill.renderers.registry import open_renderer
from audiomill.renderers.store.store import ShardStore, StoredShard, open_store

if TYPE_CHECKING:
    from audiomill.renderers.kokoro.bench.roofline import TorchDevice

WARM_UP = "# One\n\nThis is said to wake the engine, and for nothing else.\n"


@dataclass(slots=True)
class Clock:
    """Progress, as times since a run began."""

    tell: passes.Tell
    began: float
    total_s: float = 1.0
    done_s: float = 0.0
    rendered_s: tuple[float, ...] = ()
    encoding_s: float = 0.0  # when encoding began

    def begin(self, step: Step, total_s: float) -> None:
        """See `Progress`."""
        if step is Step.ENCODE:
            self.encoding_s = time.perf_counter() - self.began
        else:
            self.total_s = max(total_s, 1e-9)

    def advance(self, step: Step, audio_s: float) -> None:
        """See `Progress`."""
        if step is Step.RENDER:
            self.rendered_s += (time.perf_counter() - self.began,)
            self.done_s += audio_s
            self.tell(min(1.0, self.done_s / self.total_s))


class PipelineRun:
    """One cold run from text to M4B, then what its stages cost each by itself."""

    def __init__(
        self, engine: str, options: EngineOptions, source: Path, folder: Path, tell: passes.Tell
    ) -> None:
        """Raises EngineMissing."""
        self._tell = tell
        self._folder = folder
        self._job = Job(source, folder / "library", str(folder / "store"), engine, options=options)
        self._renderer = open_renderer(engine, options)
        self._gpu = _torch_device(options) if engine == "kokoro" else None
        self._encode_s = self._synthesis_s = self._busy_share = self._hit_rate = 0.0

    def facts(self) -> Mapping[str, object]:
        """See `BenchEngine`."""
        return self._gpu.facts() if self._gpu else {"device": "cpu"}

    def warm_up(self, _chunking: str, _batch_frames: int) -> None:
        """Load the engine and start what works beside it, on a sentence that is not of the text."""
        source = self._folder / "warm-up.md"
        source.write_text(WARM_UP, "utf-8")
        self._mill(replace(self._job, source=source, out=self._folder / "warm-up"), RunContext())

    def run(self, _chunking: str, _batch_frames: int) -> Pass:
        """One cold run. To be asked once: what was pronounced before is remembered here."""
        forget_peak()
        if self._gpu:
            self._gpu.forget_gpu_peak()
        clock, begun_cpu_s = Clock(self._tell, time.perf_counter()), passes.cpu_s()
        report = self._mill(self._job, RunContext(clock))
        wall_s = time.perf_counter() - clock.began
        peak = peak_bytes()
        self._encode_s = wall_s - clock.encoding_s
        if report.work:
            self._synthesis_s = report.work.spent.synthesis_s
            self._busy_share = report.work.spent.busy_share
        self._hit_rate = hit_rate(report)
        return Pass(
            wall_s=wall_s,
            audio_s=self._speech_s(),
            first_s=min(clock.rendered_s, default=wall_s),
            finished_s=tuple(sorted(clock.rendered_s)),
            peak_ram_bytes=peak,
            peak_gpu_bytes=self._gpu.gpu_peak_bytes() if self._gpu else None,
            cpu_s=passes.cpu_s() - begun_cpu_s,
        )

    def cancel(self, _chunking: str, _batch_frames: int, after_s: float) -> float:
        """See `SynthesisRun`; into a store and a library of their own."""
        fresh = replace(
            self._job, out=self._folder / "stopped", store=str(self._folder / "stopped-store")
        )
        return passes.cancellation_s(lambda watch: self._mill(fresh, watch), after_s)

    def stages(self) -> Stages:
        """After a run: what each stage costs by itself, and a run that finds all in the store."""
        requests = self._requests()
        began = time.perf_counter()
        report = self._mill(replace(self._job, out=self._folder / "again"), RunContext())
        warm_wall_s = time.perf_counter() - began
        parts = {
            "g2p_share": self._g2p_s(requests),
            "synthesis_share": self._synthesis_s,
            "store_share": self._store_s(requests),
            "encode_share": self._encode_s,
        }
        return Stages(
            **shares(parts),
            busy_share=self._busy_share,
            cold_hit_rate=self._hit_rate,
            warm_hit_rate=hit_rate(report),
            warm_wall_s=warm_wall_s,
        )

    def _mill(self, job: Job, watch: RunContext) -> Report:
        with ThreadExecutor() as crew:
            return run_pipeline(job, crew, watch)

    def _requests(self) -> list[Request]:
        """Each distinct one."""
        plan = make_plan(read_manuscript(self._job), self._job, self._renderer)
        parts = (part for chapter in plan.chapters for part in chapter.parts)
        return list({part.request.key: part.request for part in parts}.values())

    def _speech_s(self) -> float:
        """Of what was said, without the pauses between: that is what others make too."""
        store = open_store(self._job.store)
        samples = sum(_stored(store, one).shard.n_samples for one in self._requests())
        return samples / self._renderer.sample_rate

    def _g2p_s(self, requests: list[Request]) -> float | None:
        """In one process, with what reads the language loaded before."""
        if self._job.engine != "kokoro" or not requests:
            return None
        say = phonemiser(requests[0].voice, self._job.options.kokoro)
        began = time.perf_counter()
        for request in requests:
            say(request.spoken)
        return time.perf_counter() - began

    def _store_s(self, requests: list[Request]) -> float:
        """To pack, write, read and verify every shard, one after the other."""
        full, empty = open_store(self._job.store), open_store(str(self._folder / "other-store"))
        bits = self._renderer.limits.exact_bits
        taken_s = 0.0
        with empty.session():
            for request in requests:
                stored = _stored(full, request)
                shard = stored.shard
                rendered = Rendered(stored.samples, shard.timings, shard.remarks)
                began = time.perf_counter()
                empty.put(shard.key, rendered, sample_rate=shard.sample_rate, bits=bits)
                empty.get(shard.key)
                taken_s += time.perf_counter() - began
        return taken_s


def _stored(store: ShardStore, request: Request) -> StoredShard:
    found = store.get(request.key)
    if not isinstance(found, StoredShard):
        raise OSError(found.detail)
    return found


def _torch_device(options: EngineOptions) -> TorchDevice:
    from audiomill.renderers.kokoro.bench.roofline import TorchDevice
    from audiomill.renderers.kokoro.inference.loading import chosen_device

    return TorchDevice(chosen_device(options.kokoro.device))


def hit_rate(report: Report) -> float:
    """The part of a book's distinct segments that were found in the store."""
    return report.cached / max(1, report.cached + report.rendered)
