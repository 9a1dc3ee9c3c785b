"""A failing S3 and many writers: `python tests/benchmarks/bench_store.py [WRITERS] [SHARDS]`.

WRITERS (8) processes write SHARDS (200) keys with S3's real client, half of them twice; then they
and two more processes read every key. The server is this process, on loopback. It fails in one way
after another, then in all ways at once, with an outage of two minutes. Prints one JSON object: by
kind of fault, for the writes and for the reads,

    wall_s, shards_per_s      from the first request until the last client is done
    requests, failures        what the server was asked, and what it did wrong, by name
    retries                   of the store's own, after which it waited
    client_cpu_ms             processor time of the clients by PUT or GET of a shard
    server_cpu_ms             the same of the server, by request
    missing                   reads that found nothing right, by what they found: rendered again

    --endpoint URL --server-pid PID    another server of S3, which does not fail

Not a test: nothing passes or fails, except that wrong audio ends it.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.faulty_s3 import Faults, serving_faulty_s3
from support.s3_server import BUCKET, client_variables
from support.shared_store import clients, shared_out

N_MORE_READERS = 2
N_THREADS = 8  # as flows/execution/windows.py has writers
N_SAMPLES = 72_000  # three seconds
JOB = {"n_threads": N_THREADS, "n_samples": N_SAMPLES}
OUTAGE = {"outage_after": 20, "outage_s": 120.0}
PARTS = {
    "errors of 30 %": {"error_share": 0.3},
    "corrupt reads of 20 %": {"corrupt_share": 0.2},
    "half uploads of 20 %": {"torn_share": 0.2, "shows_torn": True},
    "spoiled uploads of 20 %": {"spoiled_share": 0.2},
    "late listing": {"listing_lag": 10**6},
    "latency of 500 ms": {"latency_s": 0.5},
    "outage of 120 s": OUTAGE,
}
KINDS = {
    "nothing": {},
    **PARTS,
    "everything": {name: value for part in PARTS.values() for name, value in part.items()},
}


def main() -> None:
    options = arguments()
    with serving_faulty_s3() as server, tempfile.TemporaryDirectory() as folder:
        variables = client_variables(server, Path(folder))
        if options.endpoint:
            variables["AWS_ENDPOINT_URL"] = options.endpoint
        process = psutil.Process(options.server_pid)
        with clients(options.writers + N_MORE_READERS, variables) as started:
            bench = Bench(server, process, started, options)
            bench.run("warm", Faults(), n_keys=2 * len(started))
            kinds = {"nothing": {}} if options.endpoint else KINDS
            results = {}
            for name, faults in kinds.items():
                results[name] = bench.run(name, Faults(seed=1, **faults), options.shards)
                print(name, results[name]["write"]["wall_s"], "s", file=sys.stderr, flush=True)
    told = {"cores": os.cpu_count(), "writers": options.writers, "keys": options.shards}
    print(json.dumps(told | {"threads": N_THREADS, "kinds": results}, indent=1))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("writers", type=int, nargs="?", default=8)
    parser.add_argument("shards", type=int, nargs="?", default=200)
    parser.add_argument("--endpoint")
    parser.add_argument("--server-pid", type=int, default=os.getpid())
    return parser.parse_args()


class Bench:
    def __init__(self, server, process, started, options) -> None:
        self._server = server
        self._process = process
        self._started = started
        self._n_writers = options.writers

    def run(self, name: str, faults: Faults, n_keys: int) -> dict:
        """Write all, then read all."""
        url = f"s3://{BUCKET}/{name.replace(' ', '-').replace('%', '')}"
        owned = shared_out(n_keys, self._n_writers)
        every = [[*range(n_keys)]] * len(self._started)
        self._server.begin(faults)
        written = self._measured(url, "write", owned)
        return {"write": written, "read": self._measured(url, "read_once", every)}

    def _measured(self, url: str, role: str, shares: list[list[int]]) -> dict:
        server_s = self._server_cpu_s()
        done, kinds = Counter(self._server.done), Counter(self._server.kinds)
        asked = list(zip(self._started, shares, strict=False))
        for client, numbers in asked:
            client.begin(role=role, url=url, numbers=numbers, **JOB)
        answers = [client.answer() for client, _ in asked]
        for one in answers:
            if "error" in one:
                sys.exit(one["error"])
        server_s = self._server_cpu_s() - server_s
        kinds = self._server.kinds - kinds
        return summary(answers, sum(map(len, shares)), kinds.total(), server_s) | {
            "requests": kinds,
            "failures": self._server.done - done,
        }

    def _server_cpu_s(self) -> float:
        times = self._process.cpu_times()
        return times.user + times.system


def summary(answers: list[dict], n_shards: int, n_requests: int, server_s: float) -> dict:
    wall_s = max(one["ended_s"] for one in answers) - min(one["began_s"] for one in answers)
    counts = sum((Counter(one["counts"]) for one in answers), Counter())
    counts.pop("found", None)
    return {
        "shards": n_shards,
        "wall_s": round(wall_s, 2),
        "shards_per_s": round(n_shards / wall_s, 1),
        "client_cpu_ms": round(1000 * sum(one["cpu_s"] for one in answers) / n_shards, 2),
        "server_cpu_ms": round(1000 * server_s / (n_requests or n_shards), 2),
        "retries": sum(one["retries"] for one in answers),
        "told": sum(len(one["told"]) for one in answers),
        "missing": counts,
    }


if __name__ == "__main__":
    main()
