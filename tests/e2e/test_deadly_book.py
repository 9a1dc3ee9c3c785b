"""A book whose text makes espeak-ng's library end its process: rendered all the same."""

import json
from pathlib import Path

import pytest

from support.stopped_runs import decoded

LETTERS = "A." * 200
BRAILLE = "\u28fc"  # in Tigrinya


@pytest.mark.prove
def test_a_book_that_kills_the_voice_is_rendered_and_says_what_is_left_out(home):
    book = home.path / "book.md"
    text = f"# One\n\nAbc def {BRAILLE} ghi.\n\n{LETTERS}\n\n{BRAILLE}\n\nJkl mno.\n"
    book.write_text(f"---\nlanguage: ti\n---\n{text}")
    arguments = (book, "--voice", "ti", "--engine", "espeak", "--format", "flac")
    report = home.render(*arguments)
    warning = f"“{BRAILLE}” (One) was left out."
    assert report["warnings"] == [warning]
    full = json.loads(Path(report["report"]).read_text())
    (remark,) = full["remarks"]
    expected = {"text": BRAILLE, "done": "left out", "where": "One", "recording": "One"}
    assert remark == {**expected, "at_s": remark["at_s"]}
    assert 0 < remark["at_s"] < report["audio_s"]
    before = decoded(report)
    # From the store the same comes, with the same words.
    Path(report["files"][0]["path"]).unlink()
    again = home.render(*arguments)
    assert again["rendered"] == 0
    assert again["warnings"] == report["warnings"]
    assert decoded(again) == before


def test_a_paragraph_of_initials_is_spoken(home):
    book = home.path / "book.md"
    book.write_text(f"# One\n\n{LETTERS}\n\nThe end.\n")
    report = home.render(book, "--engine", "espeak", "--format", "flac")
    assert report["warnings"] == []
    assert report["audio_s"] > 10
