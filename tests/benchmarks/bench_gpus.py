"""How rendering scales with GPUs: `python tests/benchmarks/bench_gpus.py [HOURS] [PACE]`.

Needs no GPU. A book of about HOURS (3) is rendered by 1, 2, 4 and 8 fake GPUs that sleep for as
long as a GPU with PACE (60) times real time would take. Everything else is real: the plan, phonemes
remembered from an earlier run, the division of work, worker processes, samples through shared
memory, the store. Processes are started before the clock, that which writes shards too: a real run
starts it while the GPUs load their model.

Prints one JSON object; `of_linear` is the time, multiplied by the number of GPUs, as a share of the
time with one GPU; `cpu_ms_per_segment` is the processor time of the main process for a segment of
12 s (docs/design/gpu.md has figures). If PACE times the number of GPUs needs more than there is,
this limit is what is measured. Stores take nearly a gigabyte for each hour. Not a test: nothing
passes or fails.
"""

import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from audiomill.renderers.host.malloc import limit_malloc_arenas
from audiomill.renderers.host.unused_objects import search_less_often
from support.benchmark_arguments import arguments
from support.book_data import write_book
from support.fake_gpus import sleeping_gpu
from support.process_data import wait_until

N_GPUS = (1, 8, 2, 4)  # a temporary disturbance of the machine then affects few and many GPUs
SENTENCES_PER_HOUR = 560


def main() -> None:
    hours, pace = arguments(__doc__, hours=3.0, pace=60.0)
    limit_malloc_arenas()  # as every run does
    search_less_often()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as temporary:
        folder = Path(temporary)
        write_book(folder / "book.md", 12, round(hours * SENTENCES_PER_HOUR / 12))
        run(folder, 0.0, 1)  # fills the cache of phonemes
        runs = {n_gpus: run(folder, pace, n_gpus) for n_gpus in N_GPUS}
    for n_gpus, figures in runs.items():
        figures["of_linear"] = round(figures["wall_s"] * n_gpus / runs[1]["wall_s"], 3)
    cores = len(os.sched_getaffinity(0))
    print(json.dumps({"cores": cores, "pace": pace, "cards": dict(sorted(runs.items()))}, indent=1))


def run(folder: Path, pace: float, n_gpus: int) -> dict:
    """Render the book of `folder` into a new store."""
    from audiomill.flows.execution.executor import ThreadExecutor
    from audiomill.flows.execution.run_context import RunContext
    from audiomill.flows.execution.windows import window_tasks
    from audiomill.flows.pipeline.planning.manuscript import read_manuscript
    from audiomill.flows.pipeline.planning.plan import make_plan
    from audiomill.renderers.engine.registry import open_renderer
    from audiomill.renderers.store.store import open_store

    job = job_for(folder, pace, n_gpus)
    # Not removed before the end: for seconds after, ext4 takes 0.4 ms to create a file.
    store = tempfile.mkdtemp(dir=folder)
    with fake_gpus(pace), ThreadExecutor() as executor:
        job = replace(job, store=store)
        plan = make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))
        start_processes(job, plan)
        with open_store(store).session() as session:
            session.prepare_writer()
            wait_until(session.has_writer)
            load = os.getloadavg()[0]
            start_s, start_cpu_s = time.perf_counter(), time.process_time()
            tasks = window_tasks(job, plan.windows, plan.book.title)
            windows = executor.render_windows(tasks, session, RunContext())
            n_segments = sum(window.rendered for window in windows)
        wall_s, cpu_s = time.perf_counter() - start_s, time.process_time() - start_cpu_s
    return {
        "segments": n_segments,
        "wall_s": round(wall_s, 2),
        "load": round(load, 1),  # of the machine, before the run
        "cpu_ms_per_segment": round(1000 * cpu_s / n_segments, 2),  # of this process
    }


def job_for(folder: Path, pace: float, n_gpus: int):
    from audiomill.flows.job import Job
    from audiomill.renderers.engine.options import EngineOptions
    from audiomill.renderers.kokoro.options import KokoroOptions
    from support.kokoro_reference import folder as model

    options = KokoroOptions(
        weights=model("narrow"),
        device=",".join(f"cuda:{number}" for number in range(n_gpus)),
        batch_frames=round(1_000 + pace),  # so that each pace opens an engine of its own
        phonemes=folder / "phonemes.sqlite",
    )
    return Job(
        folder / "book.md", folder / "library", "", "kokoro", options=EngineOptions((options,))
    )


def start_processes(job, plan) -> None:
    """Start the process of every GPU, with requests that are not in the book."""
    from audiomill.renderers.engine.protocol import Batch
    from audiomill.renderers.engine.registry import open_renderer

    requests = [
        one for window in plan.windows for batch in window.batches for one in batch.requests
    ]
    others = [replace(one, key=f"{n:064x}") for n, one in enumerate(requests[:128])]
    open_renderer(job.engine, job.options).render(Batch(tuple(others)))


def fake_gpus(pace: float):
    """Within this context GPUs are fakes, in processes of their own."""
    fake = partial(sleeping_gpu, pace)
    return mock.patch.multiple(
        "audiomill.renderers.kokoro.multi_gpu", load_only_gpu=fake, load_on_gpu=fake
    )


if __name__ == "__main__":
    main()
