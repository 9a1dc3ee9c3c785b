"""One pass over a text, measured: where the clock is. Knows turns, no engine.

turns ─▶ speak, speak, … ─▶ Pass         and a turn that is asked to stop
"""

from __future__ import annotations

import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from audiomill.flows.bench.statistics import Pass
from audiomill.flows.pipeline.run_context import Interrupted, RunContext
from audiomill.renderers.benchmarking import BenchEngine, BenchStep, StepStats

# How much memory this process and those it started have held at most.

PROC = Path("/proc")
FORGET_PEAK = "5"  # to be written to clear_refs; see proc_pid_clear_refs(5)
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
KIB = 1 << 10


def forget_peak() -> None:
    """Count from now on, where the system can."""
    for process in _family(PROC / "self"):
        try:
            (process / "clear_refs").write_text(FORGET_PEAK)
        except OSError:
            continue  # no such file, not ours, or gone


def peak_bytes() -> int:
    """The most that this process has held, and each of its children, added up.

    Of children that have ended, the largest counts. Peaks need not have been at the same time, so
    this is never too little.
    """
    known = [peak for process in _family(PROC / "self") if (peak := _peak_bytes(process))]
    living = sum(known) or _since_its_start(resource.RUSAGE_SELF)
    return living + _since_its_start(resource.RUSAGE_CHILDREN)


def _since_its_start(who: int) -> int:
    unit = 1 if sys.platform == "darwin" else KIB
    return resource.getrusage(who).ru_maxrss * unit


def _family(process: Path) -> Iterator[Path]:
    """The folders in /proc of a process and of all that it started and that still run."""
    yield process
    for children in process.glob("task/*/children"):
        try:
            pids = children.read_text().split()
        except OSError:
            continue
        for pid in pids:
            yield from _family(PROC / pid)


def _peak_bytes(process: Path) -> int | None:
    try:
        found = _PEAK.search((process / "status").read_text())
    except OSError:
        return None
    return int(found[1]) * KIB if found else None


WARM_UP_S = 5.0
Tell = Callable[[float], None]  # told how much of a pass is done, from 0 to 1


def warm_up(turns: Sequence[BenchStep]) -> None:
    """Speak from the end on, where turns are shortest, until kernels and caches are warm."""
    began = time.perf_counter()
    for turn in reversed(turns):
        turn.run()
        if time.perf_counter() - began > WARM_UP_S:
            return


def run_pass(trial: BenchEngine, turns: Sequence[BenchStep], tell: Tell) -> Pass:
    """Speak everything once."""
    forget_peak()
    trial.forget_gpu_peak()
    finished_s: list[float] = []
    first_s = 0.0
    made: list[StepStats] = []
    n_lines = sum(len(turn.lines) for turn in turns)
    began, begun_cpu_s = time.perf_counter(), cpu_s()
    for turn in turns:
        made.append(turn.run())
        now_s = time.perf_counter() - began
        finished_s += [now_s] * len(turn.lines)
        first_s = now_s if 0 in turn.lines else first_s
        tell(len(finished_s) / n_lines)
    return Pass(
        wall_s=time.perf_counter() - began,
        audio_s=sum(one.n_samples for one in made) / trial.sample_rate,
        first_s=first_s,
        finished_s=tuple(finished_s),
        real=sum(one.real for one in made),
        computed=sum(one.computed for one in made),
        n_batches=sum(one.n_batches for one in made),
        peak_ram_bytes=peak_bytes(),
        peak_gpu_bytes=trial.gpu_peak_bytes(),
        cpu_s=cpu_s() - begun_cpu_s,
        budget=min((one.budget for one in made), default=0),
    )


def cpu_s() -> float:
    """What all threads of this process have computed so far, and its children that have ended."""
    return sum(os.times()[:4])


def speak_all(turns: Sequence[BenchStep], watch: RunContext) -> None:
    """Speak everything, unless told to stop. Raises Interrupted."""
    for turn in watch.until_cancelled(turns):
        turn.run()


def cancellation_s(work: Callable[[RunContext], object], after_s: float) -> float:
    """Ask `work` to stop `after_s` after it began: how long until it has, in seconds.

    0 if it was done by then.
    """
    watch = RunContext()

    def stoppable() -> float:
        with suppress(Interrupted):
            work(watch)
        return time.perf_counter()

    with ThreadPoolExecutor(1) as hand:
        ended = hand.submit(stoppable)
        time.sleep(after_s)
        asked = time.perf_counter()
        watch.stop.set()
        return max(0.0, ended.result() - asked)
