"""One process that renders book after book: memory, descriptors and threads must not grow.

`python -m soak.one_process` is that process: it reads a request per line and answers with what it
holds afterwards.
"""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median

import psutil

from audiomill.renderers.espeak import child
from soak.books import Books
from soak.stores import Stores
from support.home import Home
from support.stopped_runs import decoded

WARM_UP_ROUNDS = 10
MAX_GROWTH_BYTES = 30 << 20


class OneProcess:
    """A round renders one book, in the same process as all before."""

    def __init__(self, home: Home, books: Books, stores: Stores, numbers: random.Random) -> None:
        self._home, self._books, self._stores, self._numbers = home, books, stores, numbers
        self._held: list[dict[str, int]] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "soak.one_process"], cwd=home.path,
            env=home.with_variables(AUDIOMILL_WINDOW_S=60).environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def round(self) -> str:
        wanted = self._books.choice(self._numbers)
        expected = self._books.digests(wanted)
        arguments = {
            "source": str(wanted.book), "engine": wanted.engine, "formats": [wanted.made],
            "speed": wanted.speed, "store": str(self._stores.folder),
        }  # fmt: skip
        assert self._process.poll() is None, "the process has ended"
        print(json.dumps(arguments), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        files = [{"path": path} for path in answer.pop("files")]
        assert decoded({"files": files}) == expected, wanted
        self._held.append(answer)
        if self._numbers.random() < 0.3:
            shutil.rmtree(self._home.library)
        return wanted.engine

    def end(self) -> dict:
        """The medians of the first and the last quarter of the rounds after the warm-up."""
        self._process.communicate()
        held = self._held[WARM_UP_ROUNDS:]
        quarter = max(1, len(held) // 4)
        figures = {
            name: [median(one[name] for one in part) for part in (held[:quarter], held[-quarter:])]
            for name in (held[0] if held else {})
        }
        for name, (first, last) in figures.items():
            allowed = MAX_GROWTH_BYTES if name.endswith("_bytes") else 2
            if name == "largest_child_rss_bytes":  # which is replaced once it has grown by that
                allowed += child.MAX_GROWTH_BYTES
            assert last - first <= allowed, f"{name} grew from {first} to {last}"
        return figures


def answer(request: str) -> dict:
    import audiomill

    report = audiomill.render(**json.loads(request))
    process = psutil.Process()
    family = [process, *process.children(recursive=True)]
    return {
        "files": [str(Path(file.path).resolve()) for file in report.files],
        "rss_bytes": process.memory_info().rss,
        # Of one: how many there are is counted below, and differs by one or two from book to book.
        "largest_child_rss_bytes": max((one.memory_info().rss for one in family[1:]), default=0),
        "processes": len(family),
        "descriptors": process.num_fds(),
        "threads": process.num_threads(),
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)
