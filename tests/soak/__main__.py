"""Everything at once, for hours: `PYTHONPATH=tests python -m soak --hours 2 --books FOLDER`.

Side by side, until the time is up:

    two of `CommandRuns`  random books, killed at random, on a shared folder or a failing S3
    `BadInput`            random bytes in books and settings
    `OneProcess`          a process that renders book after book: its memory must not grow
    `Serving`             `audiomill serve`, whose run, server or scheduler is killed

Each finished book must be the same, to the sample, as one that nobody disturbed. Prints a JSON
object; a fault makes the exit code 1, and is told with its round. `--seed` repeats the choices.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from soak.bad_input import BadInput
from soak.books import Books
from soak.command_runs import CommandRuns
from soak.one_process import OneProcess
from soak.serving import Serving
from soak.stores import Stores
from support.home import Home
from support.paths import SAMPLES
from support.s3_server import serving_s3
from support.stopped_runs import leftovers

MAX_FAULTS = 20  # of a task, which then ends


def main() -> int:
    arguments = parsed()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, serving_s3() as server:
        home = Home(Path(folder), {})
        books = Books(home, arguments.books)
        stores = Stores(home.path / "shared-store", server, random.Random(arguments.seed))
        kinds = (CommandRuns, CommandRuns, BadInput, OneProcess, Serving)
        tasks = [
            kind(_home(home, number), books, stores, random.Random(f"{arguments.seed} {number}"))
            for number, kind in enumerate(kinds)
        ]
        deadline = time.monotonic() + 3600 * arguments.hours  # from here: servers take their time
        with ThreadPoolExecutor(len(tasks) + 1) as pool:
            pool.submit(stores.disturb, deadline)
            results = list(pool.map(lambda task: repeated(task, deadline), tasks))
        left = leftovers(Home(home.path, {"AUDIOMILL_STORE": str(stores.folder)}))
    print(json.dumps({"tasks": results, "left": list(map(str, left))}, indent=2))
    return int(bool(left) or any(result["faults"] for result in results))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser("soak", description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--books", type=Path, default=SAMPLES, help="a folder with EPUBs")
    return parser.parse_args()


def _home(home: Home, number: int) -> Home:
    path = home.path / f"home-{number}"
    path.mkdir()
    return Home(path, {})


def repeated(task, deadline: float) -> dict:
    """Rounds of a task until then, one at least: what they did, how often, and what went wrong."""
    done, faults, figures = Counter(failed=0), [], {}
    while not done.total() or (time.monotonic() < deadline and len(faults) < MAX_FAULTS):
        with telling(faults, f"{type(task).__name__}, round {done.total()}"):
            done["failed"] += 1
            done.update([task.round()])
            done["failed"] -= 1
    with telling(faults, f"{type(task).__name__}, at its end"):
        figures = task.end()
    return {"name": type(task).__name__, "rounds": done, "faults": faults, "figures": figures}


@contextmanager
def telling(faults: list[str], where: str):
    """What fails within the context is told at once, and noted; so is what takes too long."""
    try:
        yield
    except (AssertionError, subprocess.TimeoutExpired) as fault:
        faults.append(f"{where}: {fault}")
        print(faults[-1], file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
