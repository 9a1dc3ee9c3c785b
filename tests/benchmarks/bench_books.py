"""Twenty books on four workers at once: `python tests/benchmarks/bench_books.py [HOURS] [PACE]`.

Books of 2 minutes to some hours, together of about HOURS (8), are rendered to M4B by one command.
Each worker has a card that sleeps as long as a GPU with PACE (40) times real time would take; the
rest is as in bench_cluster.py, and so is the third argument. One machine reads, measures and
encodes all books, which takes some 20 s of a core for an hour of audio: PACE times four may not be
faster than its cores are.

Prints one JSON object. `of_ideal` is the time in which the cards alone would render everything,
divided by the time of the command. A book's `fair_s` is when it would be done if all books that are
not done shared the cards equally. Not a test: nothing passes or fails.
"""

import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from bench_cluster import s3, variables_of

from support.benchmark_arguments import arguments
from support.book_data import write_book
from support.cluster import running_cluster
from support.home import Home

N_WORKERS, N_BOOKS = 4, 20
SENTENCES_PER_HOUR = 865
SHORTEST_S = 120.0


def main() -> None:
    hours, pace, place = arguments(__doc__, hours=8.0, pace=40.0, place="s3")
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as temporary:
        folder = Path(temporary)
        books = [write(folder, n, length_s) for n, length_s in enumerate(lengths_s(hours))]
        with s3(place) as url:
            variables = {"AUDIOMILL_TEST_PACE": str(pace), **variables_of(url, folder.name)}
            names = [f"worker-{number}" for number in range(N_WORKERS)]
            with running_cluster(Home(folder, variables), *names) as cluster:
                print(json.dumps(run(cluster, books, pace), indent=1))


def lengths_s(hours: float) -> list[float]:
    """Lengths from two minutes up, each longer than the one before by the same factor."""
    factor = 1.0
    while sum(SHORTEST_S * factor**n for n in range(N_BOOKS)) < hours * 3600:
        factor += 0.001
    found = [SHORTEST_S * factor**n for n in range(N_BOOKS)]
    return found[1::2] + found[0::2]  # long ones first, and in between


def write(folder: Path, number: int, length_s: float) -> Path:
    n_chapters = max(1, round(length_s / 1800))
    n_sentences = round(length_s / 3600 * SENTENCES_PER_HOUR / n_chapters)
    path = write_book(folder / f"book{number}.md", n_chapters, n_sentences, seed=number)
    path.write_text(path.read_text().replace("A Book", f"Book{number}"))
    return path


def run(cluster, books: list[Path], pace: float) -> dict:
    """Render all books with one command, and note when each is done."""
    words = ("--executor", "dask", "--no-prefect", "--json")
    started, done_s = time.perf_counter(), {}
    with cluster.home.start("render", *books, *words) as process:
        assert process.stdout and process.stderr
        for line in process.stderr:
            if found := re.match(r"(Book\d+): \d+:", line):
                done_s[found[1]] = time.perf_counter() - started
        result = json.loads(process.stdout.read().splitlines()[-1])
    wall_s = time.perf_counter() - started
    audio_s = {Path(one["files"][0]["path"]).stem: one["audio_s"] for one in result["books"]}
    fair = fair_s({name: length / pace for name, length in audio_s.items()})
    return {
        "cores": len(os.sched_getaffinity(0)),
        "pace": pace,
        "audio_s": round(sum(audio_s.values())),
        "wall_s": round(wall_s, 1),
        "of_ideal": round(sum(audio_s.values()) / pace / N_WORKERS / wall_s, 3),
        "books": {
            name: {
                "audio_s": round(length),
                "done_s": round(done_s[name], 1),
                "fair_s": round(fair[name], 1),
            }
            for name, length in sorted(audio_s.items(), key=lambda one: one[1])
        },
    }


def fair_s(card_s: dict[str, float]) -> dict[str, float]:
    """When each book is done, if those that are not share the cards equally."""
    now_s, left, done = 0.0, dict(card_s), {}
    for name in sorted(card_s, key=card_s.get):
        now_s += left[name] * len(left) / N_WORKERS
        spent = left.pop(name)
        left = {other: more - spent for other, more in left.items()}
        done[name] = now_s
    return done


if __name__ == "__main__":
    main()
