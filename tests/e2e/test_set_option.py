"""Metadata corrected on the command line and in a file beside the book: shown, spoken, refused."""

import json

import mutagen
import pytest

from support.case_files import each_row_apart
from support.epub_data import PNG, three_chapters
from support.home import Home

BOOK = "---\ntitle: MILL-final2\nauthor: Unknown\n---\n\n# One\n\nThe mill ground corn.\n"


@pytest.fixture
def mill(home: Home):
    (home.path / "mill.md").write_text(BOOK)
    (home.path / "mill.metadata.toml").write_text(
        'title = "A Mill"\nauthor = ["Ann Ode", "Bo Li"]\n'
    )
    return home


def test_inspect_shows_what_is_known_and_how_to_correct_it(mill):
    run = mill.run("inspect", "mill.md", "--engine", "tone", "--set", "title=The Mill")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("The Mill by Ann Ode, Bo Li (en)\n")
    assert "  title     The Mill\n  language  en\n  author    Ann Ode; Bo Li\n" in run.stdout
    run = mill.run("inspect", "mill.md", "--engine", "tone", "--json")
    assert json.loads(run.stdout)["metadata"] == {
        "title": ["A Mill"],
        "language": ["en"],
        "author": ["Ann Ode", "Bo Li"],
    }


def test_what_is_set_is_in_the_file_and_its_place(mill):
    (mill.path / "front.png").write_bytes(PNG)
    summary = mill.render(
        "mill.md", "--engine", "tone", "--format", "flac",
        "--set", "title=The Mill", "--set", "narrator=Di Voice", "--set", "cover=front.png",
    )  # fmt: skip
    (file,) = summary["files"]
    assert file["path"].endswith("Ann Ode, Bo Li/The Mill/The Mill.flac")
    tags = mutagen.File(file["path"])
    assert (tags["album"], tags["artist"], tags["composer"]) == (
        ["The Mill"],
        ["Ann Ode, Bo Li"],
        ["Di Voice"],
    )
    assert tags.pictures[0].data == PNG


def test_the_credits_say_what_is_set(home):
    three_chapters().write(home.path)
    (path,) = home.path.glob("*.epub")
    options = ("--set", "title=Another Name", "--set", "narrator=Di Voice")
    run = home.run("inspect", path, "--engine", "tone", "--blocks", "--json", *options)
    said = [one["text"] for one in json.loads(run.stdout)["blocks"] if one["where"] == "credits"]
    assert "Another Name" in said[0]
    assert "Di Voice" in said[0]


@each_row_apart
@pytest.mark.parametrize("command", ["inspect", "render"])
def test_what_is_wrong_is_said_before_anything_is_done(mill, command, option, words):
    run = mill.run(command, "mill.md", "--engine", "tone", "--set", option, "--json")
    assert run.returncode == 2
    assert words in json.loads(run.stdout)["error"]["message"]
    assert not mill.library.exists()


def test_a_wrong_file_beside_the_book_is_named(mill):
    (mill.path / "mill.metadata.toml").write_text('titel = "x"\n')
    assert "mill.metadata.toml”: there is no titel. Did you mean title?" in mill.refused(
        2, "render", "mill.md", "--engine", "tone"
    )
