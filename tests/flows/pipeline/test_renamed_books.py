"""A book that gets another name has another folder. The run names the old one, which stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.flows.pipeline.report import Report
from support.book_data import rendered
from support.changed_book import ChangedBook

BOOK = ChangedBook()
RENAMED = {
    "series": (BOOK, {"metadata": {"series": "Valley"}}, "Ann Author/Valley/The Mill"),
    "title": (replace(BOOK, title="The Old Mill"), {}, "Ann Author/The Old Mill"),
    "author": (replace(BOOK, author="Ben Writer"), {}, "Ben Writer/The Mill"),
}


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def is_told(folder: Path, report: Report) -> bool:
    return any(note.startswith(f"{folder} has this book") for note in report.notes)


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize("kind", RENAMED)
def test_the_files_are_in_the_new_folder_and_the_old_one_is_told(
    tmp_path: Path, kind: str, spoken: bool
) -> None:
    book, choices, name = RENAMED[kind]
    choices = choices | {"formats": ["flac"], "credits": spoken}
    old = rendered(BOOK.job(tmp_path, formats=["flac"], credits=spoken)).path.parent
    before = files_in(old)
    report = rendered(book.job(tmp_path, **choices))
    assert report.path.parent == tmp_path / "library" / name
    assert files_in(old) == before
    assert is_told(old, report)
    # Credits do not say the series.
    is_said = spoken and kind != "series"
    assert (report.result is not None) == is_said
    fresh = rendered(book.job(tmp_path, out="fresh", **choices))
    assert report.files[0].path.read_bytes() == fresh.files[0].path.read_bytes()
    assert rendered(book.job(tmp_path, **choices)).notes == ()


def test_another_edition_has_not_been_renamed(tmp_path: Path) -> None:
    other = rendered(BOOK.job(tmp_path, formats=["flac"], credits=True, speed=2.0))
    renamed = RENAMED["title"][0]
    report = rendered(renamed.job(tmp_path, formats=["flac"], credits=True))
    assert not is_told(other.path.parent, report)


def test_an_old_folder_that_was_deleted_is_not_told(tmp_path: Path) -> None:
    before = rendered(BOOK.job(tmp_path, formats=["flac"], credits=True))
    before.files[0].path.unlink()
    report = rendered(RENAMED["title"][0].job(tmp_path, formats=["flac"], credits=True))
    assert report.notes == ()
