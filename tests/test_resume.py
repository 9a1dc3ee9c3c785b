"""Killed at any moment, a run goes on where it was, and the result is the same to the sample."""

import hashlib
import random
import shutil
import signal
import time
from pathlib import Path

import pytest
from book_data import write_book

from outputs.ffmpeg import decode


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
    if not home.store.is_dir():
        return {}
    found = {}
    for path in home.store.rglob("*.shard"):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        found[path] = (status.st_ino, status.st_mtime_ns)
    return found


def leftovers(home) -> list[Path]:
    """Temporary files, wherever they may be."""
    return [
        path
        for folder in (home.store, home.library)
        for path in folder.rglob("*")
        if path.suffix in (".part", ".tmp") or path.name.startswith((".tmp", "tmp"))
    ]


class Ordeal:
    """One book rendered over and over, by runs that are stopped at random moments.

    A round begins with an empty store and library and ends with a run that nobody stops; what it
    leaves is compared with what an undisturbed run made.
    """

    def __init__(self, home, engine: str, book: Path, number: signal.Signals, seed: int) -> None:
        # Small windows, so that chapters finish and files are encoded between the kills too.
        self.home = home.with_variables(AUDIOMILL_WINDOW_S=60)
        self.arguments = (book, "--engine", engine, "--format", "mp3", "--no-prefect")
        self.number = number
        self.dice = random.Random(seed)
        self.n_partial = 0  # runs that were stopped with some shards stored, but not all
        self.codes: set[int] = set()
        undisturbed = self.home.with_variables(AUDIOMILL_STORE=home.path / "undisturbed")
        began = time.monotonic()
        report = undisturbed.render(*self.arguments, "--out", home.path / "undisturbed-library")
        self.whole_s = time.monotonic() - began
        self.expected, self.n_shards = decoded(report), report["rendered"]

    def suffer(self, n_kills: int) -> None:
        """Rounds, until `n_kills` runs were stopped half-way."""
        while self.n_partial < n_kills:
            self._round()

    def _round(self) -> None:
        for folder in (self.home.store, self.home.library):
            shutil.rmtree(folder, ignore_errors=True)
        finished: dict[Path, tuple[int, int]] = {}
        while len(finished) < self.n_shards and self._stopped_in_time():
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

    def _stopped_in_time(self) -> bool:
        """Start a run and stop it at a random moment; False if it had ended by then."""
        with self.home.start("render", *self.arguments) as process:
            if self.dice.random() < 0.8:  # while segments are stored: how many is left to chance
                n_wanted = self.dice.randint(len(shards(self.home)) + 1, self.n_shards)
                while process.poll() is None and len(shards(self.home)) < n_wanted:
                    time.sleep(0.001)
                time.sleep(self.dice.uniform(0, 0.02))
            else:  # at any time: while it starts, reads, joins, encodes
                time.sleep(self.dice.uniform(0.5, 1.0) * self.whole_s)
            was_running = process.poll() is None
            process.send_signal(self.number)
            process.communicate(timeout=60)
        if was_running:
            self.codes.add(process.returncode)
        return was_running


@pytest.mark.parametrize("engine", ["tone", "espeak"])
def test_a_killed_run_goes_on_where_it_was(home, engine):
    book = write_book(home.path / "book.md", 3, 40)
    Ordeal(home, engine, book, signal.SIGKILL, 7).suffer(2)


@pytest.mark.prove
@pytest.mark.parametrize("engine", ["tone", "espeak"])
def test_a_hundred_kills_change_nothing(home, engine):
    book = write_book(home.path / "book.md", 4, 60)
    ordeal = Ordeal(home, engine, book, signal.SIGKILL, 11)
    ordeal.suffer(50)
    assert ordeal.codes == {-signal.SIGKILL}


@pytest.mark.prove
def test_ctrl_c_at_any_moment_exits_with_130_and_loses_nothing(home):
    book = write_book(home.path / "book.md", 4, 60)
    ordeal = Ordeal(home, "espeak", book, signal.SIGINT, 13)
    ordeal.suffer(25)
    # 0 where the run was as good as done when it was told to stop.
    assert 130 in ordeal.codes <= {0, 130}


@pytest.mark.parametrize("command", ["render", "inspect"])
def test_ctrl_c_while_it_is_still_starting_exits_with_130(home, command):
    book = write_book(home.path / "book.md", 3, 60)
    for wait_s in (0.3, 0.6):
        process = home.start(command, book, "--engine", "espeak")
        time.sleep(wait_s)
        was_running = process.poll() is None
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=30)
        assert not was_running or process.returncode == 130, words
        assert "Traceback" not in words


def test_ctrl_c_says_how_to_go_on(home):
    book = write_book(home.path / "book.md", 3, 60)
    arguments = (book, "--engine", "espeak", "--format", "mp3", "--no-prefect")
    process = home.start("render", *arguments)
    deadline = time.monotonic() + 60
    while len(shards(home)) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "goes on from there" in words
    assert "Traceback" not in words
    before = shards(home)
    report = home.render(*arguments)
    assert report["cached"] == len(before) > 0
    assert before.items() <= shards(home).items()
    assert leftovers(home) == []


def test_an_edited_sentence_is_the_only_one_rendered(home):
    book = write_book(home.path / "book.md", 3, 16)
    arguments = (book, "--engine", "espeak", "--format", "mp3")
    first = home.render(*arguments)
    assert first["rendered"] == first["segments"]
    text = book.read_text()
    at = text.index(". ", len(text) // 2) + 2
    book.write_text(
        text[:at] + "Nobody expected a wholly new beginning, " + text[at].lower() + text[at + 1 :]
    )
    second = home.render(*arguments)
    assert second["segments"] == first["segments"]
    assert second["rendered"] == 1
    assert second["files"][0]["path"] == first["files"][0]["path"]


def test_a_rerun_with_nothing_changed_renders_nothing(home):
    book = write_book(home.path / "book.md", 2, 20)
    arguments = (book, "--engine", "tone", "--format", "mp3", "--format", "m4b")
    first = home.render(*arguments)
    written = {file["path"]: Path(file["path"]).stat().st_mtime_ns for file in first["files"]}
    run = home.run("render", *arguments)
    assert run.returncode == 0
    assert "nothing was rendered" in run.stderr
    assert {path: Path(path).stat().st_mtime_ns for path in written} == written
    assert run.stdout.split("\n")[:-1] == list(written)


def test_a_file_that_was_damaged_or_deleted_is_made_again_from_the_store(home):
    book = write_book(home.path / "book.md", 2, 20)
    arguments = (book, "--engine", "tone", "--format", "mp3", "--format", "m4b")
    first = home.render(*arguments)
    whole = [Path(file["path"]).read_bytes() for file in first["files"]]
    Path(first["files"][0]["path"]).unlink()
    damaged = bytearray(whole[1])
    damaged[len(damaged) // 2] ^= 1
    Path(first["files"][1]["path"]).write_bytes(damaged)
    second = home.render(*arguments)
    assert second["rendered"] == 0
    assert [Path(file["path"]).read_bytes() for file in second["files"]] == whole


@pytest.mark.parametrize("damage", ["flip", "truncate", "empty", "other", "directory"])
def test_a_damaged_shard_is_reported_and_repaired(home, damage):
    book = write_book(home.path / "book.md", 2, 20)
    arguments = (book, "--engine", "tone", "--format", "mp3")
    expected = decoded(home.render(*arguments))
    victim, other = list(shards(home))[:2]
    content = bytearray(victim.read_bytes())
    victim.unlink()
    match damage:
        case "flip":
            content[len(content) * 2 // 3] ^= 4
            victim.write_bytes(content)
        case "truncate":
            victim.write_bytes(content[: len(content) // 2])
        case "empty":
            victim.write_bytes(b"")
        case "other":
            victim.write_bytes(other.read_bytes())
        case "directory":
            victim.mkdir()
    for path in home.library.rglob("*.mp3"):
        path.unlink()
    report = home.render(*arguments)
    assert report["rendered"] == 1
    assert any(victim.stem[:12] in warning for warning in report["warnings"])
    assert decoded(report) == expected
    assert home.render(*arguments)["rendered"] == 0


def test_two_runs_on_one_book_both_succeed(home):
    book = write_book(home.path / "book.md", 3, 20)
    arguments = ("render", book, "--engine", "tone", "--format", "mp3", "--no-prefect")
    both = [home.start(*arguments) for _ in range(2)]
    words = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], words
    alone = home.with_variables(AUDIOMILL_STORE=home.path / "alone")
    expected = decoded(alone.render(*arguments[1:], "--out", home.path / "alone-library"))
    assert decoded(home.render(*arguments[1:])) == expected
    assert leftovers(home) == []
    assert len(list(home.library.rglob("*.mp3"))) == 1


def test_two_runs_on_two_books_share_one_store(home):
    books = [write_book(home.path / f"{name}.md", 3, 20) for name in ("one", "two")]
    both = [
        home.start(
            "render", book, "--engine", "tone", "--out", home.path / book.stem, "--no-prefect"
        )
        for book in books
    ]
    for process in both:
        process.communicate(timeout=120)
    assert [process.returncode for process in both] == [0, 0]
    reports = [
        home.render(book, "--engine", "tone", "--out", home.path / book.stem) for book in books
    ]
    assert decoded(reports[0]) == decoded(reports[1])
    assert leftovers(home) == []
