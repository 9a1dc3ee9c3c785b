"""What a window costs the scheduler: `python tests/benchmarks/bench_scheduler.py`.

100 workers of Dask in a few processes, each with two places, as ours have, do 4,000 tasks of one
second. A task carries as many bytes as a window does and returns 500, as a tally has. As many are
in flight as a run has: half as many again as there are places. The scheduler is a process of its
own, as its users start it; so is the client. Other numbers of workers, tasks and bytes may follow
the command: 2400000 bytes are an encoded region.

Prints one JSON object: `scheduler_ms` is the processor time of the scheduler for a task,
`idle_share` its share of a core while there are no tasks. Not a test: nothing passes or fails.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from distributed import Client, Worker, as_completed

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.benchmark_arguments import arguments
from support.cluster import LoopbackCluster
from support.home import Home

N_PROCESSES = 4
WINDOW_BYTES = 20_000
TASK_S = 1.0
IDLE_S = 10.0
RESOURCE = "window"


def main() -> None:
    n_workers, n_tasks, n_bytes = arguments(__doc__, n_workers=100, n_tasks=4000, n_bytes=500)
    with tempfile.TemporaryDirectory() as folder:
        cluster = LoopbackCluster(Home(Path(folder), {}))
        cluster.start_scheduler()
        command = [sys.executable, __file__, "workers", cluster.address]
        numbers = [str(n_workers // N_PROCESSES)] * N_PROCESSES
        processes = [subprocess.Popen([*command, number], cwd=folder) for number in numbers]
        try:
            with Client(cluster.address, set_as_default=False) as client:
                client.wait_for_workers(n_workers // N_PROCESSES * N_PROCESSES)
                print(json.dumps(measured(client, cluster, n_workers, n_tasks, n_bytes), indent=1))
        finally:
            for process in processes:
                process.kill()
                process.wait()
            cluster.close()


def measured(
    client: Client, cluster: LoopbackCluster, n_workers: int, n_tasks: int, n_bytes: int
) -> dict:
    assert cluster.scheduler is not None
    scheduler = psutil.Process(cluster.scheduler.pid)
    idle_s = cpu_s(scheduler)
    time.sleep(IDLE_S)
    idle_s = cpu_s(scheduler) - idle_s
    before_s, began = cpu_s(scheduler), time.monotonic()
    do_all(client, n_tasks, n_bytes, 3 * n_workers)
    wall_s = time.monotonic() - began
    return {
        "cores": os.cpu_count(),
        "workers": n_workers,
        "tasks": n_tasks,
        "result_bytes": n_bytes,
        "wall_s": round(wall_s, 1),
        "ideal_s": round(n_tasks * TASK_S / (2 * n_workers), 1),
        "scheduler_ms": round(1000 * (cpu_s(scheduler) - before_s) / n_tasks, 2),
        "idle_share": round(idle_s / IDLE_S, 3),
    }


def cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def do_all(client: Client, n_tasks: int, n_bytes: int, n_in_flight: int) -> None:
    """Have the tasks done, so many at a time."""

    def submitted(number: int):
        data = number.to_bytes(4) + os.urandom(WINDOW_BYTES)
        resources = {RESOURCE: 1}
        return client.submit(
            do, data, n_bytes, key=f"window-{number}", resources=resources, pure=False
        )

    n_begun = min(n_in_flight, n_tasks)
    running = as_completed(
        [submitted(number) for number in range(n_begun)], loop=client.loop, with_results=True
    )
    for _, _result in running:
        if n_begun < n_tasks:
            running.add(submitted(n_begun))
            n_begun += 1


async def do(_data: bytes, n_bytes: int) -> bytes:
    await asyncio.sleep(TASK_S)
    return bytes(n_bytes)


async def work(address: str, n_workers: int) -> None:
    """Run workers until this process is killed."""
    workers = [
        Worker(address, nthreads=2, resources={RESOURCE: 2}, memory_limit=0, dashboard=False)
        for _ in range(n_workers)
    ]
    await asyncio.gather(*workers)
    await asyncio.Event().wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["workers"]:
        asyncio.run(work(sys.argv[2], int(sys.argv[3])))
    else:
        main()
