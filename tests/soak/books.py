"""The books of a soak, and what each sounds like when nobody disturbs its making."""

import json
import random
import threading
from dataclasses import dataclass
from pathlib import Path

from support.book_data import write_book
from support.home import Home
from support.paths import SAMPLES
from support.stopped_runs import decoded


@dataclass(frozen=True)
class Wanted:
    """A file that a run is to make."""

    book: Path
    engine: str
    made: str
    speed: float

    @property
    def arguments(self) -> tuple:
        return (self.book, "--engine", self.engine, "--format", self.made, "--speed", self.speed)


class Books:
    """Random choices of a book and of how to render it. All may use it at the same time."""

    def __init__(self, home: Home, foreign: Path) -> None:
        folder = home.path / "books"
        folder.mkdir()
        numbers = random.Random(3)
        self.all = [
            write_book(folder / f"book-{n}.md", numbers.randint(1, 6), numbers.randint(4, 80), n)
            for n in range(10)
        ]
        self.all += [*SAMPLES.glob("*.md"), *sorted(foreign.glob("*.epub"))]
        self._home = Home(home.path / "undisturbed", {})
        self._home.path.mkdir()
        self._lock = threading.Lock()
        self._digests: dict[Wanted, list[str]] = {}

    def choice(self, numbers: random.Random) -> Wanted:
        return Wanted(
            numbers.choice(self.all),
            numbers.choice(["tone", "espeak"]),
            numbers.choice(["mp3", "m4b", "flac", "opus"]),
            numbers.choice([0.8, 1.0]),
        )

    def digests(self, wanted: Wanted) -> list[str]:
        """Of the samples in the files of a run that nobody stops, with a store of its own."""
        with self._lock:
            if wanted not in self._digests:
                run = self._home.run_program("render", *wanted.arguments, "--json", "--no-prefect")
                assert run.returncode == 0, run.stderr
                self._digests[wanted] = decoded(report_of(run.stdout))
            return self._digests[wanted]


def report_of(out: str) -> dict:
    return json.loads(out.splitlines()[-1])
