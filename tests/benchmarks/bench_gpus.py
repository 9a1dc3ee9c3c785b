"""How rendering scales with GPUs that are none: `python tests/bench_gpus.py [HOURS] [PACE]`.

A book of about HOURS (3) is rendered by 1, 2, 4 and 8 cards that sleep for as long as one that
speaks PACE (60) times real time would take. All else is real: the plan, phonemes remembered from a
run before, shares, worker processes, samples through shared memory, the store. Processes are
started before the clock is. Prints one JSON object; `of_linear` is the time, times cards, as a part
of one card's. The host takes some 0.5 ms of a core for each second of audio: where PACE times cards
asks more of it than there is, that is what is measured. Not a test: it judges nothing.
"""

import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from support.book_data import write_book
from support.fake_gpus import FakeGpu, sleeping_gpu

N_CARDS = (1, 8, 2, 4)  # what disturbs the machine for a while then disturbs both ends
SENTENCES_PER_HOUR = 560


def main() -> None:
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    pace = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        write_book(Path(folder) / "book.md", 12, round(hours * SENTENCES_PER_HOUR / 12))
        run(Path(folder), 0.0, 1)  # which fills what is remembered of phonemes
        runs = {n_cards: run(Path(folder), pace, n_cards) for n_cards in N_CARDS}
    for n_cards, figures in runs.items():
        figures["of_linear"] = round(figures["wall_s"] * n_cards / runs[1]["wall_s"], 3)
    cores = len(os.sched_getaffinity(0))
    print(json.dumps({"cores": cores, "pace": pace, "cards": dict(sorted(runs.items()))}, indent=1))


def run(folder: Path, pace: float, n_cards: int) -> dict:
    """Render the folder's book into a store of its own."""
    from audiomill.flows.pipeline.pipeline import WINDOWS_IN_FLIGHT
    from audiomill.flows.pipeline.plan import make_plan
    from audiomill.flows.pipeline.run_context import RunContext, ThreadExecutor
    from audiomill.flows.pipeline.stages import read_manuscript, render_window
    from audiomill.renderers.host.threads import map_in_order
    from audiomill.renderers.registry import open_renderer
    from audiomill.renderers.store.store import open_store

    job = job_for(folder, pace, n_cards)
    with sleeping(pace), tempfile.TemporaryDirectory(dir=folder) as store, ThreadExecutor() as crew:
        job = replace(job, store=store)
        plan = make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))
        start_all(job, plan)
        load = os.getloadavg()[0]
        began, cpu_s = time.perf_counter(), sum(os.times()[:4])
        with open_store(store).session():
            windows = map_in_order(
                lambda window: crew.submit(render_window, job, window, RunContext()),
                plan.windows,
                WINDOWS_IN_FLIGHT,
            )
            n_segments = sum(tally.rendered for tally in windows)
        wall_s = time.perf_counter() - began
    return {
        "segments": n_segments,
        "wall_s": round(wall_s, 2),
        "load": round(load, 1),  # of the machine, before
        "cpu_s": round(sum(os.times()[:4]) - cpu_s, 2),  # of this process
    }


def job_for(folder: Path, pace: float, n_cards: int):
    from audiomill.flows.job import Job
    from audiomill.renderers.options import EngineOptions, KokoroOptions
    from support.kokoro_reference import folder as model

    options = KokoroOptions(
        weights=model("narrow"),
        device=",".join(f"cuda:{number}" for number in range(n_cards)),
        batch_frames=round(1_000 + pace),  # cards of another pace are another engine
        phonemes=folder / "phonemes.sqlite",
    )
    return Job(folder / "book.md", folder / "library", "", "kokoro", options=EngineOptions(options))


def start_all(job, plan) -> None:
    """Have every card say something that is not of the book."""
    from audiomill.renderers.base import Batch
    from audiomill.renderers.registry import open_renderer

    requests = [
        one for window in plan.windows for batch in window.batches for one in batch.requests
    ]
    others = [replace(one, key=f"{n:064x}") for n, one in enumerate(requests[:128])]
    open_renderer(job.engine, job.options).render(Batch(tuple(others)))


def sleeping(pace: float):
    """While this lasts, cards are opened that sleep: here if it is one, else in their processes."""
    return mock.patch.multiple(
        "audiomill.renderers.kokoro.inference.multi_gpu",
        load_runner=partial(Sleeper, pace),
        load_on_gpu=partial(sleeping_gpu, pace),
    )


class Sleeper:
    """One that speaks in this process."""

    def __init__(self, pace: float, *_) -> None:
        self._card = FakeGpu(pace)

    def start(self, rows):
        asked = [(row.utterance.tokens, None, row.utterance.speed, row.seed) for row in rows]
        return [Said(*told) for told in self._card.run(asked)]


class Said(NamedTuple):
    """A row that a card has spoken."""

    samples: Any
    durations: tuple
    frame_s: float

    def finished(self):
        from audiomill.renderers.kokoro.inference.runner import RowAudio

        return RowAudio(*self)


if __name__ == "__main__":
    main()
