"""A run that is killed (SIGKILL) while a finished file gets its name makes no file twice."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from support.book_data import write_book
from support.encoded_files import DISTINCT
from support.home import Home
from support.stopped_runs import leftovers

PROGRAM = """
import os, signal, sys
from audiomill.flows.cli.main import main
from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.outputs.formats import encoder

def kill(*_args):
    os.kill(os.getpid(), signal.SIGKILL)

moment = sys.argv.pop(1)
if moment.isdigit():  # so many regions are encoded and kept
    from audiomill.flows.pipeline import predicted_levels
    from audiomill.outputs.formats import region_ends, region_tasks
    predicted_levels.LEAST_BOOK_S = 0.0  # some of them while others render
    region_ends.REGION_S, region_tasks.LEAST_FREE_BYTES = 4.0, 0
    n_left, put = int(moment), region_tasks.RegionCache.put
    def put_and_count(*given):
        global n_left
        put(*given)
        n_left -= 1
        if n_left == 0:
            kill()
    region_tasks.RegionCache.put = put_and_count
elif moment == "before":  # the files have been announced
    encoder.publish = kill
else:
    record = LibraryEntry.record_finished
    LibraryEntry.record_finished = lambda self, specs: (
        kill() if (specs := list(specs)) else record(self, specs)
    )
sys.exit(main())
"""
TEXT = "# The Mill\n\n## One\n\nIt stood still.\n\n## Two\n\nNobody came by.\n"
ARGUMENTS = ("--engine", "tone", "--format", "mp3,flac", "--no-prefect")


def killed(home: Home, moment: str, *arguments: object) -> bool:
    """Whether a run was killed as it got so far. If not, it ended well."""
    program = replace(home, program=("-c", PROGRAM), imports=())
    run = program.run(moment, "render", *arguments)
    assert run.returncode in (0, -signal.SIGKILL), run.stderr
    return run.returncode != 0


def files_in(home: Home) -> dict[Path, tuple[int, bytes]]:
    """The finished files, with when each was written."""
    paths = [*home.library.rglob("*.mp3"), *home.library.rglob("*.flac")]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in paths}


@pytest.mark.prove
@pytest.mark.parametrize("split", [[], ["--split"]])
def test_a_file_that_got_its_name_is_not_encoded_again(home: Home, split: list[str]) -> None:
    book = home.path / "mill.md"
    book.write_text(TEXT)
    assert killed(home, "after", book, *ARGUMENTS, *split)
    before = files_in(home)
    assert len(before) >= 2
    summary = home.render(book, *ARGUMENTS, *split)
    after = files_in(home)
    assert before.items() <= after.items()
    assert len(after) == (4 if split else 2)
    # Of a split book the run may have been killed between two chapters. A run that makes the second
    # one says that a server would play the book in both formats.
    assert len(summary["notes"]) == (len(after) > len(before))
    assert all(note.startswith("A server like") for note in summary["notes"])
    assert not leftovers(home)


@pytest.mark.prove
def test_a_file_with_new_tags_that_got_its_name_is_not_made_again(home: Home) -> None:
    book = home.path / "mill.md"
    book.write_text(TEXT)
    home.render(book, *ARGUMENTS)
    before = files_in(home)
    assert killed(home, "after", book, *ARGUMENTS, "--set", "publisher=Ode")
    between = files_in(home)
    retagged = {path: one for path, one in between.items() if before[path] != one}
    assert retagged
    home.render(book, *ARGUMENTS, "--set", "publisher=Ode")
    assert retagged.items() <= files_in(home).items()


@pytest.mark.prove
def test_a_file_that_did_not_get_its_name_is_made_as_if_nothing_had_been(home: Home) -> None:
    book = home.path / "mill.md"
    book.write_text(TEXT)
    home.render(book, *ARGUMENTS)
    before = files_in(home)
    book.write_text(TEXT.replace("Nobody", "Somebody"))
    assert killed(home, "before", book, *ARGUMENTS)
    assert files_in(home) == before
    assert leftovers(home)
    summary = home.render(book, *ARGUMENTS)
    note, *_ = summary["notes"]
    assert note.startswith("Replaced, as made from an earlier text or settings")
    assert not leftovers(home)
    (records,) = (home.library / ".audiomill").glob("*.json")
    assert json.loads(records.read_text())["pending"] == {}


@pytest.mark.prove
@pytest.mark.parametrize("name", DISTINCT)
def test_an_encoding_that_is_killed_goes_on_to_the_same_file(home: Home, name: str) -> None:
    """Killed again and again, as its regions are kept one by one."""
    home = home.with_variables(AUDIOMILL_SPEED=1.5)  # fewer regions, so fewer kills
    book = write_book(home.path / "mill.md", 3, 8)
    arguments = (book, "--engine", "tone", "--format", name, "--no-prefect")
    assert not killed(home, "1000000", *arguments)
    (path,) = home.library.rglob(f"*.{name}")
    content = path.read_bytes()
    path.unlink()
    n_kills = 0
    while killed(home, "2", *arguments):
        n_kills += 1
        assert n_kills < 20
    assert n_kills >= 2
    assert path.read_bytes() == content
    assert not leftovers(home)
