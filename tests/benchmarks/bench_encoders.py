"""What workers' encoders give: `python tests/benchmarks/bench_encoders.py [HOURS]`.

A book of about HOURS (3), whose segments are all in the store, is measured and encoded to M4B: by
this machine alone, then with the encoders of one worker. The run is bound to the first core that
this process may use, the worker to all others, so that the two are as two machines. Both are run in
N_ROUNDS rounds, in turns.

Prints one JSON object: the seconds of each round, the speedup of their medians, and whether the
files are the same. Not a test: nothing passes or fails.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.benchmark_arguments import arguments
from support.book_data import write_book
from support.cluster import ON_CLUSTER, LoopbackCluster, report_of
from support.home import Home

N_ROUNDS = 3
SENTENCES_PER_HOUR = 865
TO_M4B = [word.replace("flac", "m4b") for word in ON_CLUSTER]


def main() -> None:
    (hours,) = arguments(__doc__, hours=3.0)
    first, *others = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        source = write_book(Path(folder) / "book.md", 12, round(hours * SENTENCES_PER_HOUR / 12))
        cluster = LoopbackCluster(Home(Path(folder), {}))
        cluster.start_scheduler()
        try:
            restart_worker(cluster, others, len(others))
            encoded(cluster, source, first)  # and rendered, into the store
            rounds = [both(cluster, source, first, others) for _ in range(N_ROUNDS)]
        finally:
            cluster.close()
    alone, with_worker = zip(*rounds, strict=True)
    result = {
        "audio_s": alone[0]["audio_s"],
        "alone_s": [one["wall_s"] for one in alone],
        "with_worker_s": [one["wall_s"] for one in with_worker],
        "speedup": round(
            median(one["wall_s"] for one in alone) / median(one["wall_s"] for one in with_worker), 2
        ),
        "is_same": len({one["digest"] for one in (*alone, *with_worker)}) == 1,
    }
    print(json.dumps(result, indent=1))


def both(
    cluster: LoopbackCluster, source: Path, first: int, others: list[int]
) -> tuple[dict, dict]:
    """The book encoded by this machine alone, and with the worker's encoders."""
    restart_worker(cluster, others, 0)
    alone = encoded(cluster, source, first)
    restart_worker(cluster, others, len(others))
    return alone, encoded(cluster, source, first)


def restart_worker(cluster: LoopbackCluster, cores: list[int], n_encoders: int) -> None:
    cluster.stop_workers()
    name = f"with-{n_encoders}"
    cluster.log_of(name).unlink(missing_ok=True)
    with_affinity(cores, lambda: cluster.start_worker(name, "--encoders", str(n_encoders)))
    cluster.wait_for(name)


def encoded(cluster: LoopbackCluster, source: Path, core: int) -> dict:
    shutil.rmtree(cluster.home.library, ignore_errors=True)
    process = with_affinity([core], lambda: cluster.home.start("render", source, *TO_M4B))
    report, _ = report_of(process)
    audio = Path(report["files"][0]["path"]).read_bytes()
    return report | {"digest": hashlib.sha256(audio).hexdigest()}


def with_affinity(cores, start):
    """What `start` returns, called while this process may use these cores only."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        return start()
    finally:
        os.sched_setaffinity(0, before)


if __name__ == "__main__":
    main()
