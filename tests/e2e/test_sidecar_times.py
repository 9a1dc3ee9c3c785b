"""The chapters of `metadata.json` are those of the files, one after the other."""

from __future__ import annotations

import json
import shutil
from itertools import accumulate, pairwise

import pytest
import soundfile

BOOK = "# One\n\nThe mill turned.\n\n# Two\n\nNobody heard it.\n\n# Three\n\nIt went on.\n"
SETTINGS = """
[delivery]
sidecars = ["metadata.json"]
head_s = 0.75
tail_s = 2.0
"""


def of_files(home) -> list[tuple[float, float]]:
    """Where each file would begin and end, in seconds."""
    (sidecar,) = home.library.rglob("metadata.json")
    lengths = [soundfile.info(str(one)).duration for one in sorted(sidecar.parent.glob("*.flac"))]
    return [*pairwise(accumulate(lengths, initial=0.0))]


def told(home) -> list[tuple[float, float]]:
    (sidecar,) = home.library.rglob("metadata.json")
    return [(one["start"], one["end"]) for one in json.loads(sidecar.read_text())["chapters"]]


@pytest.mark.parametrize("rate", ["", "sample_rate = 44100\n"])
def test_a_split_book_with_room_at_the_ends_of_each_file(home, rate):
    (home.path / "b.md").write_text(BOOK)
    (home.path / "audiomill.toml").write_text(SETTINGS + rate)
    options = ("b.md", "--engine", "tone", "--format", "flac", "--split")
    home.render(*options)
    assert told(home) == [pytest.approx(one, abs=0.001) for one in of_files(home)]
    assert len(told(home)) == 3
    # From the records alone.
    shutil.rmtree(home.store)
    assert home.render(*options, "--set", "publisher=X")["rendered"] == 0
    assert told(home) == [pytest.approx(one, abs=0.001) for one in of_files(home)]
    before = of_files(home)
    (home.path / "b.md").write_text(BOOK.replace("heard it", "heard it for many a long year"))
    home.render(*options)
    assert of_files(home) != before
    assert told(home) == [pytest.approx(one, abs=0.001) for one in of_files(home)]


def test_credits_in_files_of_their_own(home):
    (home.path / "b.md").write_text(BOOK)
    (home.path / "audiomill.toml").write_text(SETTINGS)
    home.render("b.md", "--engine", "tone", "--for", "acx", "--format", "flac")
    assert told(home) == [pytest.approx(one, abs=0.001) for one in of_files(home)]
    assert len(told(home)) == 5
