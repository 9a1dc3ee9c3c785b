"""One pass over a text, measured: where the clock is. Knows turns, no engine.

turns ─▶ speak, speak, … ─▶ Pass         and a turn that is asked to stop
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from flows.bench.figures import Pass
from flows.bench.memory import forget_peak, peak_bytes
from flows.watch import Interrupted, Watch
from renderers.trial import Made, Trial, Turn

WARM_UP_S = 5.0
Tell = Callable[[float], None]  # told how much of a pass is done, from 0 to 1


def warm_up(turns: Sequence[Turn]) -> None:
    """Speak from the end on, where turns are shortest, until kernels and caches are warm."""
    began = time.perf_counter()
    for turn in reversed(turns):
        turn.speak()
        if time.perf_counter() - began > WARM_UP_S:
            return


def run_pass(trial: Trial, turns: Sequence[Turn], tell: Tell) -> Pass:
    """Speak everything once."""
    forget_peak()
    trial.forget_gpu_peak()
    finished_s: list[float] = []
    first_s = 0.0
    made: list[Made] = []
    n_lines = sum(len(turn.lines) for turn in turns)
    began, begun_cpu_s = time.perf_counter(), cpu_s()
    for turn in turns:
        made.append(turn.speak())
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


def speak_all(turns: Sequence[Turn], watch: Watch) -> None:
    """Speak everything, unless told to stop. Raises Interrupted."""
    for turn in watch.through(turns):
        turn.speak()


def cancellation_s(work: Callable[[Watch], object], after_s: float) -> float:
    """Ask `work` to stop `after_s` after it began: how long until it has, in seconds.

    0 if it was done by then.
    """
    watch = Watch()

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
