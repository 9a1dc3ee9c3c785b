"""What of a book is read: options, settings and the file beside it, as a user gives them."""

from __future__ import annotations

import json
import re

import pytest

from audiomill.flows.pipeline.api import inspect
from support.case_files import each_row_apart
from support.documents import documented
from support.home import Home

BOOK = """\
# One

Text.[^1] Sign up.

```
go()
```

# Two

| a | b |
|---|---|
| c |   |

[^1]: A note.
"""


@pytest.fixture
def book(home: Home):
    (home.path / "novel.md").write_text(BOOK)
    return home.path / "novel.md"


def blocks(home: Home, *options: str, **variables: str) -> list[tuple[bool, str, str]]:
    words = ("inspect", "novel.md", "--engine", "tone", "--blocks", "--json", *options)
    run = home.with_variables(**variables).run(*words)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)["blocks"]
    return [(one["spoken"], one["kind"], one["text"]) for one in found]


def test_a_preset_and_settings_decide_what_is_read(home: Home, book) -> None:
    essential = blocks(home)
    assert (False, "code", "go()") in essential
    assert (True, "table", "a; b\nc") in essential
    everything = blocks(home, "--read", "everything")
    assert (True, "code", "go()") in everything
    assert (True, "note", "Note: A note.") in everything
    assert (True, "table", "a: c; b: empty") in everything
    chosen = blocks(home, AUDIOMILL_READING__PRESET="everything", AUDIOMILL_READING__NOTES="mark")
    assert [text for _, _, text in chosen[:3]] == ["One", "Text. Sign up.", "Note: A note."]
    (home.path / "audiomill.toml").write_text('[reading]\ncode = "announce"\n')
    assert (True, "paragraph", "Code.") in blocks(home)


def test_blocks_are_shown_under_their_chapters(home: Home, book) -> None:
    words = documented("audiomill inspect --blocks")
    run = home.run(*words[1:], "novel.md", "--engine", "tone")
    lines = run.stdout.splitlines()
    assert lines[3:6] == [
        "One",
        "  spoken  heading  novel.md: One",
        "  spoken  paragraph  novel.md#fnref1: Text. Sign up.",
    ]
    assert "  listed  code  novel.md: go()" in lines


def test_blocks_are_in_json_only_if_they_are_asked_for(home: Home, book) -> None:
    run = home.run("inspect", "novel.md", "--engine", "tone", "--json")
    assert "blocks" not in json.loads(run.stdout)
    run = home.run(
        "inspect", "novel.md", "--engine", "tone", "--json", "--blocks", "--chapters", "1"
    )
    found = json.loads(run.stdout)["blocks"]
    assert {one["kind"] for one in found if one["chapter"] == "Two" and not one["spoken"]} >= {
        "chapter not chosen"
    }


def test_the_file_beside_a_book_is_part_of_what_a_run_is_made_from(home: Home, book) -> None:
    options = ("novel.md", "--engine", "tone", "--format", "flac")
    first = home.render(*options)
    again = home.render(*options)
    assert (again["rendered"], again["files"]) == (0, first["files"])
    beside = home.path / "novel.reading.toml"
    beside.write_text('[[decision]]\nread = false\nchapter = "Two"\nkind = "table"\n')
    changed = home.render(*options)
    assert changed["rendered"] == 0  # what is still read, the store has
    assert changed["audio_s"] < first["audio_s"]
    assert changed["notes"][0].startswith("Replaced, as made from an earlier text or settings")
    beside.write_text('[[decision]]\nread = true\nkind = "code"\n')
    longer = home.render(*options)
    assert (longer["rendered"], longer["skipped"]) == (1, first["skipped"] - 1)
    beside.unlink()
    assert home.render(*options)["audio_s"] == first["audio_s"]


@each_row_apart
def test_wrong_choices_are_wrong_usage(
    home: Home, book, option: tuple[str, ...], variable: str, content: str, message: str
) -> None:
    (home.path / "novel.reading.toml").write_text(content)
    variables = {"AUDIOMILL_READING__NOTES": variable} if variable else {}
    user = home.with_variables(**variables)
    assert re.search(message, user.refused(2, "inspect", "novel.md", *option))


def test_python_reads_as_the_command_does(home: Home, book, monkeypatch) -> None:
    monkeypatch.chdir(home.path)
    found = inspect(book, engine="tone", read="everything")
    assert any(one.kind == "code" and one.spoken for one in found.blocks)
