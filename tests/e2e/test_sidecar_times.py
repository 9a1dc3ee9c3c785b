"""The chapters of `metadata.json`: those of a file of the whole book, and none of a split one."""

from __future__ import annotations

import json
import shutil

import pytest

from support.encoded_files import chapter_spans

BOOK = "# One\n\nThe mill turned.\n\n# Two\n\nNobody heard it.\n\n# Three\n\nIt went on.\n"
SETTINGS = """
[delivery]
sidecars = ["metadata.json"]
head_s = 0.75
tail_s = 2.0
"""
OPTIONS = ("b.md", "--engine", "tone", "--format", "flac")


def of_file(home) -> list[tuple[str, float, float]]:
    """The chapters in the audio, as ffmpeg reads them."""
    (path,) = home.library.rglob("*.flac")
    return chapter_spans(path)


def told(home) -> dict:
    (sidecar,) = home.library.rglob("metadata.json")
    return json.loads(sidecar.read_text())


def assert_are_those_of_the_file(home) -> None:
    chapters = [(one["title"], one["start"], one["end"]) for one in told(home)["chapters"]]
    assert [title for title, *_ in chapters] == ["One", "Two", "Three"]
    for (title, *times), (own_title, *own_times) in zip(chapters, of_file(home), strict=True):
        assert title == own_title
        assert times == pytest.approx(own_times, abs=0.0015)


def test_chapters_are_those_of_a_file_of_the_whole_book(home):
    (home.path / "b.md").write_text(BOOK)
    (home.path / "audiomill.toml").write_text(f"{SETTINGS}sample_rate = 44100\n")
    home.render(*OPTIONS)
    assert_are_those_of_the_file(home)
    # From the records alone.
    shutil.rmtree(home.store)
    assert home.render(*OPTIONS, "--set", "publisher=X")["rendered"] == 0
    assert_are_those_of_the_file(home)
    before = of_file(home)
    (home.path / "b.md").write_text(BOOK.replace("heard it", "heard it for many a long year"))
    home.render(*OPTIONS)
    assert of_file(home) != before
    assert_are_those_of_the_file(home)


def test_a_split_book_leaves_its_chapters_to_the_files(home):
    """A server adds up lengths that are not what is heard of each file, so times would be off."""
    (home.path / "b.md").write_text(BOOK)
    (home.path / "audiomill.toml").write_text(SETTINGS)
    home.render(*OPTIONS)
    assert len(told(home)["chapters"]) == 3
    home.render(*OPTIONS, "--split")
    assert "chapters" not in told(home)
    home.render(*OPTIONS)
    assert len(told(home)["chapters"]) == 3
