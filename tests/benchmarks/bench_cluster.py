"""How rendering scales with workers: `python tests/benchmarks/bench_cluster.py [HOURS] [PACE]`.

With a third argument, another store. Needs no GPU. A book of about HOURS (10) is rendered by one
worker and by four, each with a card that sleeps as long as a GPU with PACE (300) times real time
would take. All else is real: Dask's scheduler and worker processes on loopback, the plan, samples,
shards, and a store on S3: "s3", our own stand-in in a process of its own (the default); a URL such
as http://127.0.0.1:5000, which has the bucket `books`; or "folder", a local folder. Workers join
before the clock starts.

Prints one JSON object. `efficiency` is the time with one worker, divided by the time with four and
by four; `of_ideal` compares with cards that do nothing but render. Not a test: nothing passes or
fails.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support import cluster_engines  # noqa: F401  the engine "card"
from support.benchmark_arguments import arguments
from support.book_data import write_book
from support.cluster import running_cluster
from support.home import Home
from support.s3_server import BUCKET, KEY_ID, SECRET

N_WORKERS = (4, 1)
SENTENCES_PER_HOUR = 865
SERVER = """
import sys, threading
from support.s3_server import serving_s3
with serving_s3() as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


def main() -> None:
    hours, pace, place = arguments(__doc__, hours=10.0, pace=300.0, place="s3")
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder, s3(place) as url:
        source = write_book(Path(folder) / "book.md", 24, round(hours * SENTENCES_PER_HOUR / 24))
        runs = {n: run(Path(folder) / str(n), source, pace, n, url) for n in N_WORKERS}
    for n_workers, figures in runs.items():
        figures["efficiency"] = round(runs[1]["wall_s"] / figures["wall_s"] / n_workers, 3)
    cores = len(os.sched_getaffinity(0))
    print(json.dumps({"cores": cores, "pace": pace, "store": place, "workers": runs}, indent=1))


@contextmanager
def s3(place: str) -> Iterator[str | None]:
    """The URL of a server; None for a folder."""
    if place != "s3":
        yield None if place == "folder" else place
        return
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=-1, stdout=-1, text=True, env=environment
    ) as server:
        assert server.stdout and server.stdin
        yield server.stdout.readline().strip()
        server.stdin.close()


def run(folder: Path, source: Path, pace: float, n_workers: int, url: str | None) -> dict:
    """Render the book into a new store."""
    folder.mkdir()
    place = f"{folder.parent.name}/{n_workers}"
    variables = {"AUDIOMILL_TEST_PACE": str(pace), **variables_of(url, place)}
    names = [f"worker-{number}" for number in range(n_workers)]
    with ExitStack() as stack:
        cluster = stack.enter_context(running_cluster(Home(folder, variables), *names))
        os.environ.update(cluster.home.environment)
        return measured(source, cluster.address, pace, n_workers)


def variables_of(url: str | None, place: str) -> dict[str, str]:
    """The environment of clients of a server for S3 with a store at `place`; none for a folder."""
    if url is None:
        return {}
    return {
        "AUDIOMILL_STORE": f"s3://{BUCKET}/{place}",
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
    }


def measured(source: Path, scheduler: str, pace: float, n_workers: int) -> dict:
    from audiomill.flows.cluster.choice import chosen_place, place_of_windows
    from audiomill.flows.execution.executor import ThreadExecutor
    from audiomill.flows.execution.run_context import RunContext
    from audiomill.flows.execution.windows import window_tasks
    from audiomill.flows.make_job import make_job
    from audiomill.flows.pipeline.planning.manuscript import read_manuscript
    from audiomill.flows.pipeline.planning.plan import make_plan
    from audiomill.flows.settings import load_settings
    from audiomill.renderers.engine.registry import open_renderer
    from audiomill.renderers.store.store import open_store

    settings = load_settings()
    job = make_job(settings, source, engine="card")
    with (
        place_of_windows(chosen_place(settings, {"executor": "dask"})) as place,
        ThreadExecutor() as threads,
        open_store(job.store).session() as store,
    ):
        executor = place.executor(threads)
        plan = make_plan(
            read_manuscript(job),
            job,
            open_renderer(job.engine, job.options),
            executor.n_shared_windows,
        )
        tasks = window_tasks(job, plan.windows, plan.book.title)
        load = os.getloadavg()[0]
        started, cpu = time.perf_counter(), sum(os.times()[:4])
        results = list(executor.render_windows(tasks, store, RunContext()))
        wall_s = time.perf_counter() - started
        flow_cpu_s = sum(os.times()[:4]) - cpu
    ideal_s = plan.estimated_s / pace / n_workers
    return {
        "windows": len(results),
        "segments": sum(result.rendered for result in results),
        "audio_s": round(plan.estimated_s),
        "wall_s": round(wall_s, 2),
        "of_ideal": round(ideal_s / wall_s, 3),
        "flow_cpu_s": round(flow_cpu_s, 2),
        "load_before": round(load, 1),
    }


if __name__ == "__main__":
    main()
