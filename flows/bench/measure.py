"""Measurements within one process: a pass over a text, the time to stop, memory.

    text ─▶ steps of an engine ─▶ run, run, … ─▶ Pass

Knows the steps of engines, no particular engine.
"""

from __future__ import annotations

import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.statistics import Pass
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.renderers.engine.benchmarking import BenchEngine, BenchStep, StepStats

WARM_UP_S = 5.0
PROC = Path("/proc")
RESET_PEAK = "5"  # written to clear_refs; see proc_pid_clear_refs(5)
PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
KIB = 1 << 10

ReportProgress = Callable[[float], None]  # called with the finished share of a pass, from 0 to 1


class SynthesisRun:
    """Passes of synthesis only: the text is prepared beforehand, and samples are dropped."""

    def __init__(
        self,
        engine: BenchEngine,
        text: BenchText,
        report: ReportProgress,
        *,
        has_memory: bool = True,
    ) -> None:
        """`has_memory`: the engine's memory is that of this process and its children."""
        self._has_memory = has_memory
        self._engine = engine
        self._report = report
        self._text = text
        self._steps: dict[tuple[str, int], Sequence[BenchStep]] = {}

    def facts(self) -> Mapping[str, object]:
        """The facts of the engine; see `BenchEngine`."""
        return self._engine.facts()

    def warm_up(self, chunking: str, batch_frames: int) -> None:
        """Synthesize until kernels and caches are warm."""
        warm_up(self._planned(chunking, batch_frames))
        self._engine.release_cached_memory()

    def run(self, chunking: str, batch_frames: int, in_flight: int = 1) -> Pass:
        """Measure one pass over the text, with so many steps at a time."""
        steps = self._planned(chunking, batch_frames)
        result = run_pass(self._engine, steps, self._report, in_flight)
        self._engine.release_cached_memory()
        return result if self._has_memory else replace(result, peak_ram_bytes=None)

    def cancel(self, chunking: str, batch_frames: int, after_s: float) -> float:
        """The seconds from a request to stop, `after_s` after the start, until it has stopped."""
        steps = self._planned(chunking, batch_frames)
        stopped_s = cancellation_s(partial(run_all, steps), after_s)
        self._engine.release_cached_memory()
        return stopped_s

    def _planned(self, chunking: str, batch_frames: int) -> Sequence[BenchStep]:
        """Planned once, so that a pass does not include planning."""
        key = chunking, batch_frames
        if key not in self._steps:
            self._steps[key] = self._engine.steps(self._text.lines(chunking), batch_frames)
        return self._steps[key]


def warm_up(steps: Sequence[BenchStep]) -> None:
    """Run steps from the end, where they are shortest, until kernels and caches are warm."""
    start_s = time.perf_counter()
    for step in reversed(steps):
        step.run()
        if time.perf_counter() - start_s > WARM_UP_S:
            return


def run_pass(
    engine: BenchEngine,
    steps: Sequence[BenchStep],
    report: ReportProgress,
    in_flight: int = 1,
) -> Pass:
    """Run all steps once, so many at a time, and measure them."""
    reset_peak()
    engine.reset_gpu_peak()
    finished_s: list[float] = []
    first_s = 0.0
    stats: list[StepStats] = []
    n_lines = sum(len(step.lines) for step in steps)
    start_s, start_cpu_s = time.perf_counter(), cpu_s()
    for step, result in _results(steps, in_flight):
        stats.append(result)
        now_s = time.perf_counter() - start_s
        finished_s += [now_s] * len(step.lines)
        first_s = now_s if 0 in step.lines else first_s
        report(len(finished_s) / n_lines)
    return Pass(
        wall_s=time.perf_counter() - start_s,
        audio_s=sum(one.n_samples for one in stats) / engine.sample_rate,
        first_s=first_s,
        finished_s=tuple(finished_s),
        real=sum(one.real for one in stats),
        computed=sum(one.computed for one in stats),
        n_batches=sum(one.n_batches for one in stats),
        peak_ram_bytes=peak_bytes(),
        peak_gpu_bytes=engine.gpu_peak_bytes(),
        cpu_s=cpu_s() - start_cpu_s,
        budget=min((one.budget for one in stats), default=0),
    )


def _results(steps: Sequence[BenchStep], in_flight: int) -> Iterator[tuple[BenchStep, StepStats]]:
    """Each step with its result, as they are finished."""
    if in_flight == 1:
        yield from ((step, step.run()) for step in steps)
        return
    with ThreadPoolExecutor(in_flight) as threads:
        futures = {threads.submit(step.run): step for step in steps}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def run_all(steps: Sequence[BenchStep], context: RunContext) -> None:
    """Run all steps. Raises Interrupted if the context is stopped."""
    for step in context.until_cancelled(steps):
        step.run()


def cancellation_s(work: Callable[[RunContext], object], after_s: float) -> float:
    """The seconds that `work` takes to stop when it is stopped `after_s` after its start.

    0 if it was finished by then.
    """
    context = RunContext()

    def end_of_work_s() -> float:
        with suppress(Interrupted):
            work(context)
        return time.perf_counter()

    with ThreadPoolExecutor(1) as executor:
        end_s = executor.submit(end_of_work_s)
        time.sleep(after_s)
        stop_s = time.perf_counter()
        context.stop.set()
        return max(0.0, end_s.result() - stop_s)


def cpu_s() -> float:
    """Processor time so far of all threads of this process and of its children that have ended."""
    return sum(os.times()[:4])


def reset_peak() -> None:
    """Count peak memory from now on, if the system supports it."""
    for process in _process_tree(PROC / "self"):
        try:
            (process / "clear_refs").write_text(RESET_PEAK)
        except OSError:
            continue  # no such file, not ours, or the process has ended


def peak_bytes() -> int:
    """The sum of the peak memory of this process and of each of its children.

    Of children that have ended, only the largest counts. Peaks may have been at different times, so
    that the sum is never too small.
    """
    peaks = [peak for process in _process_tree(PROC / "self") if (peak := _peak_bytes(process))]
    living = sum(peaks) or _lifetime_peak_bytes(resource.RUSAGE_SELF)
    return living + _lifetime_peak_bytes(resource.RUSAGE_CHILDREN)


def _lifetime_peak_bytes(who: int) -> int:
    unit = 1 if sys.platform == "darwin" else KIB
    return resource.getrusage(who).ru_maxrss * unit


def _process_tree(process: Path) -> Iterator[Path]:
    """The folders in /proc of a process and of all its descendants that still run."""
    yield process
    for children in process.glob("task/*/children"):
        try:
            pids = children.read_text().split()
        except OSError:
            continue  # the process has ended
        for pid in pids:
            yield from _process_tree(PROC / pid)


def _peak_bytes(process: Path) -> int | None:
    try:
        match = PEAK.search((process / "status").read_text())
    except OSError:
        return None
    return int(match[1]) * KIB if match else None
