"""Killed at any moment, a run goes on where it was, and the result is the same to the sample."""

import os
import pty
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from support.book_data import write_book
from support.examples import first_often
from support.process_data import TIMEOUT_S, has_imported, wait_until
from support.stopped_runs import StoppedRuns, decoded, leftovers, shards

FAST_TONE = ("--engine", "tone", "--speed", "4")  # for files whose sound does not matter
HIDE_CURSOR, SHOW_CURSOR = b"\x1b[?25l", b"\x1b[?25h"


@pytest.fixture
def brief(home):
    """A home where a quarter is heard of as many segments."""
    return home.with_variables(AUDIOMILL_SPEED=4)


# Child processes help with books of any length, not of 20 minutes and more: a short one will do.
WITH_CHILDREN = """
import sys
from audiomill.flows.cli.main import main
from audiomill.flows.pipeline import pipeline
pipeline.PROCESSES_FROM_S = 0.0
sys.exit(main())
"""


def with_children(home):
    return replace(home, program=("-c", WITH_CHILDREN), imports=())


@pytest.mark.longest
@pytest.mark.parametrize(
    ("engine", "made", "n_sentences", "n_kills"),
    [
        pytest.param("tone", "flac", 60, 5, marks=pytest.mark.prove),
        pytest.param("espeak", "m4b", 24, 3, marks=pytest.mark.prove),
        pytest.param("tone", "flac", 60, 100, marks=pytest.mark.prove_long),
        pytest.param("espeak", "m4b", 24, 25, marks=pytest.mark.prove_long),
    ],
)
def test_kills_change_nothing(brief, engine, made, n_sentences, n_kills):
    book = write_book(brief.path / "book.md", 4, n_sentences)
    home = with_children(brief) if engine == "espeak" else brief
    runs = StoppedRuns(home, engine, book, signal.SIGKILL, 11, made)
    runs.stop_until(n_kills)
    # 0 where the run ended by itself just before it was killed.
    assert -signal.SIGKILL in runs.codes <= {0, -signal.SIGKILL}


@pytest.mark.prove
@pytest.mark.longest
def test_ctrl_c_at_any_moment_exits_with_130_and_loses_nothing(brief):
    book = write_book(brief.path / "book.md", 4, 24)
    runs = StoppedRuns(with_children(brief), "espeak", book, signal.SIGINT, 13, "m4b")
    runs.stop_until(3)
    # 0 where the run was as good as done when it was told to stop.
    assert 130 in runs.codes <= {0, 130}


@pytest.mark.parametrize("command", ["render", pytest.param("inspect", marks=pytest.mark.prove)])
# The first is imported before any other module of the command.
@pytest.mark.parametrize(
    "module",
    ["email.parser", *first_often(["numpy", "audiomill.flows.make_job"], 2)],
)
def test_ctrl_c_while_it_is_still_starting_exits_with_130(home, command, module):
    book = write_book(home.path / "book.md", 30, 500)  # not done before it is told to stop
    log = home.path / "stderr"
    with (
        log.open("w") as stderr,
        home.with_variables(PYTHONPROFILEIMPORTTIME=1).start(
            command, book, "--engine", "espeak", stderr=stderr
        ) as process,
    ):
        wait_until(lambda: has_imported(log, module), process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 130, log.read_text()
    assert "Traceback" not in log.read_text()


# What happens to a Ctrl-C that meets the C code of numpy's import.
HIDDEN_CTRL_C = """
import os, signal, sys
from audiomill.flows.cli.main import main

class Numpy:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt as interrupt:
                raise ImportError("something is missing") from interrupt

sys.meta_path.insert(0, Numpy())
sys.exit(main())
"""


@pytest.mark.prove
def test_ctrl_c_that_an_import_hides_exits_with_130(home):
    run = replace(home, program=("-c", HIDDEN_CTRL_C)).run("inspect", home.path / "book.md")
    assert run.returncode == 130
    assert run.stderr.splitlines() == ["audiomill: interrupted"]


# What happens to a Ctrl-C that meets a callback, whose exceptions Python ignores: importlib has one
# for the lock of each module.
IGNORED_CTRL_C = """
import os, signal, sys, weakref
from audiomill.flows.cli.main import main

class Numpy:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            lock = Numpy()
            reference = weakref.ref(lock, lambda _: os.kill(os.getpid(), signal.SIGINT))
            del lock

sys.meta_path.insert(0, Numpy())
sys.exit(main())
"""


@pytest.mark.prove
def test_ctrl_c_that_python_ignores_exits_with_130(home):
    book = write_book(home.path / "book.md", 2, 8)
    run = replace(home, program=("-c", IGNORED_CTRL_C)).run("inspect", book)
    assert run.returncode == 130
    assert run.stderr.splitlines() == ["audiomill: interrupted"]


SIGNALLED_AT_ITS_END = """
import os, sys
from audiomill.flows.cli.main import main
number = int(sys.argv.pop(1))
code = main()
os.kill(os.getpid(), number)
sys.exit(code)
"""


@pytest.mark.prove
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_after_the_work_changes_nothing(home, number):
    home = replace(home, program=("-c", SIGNALLED_AT_ITS_END), imports=())
    run = home.run(int(number), "voices", "--engine", "tone")
    assert (run.returncode, "interrupted" in run.stderr) == (0, False), run.stderr


@pytest.mark.prove
def test_ctrl_c_says_how_to_go_on(brief):
    book = write_book(brief.path / "book.md", 3, 40)
    arguments = (book, "--engine", "espeak", "--format", "mp3", "--no-prefect")
    process = brief.start("render", *arguments)
    wait_until(lambda: len(shards(brief)) >= 5, process)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 130
    assert "goes on from there" in words
    assert "Traceback" not in words
    before = shards(brief)
    report = brief.render(*arguments)
    assert report["cached"] == len(before) > 0
    assert before.items() <= shards(brief).items()
    assert leftovers(brief) == []


def test_an_edited_sentence_is_the_only_one_rendered(home):
    book = write_book(home.path / "book.md", 2, 4)
    arguments = (book, "--engine", "espeak", "--format", "flac", "--speed", "2")
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
    book = write_book(home.path / "book.md", 1, 4)
    arguments = (book, *FAST_TONE, "--format", "mp3", "--format", "flac")
    first = home.render(*arguments)
    written = {file["path"]: Path(file["path"]).stat().st_mtime_ns for file in first["files"]}
    run = home.run("render", *arguments)
    assert run.returncode == 0
    assert "nothing was rendered" in run.stderr
    assert {path: Path(path).stat().st_mtime_ns for path in written} == written
    assert run.stdout.split("\n")[:-1] == list(written)


def test_a_deleted_file_is_made_again_from_the_store_and_a_damaged_one_named(home):
    """Damage looks like what an owner has changed: it is theirs to move away."""
    book = write_book(home.path / "book.md", 1, 4)
    arguments = (book, *FAST_TONE, "--format", "mp3", "--format", "flac")
    first = home.render(*arguments)
    whole = [Path(file["path"]).read_bytes() for file in first["files"]]
    Path(first["files"][0]["path"]).unlink()
    damaged = bytearray(whole[1])
    damaged[len(damaged) // 2] ^= 1
    path = Path(first["files"][1]["path"])
    path.write_bytes(damaged)
    second = home.render(*arguments)
    assert second["rendered"] == 0
    assert [file["changed"] for file in second["files"]] == [False, True]
    assert any(path.name in note for note in second["notes"])
    path.unlink()
    third = home.render(*arguments)
    assert third["rendered"] == 0
    assert [Path(file["path"]).read_bytes() for file in third["files"]] == whole


def test_a_damaged_shard_is_reported_and_repaired(home):
    """Other damage is found by tests/renderers/store/test_store_damage.py."""
    arguments = (write_book(home.path / "book.md", 1, 4), *FAST_TONE, "--format", "mp3")
    first = home.render(*arguments)
    expected = decoded(first)
    victim = next(iter(shards(home)))
    content = bytearray(victim.read_bytes())
    content[len(content) * 2 // 3] ^= 4
    victim.write_bytes(content)
    Path(first["files"][0]["path"]).unlink()
    report = home.render(*arguments)
    assert report["rendered"] == 1
    assert any(victim.stem[:12] in warning for warning in report["warnings"])
    assert decoded(report) == expected
    assert home.render(*arguments)["rendered"] == 0


@pytest.mark.prove
def test_two_runs_on_one_book_both_succeed(brief):
    book = write_book(brief.path / "book.md", 3, 8)
    arguments = ("render", book, "--engine", "tone", "--format", "mp3", "--no-prefect")
    both = [brief.start(*arguments) for _ in range(2)]
    words = [process.communicate(timeout=TIMEOUT_S) for process in both]
    assert [process.returncode for process in both] == [0, 0], words
    alone = brief.with_variables(AUDIOMILL_STORE=brief.path / "alone")
    expected = decoded(alone.render(*arguments[1:], "--out", brief.path / "alone-library"))
    assert decoded(brief.render(*arguments[1:])) == expected
    assert leftovers(brief) == []
    assert len(list(brief.library.rglob("*.mp3"))) == 1


@pytest.mark.prove
def test_two_runs_on_two_books_share_one_store(brief):
    books = [write_book(brief.path / f"{name}.md", 3, 8) for name in ("one", "two")]
    both = [
        brief.start(
            "render", book, "--engine", "tone", "--out", brief.path / book.stem, "--no-prefect"
        )
        for book in books
    ]
    for process in both:
        process.communicate(timeout=TIMEOUT_S)
    assert [process.returncode for process in both] == [0, 0]
    reports = [
        brief.render(book, "--engine", "tone", "--out", brief.path / book.stem) for book in books
    ]
    assert decoded(reports[0]) == decoded(reports[1])
    assert leftovers(brief) == []


@pytest.mark.prove
def test_a_second_ctrl_c_on_a_terminal_shows_the_cursor_and_says_so(home):
    book = write_book(home.path / "book.md", 30, 500)  # not done before the second one
    terminal, stderr = pty.openpty()
    with home.start("render", book, "--engine", "espeak", "--no-prefect", stderr=stderr) as process:
        os.close(stderr)
        shown = read_until(terminal, HIDE_CURSOR)
        process.send_signal(signal.SIGINT)
        shown += read_until(terminal, b"Stopping.")
        process.send_signal(signal.SIGINT)
        shown += read_until(terminal, b"interrupted")
        process.communicate(timeout=TIMEOUT_S)
    os.close(terminal)
    assert process.returncode == 130
    assert shown.rindex(SHOW_CURSOR) > shown.rindex(HIDE_CURSOR)


def read_until(terminal: int, words: bytes) -> bytes:
    """What the terminal shows, up to `words`; an error if they never come."""
    shown = b""
    while words not in shown:
        shown += os.read(terminal, 1 << 16)
    return shown
