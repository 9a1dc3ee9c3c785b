"""A run of some chapters has files of its own. Nothing of the whole book is replaced or removed."""

from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.outputs.targets import Mastering
from support.book_data import files_in, rendered
from support.changed_book import ChangedBook
from support.examples import first_often

BOOK = ChangedBook()


def is_kept(before: dict[str, bytes], after: dict[str, bytes]) -> bool:
    return before.items() <= after.items()


@pytest.mark.parametrize(
    ("whole_is_split", "split"),
    [(False, True), (True, False), *first_often([(False, False), (True, True)], 2)],
)
def test_the_whole_book_stays_as_it_is(tmp_path: Path, whole_is_split: bool, split: bool) -> None:
    choices = {"formats": ["flac"], "transcripts": ["vtt"], "plot": True}
    whole = rendered(BOOK.job(tmp_path, split=whole_is_split, **choices))
    folder = whole.path.parent
    before = files_in(folder)
    assert "metadata.json" in before  # and other files beside the audio
    some = rendered(BOOK.job(tmp_path, split=split, chapters="1-2", **choices))
    assert (some.notes, some.rendered, some.path.name) == ((), 0, "report (chapters 1-2).json")
    assert 0 < some.audio_s < whole.audio_s
    assert len(some.skipped) == len(whole.skipped) + 1
    assert not any(one.is_outdated for one in some.other_files)
    first = "01 - The Sea" if split else "The Mill"
    assert some.files[0].path == folder / f"{first} (chapters 1-2).flac"
    between = files_in(folder)
    assert is_kept(before, between)
    again = rendered(BOOK.job(tmp_path, split=whole_is_split, **choices))
    assert (again.result, again.notes) == (None, ())
    assert files_in(folder) == between


def test_a_later_run_of_the_whole_book_removes_no_files_of_some_chapters(tmp_path: Path) -> None:
    some = rendered(BOOK.job(tmp_path, formats=["flac"], split=True, chapters="2"))
    before = files_in(some.path.parent)
    assert "The Mill (chapter 2).m3u8" in before
    renamed = replace(BOOK, chapters=("The Sea", "The Other Hill", "The Mill"))
    whole = rendered(renamed.job(tmp_path, formats=["flac"], split=True))
    after = files_in(some.path.parent)
    assert is_kept(before, after)
    assert not any(note.startswith("Removed") for note in whole.notes)
    # They are of an earlier text: the run says so.
    assert any("02 - The Hill (chapter 2).flac" in note for note in whole.notes)


def test_sidecars_are_of_the_whole_book_alone(tmp_path: Path) -> None:
    some = rendered(BOOK.job(tmp_path, formats=["m4b"], chapters="2"))
    assert sorted(files_in(some.path.parent)) == [
        "The Mill (chapter 2).m4b",
        "report (chapter 2).html",
        "report (chapter 2).json",
    ]


def test_files_with_a_level_of_their_own_are_the_same_in_a_run_of_some(tmp_path: Path) -> None:
    """So they are copied, not encoded again."""
    level = Mastering(per_file=True)
    whole = rendered(replace(BOOK.job(tmp_path, formats=["mp3"], split=True), mastering=level))
    job = BOOK.job(tmp_path, formats=["mp3"], split=True, chapters="2")
    some = rendered(replace(job, mastering=level))
    assert some.result is None
    (file,) = some.files
    assert file.path.name == "02 - The Hill (chapter 2).mp3"
    assert file.sha256 == whole.files[1].sha256
