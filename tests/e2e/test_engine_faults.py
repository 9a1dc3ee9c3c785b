"""Every engine at fault in the middle of a book: one line, exit code 4, and nothing is lost.

The faults are in `cases/engine_faults.toml`, what they befall in `engine_stands.py`.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from e2e.engine_stands import STANDS, serve

from support.book_data import write_book
from support.stopped_runs import (
    assert_whole,
    decoded,
    heard_undisturbed,
    leftovers,
    shards,
    texts_by_key,
)

FAULTS = ("voice", "key", "quota", "down", "page", "truncated", "wrong rate", "default voice")


@dataclass(frozen=True)
class Fault:
    """A fault, and what the last line of stderr then says."""

    words: str
    # How what stands behind the engine then behaves. {}: the fault is the user's own.
    behaviour: Mapping[str, Any] = field(default_factory=dict)
    arguments: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


TOLD = tomllib.loads(Path(__file__).with_name("cases").joinpath("engine_faults.toml").read_text())
MATRIX: Mapping[str, Mapping[str, Fault | str]] = {
    engine: {name: one if isinstance(one, str) else Fault(**one) for name, one in faults.items()}
    for engine, faults in TOLD.items()
}
CELLS = [
    (engine, name)
    for engine, faults in MATRIX.items()
    for name, fault in faults.items()
    if isinstance(fault, Fault)
]
SLOW_STARTS = ("piper-server", "kokoro-onnx")  # a process that imports much, an export of a model
# One engine with all of its faults, and one fault of each other engine: enough for `make prove`.
QUICK = frozenset(
    cell
    for cell in CELLS
    if cell[0] == "openai" or (cell[1] == "page" and cell[0] not in SLOW_STARTS)
)


N_BEFORE = 3  # texts that are said before the fault; the last of them may meet it


def test_each_fault_of_each_engine_has_its_place():
    """A fault that cannot be has the reason in its place."""
    assert MATRIX.keys() == STANDS.keys()
    assert {engine: (*faults,) for engine, faults in MATRIX.items()} == dict.fromkeys(
        MATRIX, FAULTS
    )
    places = [one for faults in MATRIX.values() for one in faults.values()]
    assert all(isinstance(one, Fault) or len(one.split()) > 2 for one in places)


@pytest.fixture(scope="module")
def undisturbed():
    """Of the book by each engine: the text of each key, and what is heard of it undisturbed."""
    known = {}

    def of(engine, stand, book):
        if engine not in known or stand.has_own_keys:
            heard = heard_undisturbed(stand.home, book, "--no-prefect")
            known[engine] = (texts_by_key(stand.home, book), heard)
        return known[engine]

    return of


def mark_of(cell: tuple[str, str]) -> tuple[pytest.MarkDecorator, ...]:
    """When this fault is proved: one of a server always, as its code is shared by most engines."""
    if cell == ("openai", "page"):
        return ()
    return (pytest.mark.prove if cell in QUICK else pytest.mark.prove_long,)


@pytest.mark.parametrize(
    ("engine", "name"),
    [pytest.param(*one, marks=mark_of(one), id=" ".join(one)) for one in CELLS],
)
def test_a_fault_in_mid_book_is_one_line_and_nothing_is_lost(engine, name, home, undisturbed):
    fault = MATRIX[engine][name]
    assert isinstance(fault, Fault)
    book = write_book(home.path / "Book.md", 2, 4)
    with serve(engine, home) as stand:
        texts, heard = undisturbed(engine, stand, book)
        asked_as = {key: stand.asked_as(key, text) for key, text in texts.items()}
        n_asked = len(stand.asked())
        healthy = begin(stand, fault, book)
        at_fault = stand.home.with_variables(**fault.variables)
        run = at_fault.run("render", book, "--no-prefect", *fault.arguments)
        assert_one_line(run, fault)
        kept = shards(home)
        stored = {asked_as[path.stem] for path in kept}
        assert {*stand.asked()[n_asked:][: N_BEFORE - 1]} <= stored
        assert 0 < len(kept) < len(texts)

        if healthy:
            stand.switch(healthy)
        n_asked = len(stand.asked())
        report = stand.home.render(book, "--no-prefect")
        assert (report["cached"], report["rendered"]) == (len(kept), len(texts) - len(kept))
        assert kept.items() <= shards(home).items()
        asked = stand.asked()[n_asked:]
        assert stored.isdisjoint(asked)
        assert len(asked) in (0, report["rendered"])  # none of files: nobody sees them
        assert leftovers(home) == []
        assert_whole(report)
        assert decoded(report) == heard


def begin(stand, fault, book):
    """Have the fault begin in mid-book. Returns how all is well again."""
    if fault.behaviour and stand.when_spoken:
        healthy = {}
        stand.when_spoken(N_BEFORE, lambda: healthy.update(stand.switch(fault.behaviour)))
        return healthy
    stand.home.render(book, "--chapters", "1", "--no-prefect")
    return stand.switch(fault.behaviour) if fault.behaviour else {}


def assert_one_line(run, fault):
    assert run.returncode == 4, run.stderr
    assert "Traceback" not in run.stderr
    lines = run.stderr.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("audiomill: ")]
    assert fault.words in lines[at]
    # Below it may be what an engine's own process has printed, which is indented.
    assert all(line.startswith("    ") for line in lines[at + 1 :])
    assert run.stdout == ""
