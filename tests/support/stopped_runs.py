"""A book rendered over and over, by runs that are stopped; and what of it must stay the same."""

import hashlib
import json
import random
import shutil
import signal
import time
from pathlib import Path

import pytest
from mutagen.mp4 import MP4

from audiomill.outputs.ffmpeg.decoding import decode
from support.forked_run import run_forked
from support.home import AUDIOMILL, Home, files_below
from support.process_data import outlived


def decoded(report: dict) -> list[str]:
    """A digest of the decoded samples of every file, so that only what is heard counts."""
    digests = []
    for file in report["files"]:
        digest = hashlib.sha256()
        for block in decode(Path(file["path"])):
            digest.update(block.tobytes())
        digests.append(digest.hexdigest())
    return digests


def shards(home) -> dict[Path, tuple[int, int]]:
    """Every shard that lies in the store, and the inode and time that a new write would change."""
    found = {}
    for path in files_below(home.store, ".shard"):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        found[path] = (status.st_ino, status.st_mtime_ns)
    return found


def _n_stored(home) -> int:
    """How many shards lie in the store: it is asked for hundreds of times in a run."""
    return len(files_below(home.store, ".shard"))


def leftovers(home) -> list[Path]:
    """Temporary files, wherever they may be."""
    return [
        path
        for folder in (home.store, home.library)
        for path in folder.rglob("*")
        if path.suffix in (".part", ".tmp") or path.name.startswith((".tmp", "tmp"))
    ]


def heard_undisturbed(home, *arguments: object) -> list[str]:
    """What `decoded` tells of a render that nothing disturbs, with a store of its own."""
    elsewhere = home.path / "undisturbed"
    other = home.with_variables(AUDIOMILL_STORE=elsewhere / "store")
    return decoded(other.render(*arguments, "--out", elsewhere / "library"))


class StoppedRuns:
    """One book rendered over and over, by runs that are stopped at random moments.

    A round begins with an empty store and library, with nothing remembered, and ends with a run
    that nobody stops; what it leaves is compared with what an undisturbed run made. Nothing that a
    stopped run has started outlives it.
    """

    def __init__(
        self, home, engine: str, book: Path, number: signal.Signals, seed: int, made: str = "mp3"
    ) -> None:
        # A third of the sound of as many segments. Small windows, so that chapters finish and
        # files are encoded between the stops too.
        self.home = home.with_variables(AUDIOMILL_SPEED=3, AUDIOMILL_WINDOW_S=20)
        self.arguments = (book, "--engine", engine, "--format", made, "--no-prefect")
        self.number = number
        self.random = random.Random(seed)
        self.n_partial = 0  # runs that were stopped with some shards stored, but not all
        self.codes: set[int] = set()
        self.report: dict = {}  # of the last run that nobody stopped
        undisturbed = self.home.with_variables(AUDIOMILL_STORE=home.path / "undisturbed")
        began = time.monotonic()
        report = undisturbed.render(*self.arguments, "--out", home.path / "undisturbed-library")
        self.whole_s = time.monotonic() - began
        self.poll_s = min(0.01, self.whole_s / 2000)  # between two looks at the store
        self.expected, self.n_shards = decoded(report), report["rendered"]

    def stop_until(self, n_stopped: int) -> None:
        """Rounds, until `n_stopped` runs were stopped half-way."""
        while self.n_partial < n_stopped:
            self._round(n_stopped)

    def _round(self, n_stopped: int) -> None:
        for folder in (self.home.store, self.home.library, self.home.path / "cache"):
            shutil.rmtree(folder, ignore_errors=True)
        finished: dict[Path, tuple[int, int]] = {}
        while self._goes_on(finished, n_stopped) and self._stopped_in_time():
            now = shards(self.home)
            assert finished.items() <= now.items(), "a finished shard was made again, or lost"
            self.n_partial += 0 < len(now) < self.n_shards
            finished = now
        finished = shards(self.home)
        report = self.home.render(*self.arguments)
        assert finished.items() <= shards(self.home).items()
        assert report["rendered"] == self.n_shards - len(finished) or not report["rendered"]
        assert decoded(report) == self.expected
        assert leftovers(self.home) == []
        self.report = report

    def _goes_on(self, finished: dict[Path, tuple[int, int]], n_stopped: int) -> bool:
        return len(finished) < self.n_shards and self.n_partial < n_stopped

    def _n_wanted(self, n_stored: int) -> int:
        """How many shards a run may store: of those that are left at most a fifth.

        So a round has many stops for each run that nobody stops, which takes the longest.
        """
        n_left = self.n_shards - n_stored
        return n_stored + self.random.randint(1, max(1, n_left // 5))

    def _stopped_in_time(self) -> bool:
        """Start a run and stop it at a random moment; False if it had ended by then."""
        n_wanted = self._n_wanted(_n_stored(self.home))
        process = self.home.start_forked("render", *self.arguments)
        if self.random.random() < 0.8:  # while segments are stored: how many is left to chance
            while process.poll() is None and _n_stored(self.home) < n_wanted:
                time.sleep(self.poll_s)
            time.sleep(self.random.uniform(0, 0.02))
        else:  # at any time: while it starts, reads, joins, encodes
            time.sleep(self.random.uniform(0.5, 1.0) * self.whole_s)
        was_running = process.poll() is None
        process.send_signal(self.number)
        code = process.wait()
        if was_running:
            self.codes.add(code)
        assert outlived(self.home.path) == []
        return was_running


TEXTS_PROGRAM = """
import json
import sys
from pathlib import Path
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.settings import load_settings
from audiomill.renderers.engine.registry import open_renderer

job = make_job(load_settings(), Path(sys.argv[1]))
plan = make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))
requests = (one.request for chapter in plan.chapters for one in chapter.segments)
print(json.dumps({request.key: request.spoken for request in requests}))
sys.exit(0)
"""


def texts_by_key(home: Home, book: Path) -> dict[str, str]:
    """The spoken text of each segment of a book in this home, by the key of its shard."""
    source = TEXTS_PROGRAM
    if home.program != AUDIOMILL:  # which adds an engine of its own
        source = home.program[1].replace("sys.exit(main())", TEXTS_PROGRAM)
    run = run_forked([str(book)], home.path, home.environment, source)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


AAC_FRAME = 1024  # samples


def assert_whole(report: dict) -> None:
    """Assert that it is one M4B with the chapters of `write_book`, as long as the report says."""
    (file,) = report["files"]
    assert (file["format"], Path(file["path"]).suffix) == ("m4b", ".m4b")
    full = json.loads(Path(report["report"]).read_text())
    book, told = MP4(file["path"]), full["work"]["chapters"]
    titles = [chapter["title"] for chapter in told]
    assert [chapter.title for chapter in book.chapters] == titles
    assert titles == [f"Chapter the {n + 1}th" for n in range(len(titles))]
    n_samples = sum(block.size for block in decode(Path(file["path"])))
    assert n_samples / book.info.sample_rate == pytest.approx(report["audio_s"], abs=0.001)
    assert report["audio_s"] == pytest.approx(sum(one["duration_s"] for one in told), abs=0.05)
    first_frames_s = 2 * AAC_FRAME / book.info.sample_rate  # which are before the audio
    assert book.info.length == pytest.approx(report["audio_s"], abs=first_frames_s)
    assert report["audio_s"] > 5
