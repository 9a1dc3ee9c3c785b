"""A casting file on the command line: beside the book or named, shown, and refused if wrong."""

import json
from pathlib import Path

import pytest

from support.case_files import each_row_apart
from support.home import Home

BOOK = "# The Pier\n\n“Who left the lamp on?” asked Ruth. Nobody knew. “I did,” he said.\n"


@pytest.fixture
def pier(home: Home):
    (home.path / "pier.md").write_text(BOOK)
    (home.path / "pier.voices.toml").write_text('[characters]\nRuth = "reed"\n')
    return home


def test_inspect_shows_who_speaks_and_in_which_voice(pier):
    run = pier.run("inspect", "pier.md", "--engine", "tone")
    assert run.returncode == 0, run.stderr
    tail = run.stdout.partition("Voices of pier.voices.toml:\n")[2]
    assert tail.splitlines() == [
        "      10 words  sine  narrator",
        "       5 words  reed  Ruth",
        "",
        "Who speaks, where the text says so:",
        "   1  Ruth  reed",
    ]


def test_a_named_file_wins_over_the_one_beside_the_book(pier):
    (pier.path / "other.toml").write_text('dialogue = "reed"\n')
    summary = pier.render("pier.md", "--engine", "tone", "--cast", "other.toml")
    with Path(summary["report"]).open() as file:
        voices = json.load(file)["voices"]
    assert {share["voice"]: share["parts"] for share in voices} == {
        "sine": ["narrator"],
        "reed": ["dialogue"],
    }
    assert sum(share["words"] for share in voices if share["voice"] == "reed") == 7


@each_row_apart
def test_what_is_wrong_with_a_file_is_one_line(pier, command, content, code, words):
    (pier.path / "pier.voices.toml").write_text(content)
    run = pier.run(command, "pier.md", "--engine", "tone", "--json")
    assert run.returncode == code
    message = json.loads(run.stdout)["error"]["message"]
    assert words in message
    assert "\n" not in message
