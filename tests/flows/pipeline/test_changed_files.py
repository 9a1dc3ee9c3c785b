"""What somebody has changed or put into a book's folder is theirs: no run replaces it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mutagen.flac
import pytest

from audiomill.flows.job import Job
from audiomill.outputs.checking.profiles import PROFILES, DeliveryChoices, delivery_of
from audiomill.outputs.files import publish
from audiomill.outputs.formats import encoder
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import files_in, rendered
from support.changed_book import ChangedBook
from support.killed_runs import killed_at

BOOK = ChangedBook()


def retagged_by_its_owner(path: Path) -> bytes:
    """Tag a file with another program; its content then."""
    tagged = mutagen.flac.FLAC(path)
    tagged["comment"] = "mine"
    tagged.save()
    return path.read_bytes()


def with_bit_rate(job: Job) -> Job:
    return replace(
        job, delivery=delivery_of(PROFILES["archive"], DeliveryChoices(sample_rate=8000))
    )


CHANGES: dict[str, Callable[[Path], Job]] = {
    "cover": lambda folder: replace(BOOK, has_cover=True).job(folder, formats=["flac"]),
    "chapter": lambda folder: replace(BOOK, chapters=("A", "B", "C")).job(folder, formats=["flac"]),
    "sample rate": lambda folder: with_bit_rate(BOOK.job(folder, formats=["flac"])),
    "text": lambda folder: replace(BOOK, chapters=("One",)).job(folder, formats=["flac"]),
}


def test_a_changed_file_stays_and_is_told_by_a_run_that_would_make_the_same(
    place, first, monkeypatch
):
    path = first.files[0].path
    theirs = retagged_by_its_owner(path)
    monkeypatch.delattr(ToneRenderer, "render")
    for _ in range(2):
        report = rendered(BOOK.job(place, formats=["flac"]))
        assert path.read_bytes() == theirs
        assert report.result is None
        (note,) = report.notes
        assert "The Mill.flac" in note
        assert "changed" in note
    path.unlink()
    monkeypatch.undo()
    assert rendered(BOOK.job(place, formats=["flac"])).notes == ()


@pytest.mark.parametrize("change", CHANGES)
def test_no_change_of_the_book_replaces_a_changed_file(place, first, monkeypatch, change):
    path = first.files[0].path
    retagged_by_its_owner(path)
    before = files_in(path.parent)
    job = CHANGES[change](place)
    with monkeypatch.context() as patched:
        patched.delattr(ToneRenderer, "render")  # told before anything is rendered
        with pytest.raises(OutputUnwritable, match=r"The Mill\.flac was changed after.*--out"):
            rendered(job)
    assert files_in(path.parent) == before
    path.rename(place / "mine.flac")
    report = rendered(job)
    assert report.files[0].path == path
    assert path.read_bytes() not in before.values()


def test_all_changed_files_are_named_at_once(place, first_split):
    for file in first_split.files:
        retagged_by_its_owner(file.path)
    with pytest.raises(OutputUnwritable) as error:
        rendered(replace(BOOK, has_cover=True).job(place, formats=["flac"], split=True))
    assert all(file.path.name in str(error.value) for file in first_split.files)


def test_a_chapter_that_comes_back_does_not_replace_its_changed_file(place, first_split):
    path = first_split.files[2].path
    theirs = retagged_by_its_owner(path)
    rendered(replace(BOOK, chapters=BOOK.chapters[:2]).job(place, formats=["flac"], split=True))
    assert path.read_bytes() == theirs
    back = rendered(BOOK.job(place, formats=["flac"], split=True))
    assert path.read_bytes() == theirs
    assert any("03 - The Mill.flac" in note for note in back.notes)
    other = replace(BOOK, author="Ben Writer", chapters=(*BOOK.chapters[:2], "The Mill"))
    other = replace(other, has_cover=True, author=BOOK.author)
    with pytest.raises(OutputUnwritable, match=r"03 - The Mill\.flac was changed"):
        rendered(other.job(place, formats=["flac"], split=True))
    assert path.read_bytes() == theirs


def test_a_folder_in_the_place_of_a_file_is_named_before_anything_is_rendered(place, first):
    path = first.files[0].path
    path.unlink()
    path.mkdir()
    (path / "mine").write_text("mine")
    with pytest.raises(OutputUnwritable, match=r"The Mill\.flac"):
        rendered(BOOK.job(place, formats=["flac"]))
    assert (path / "mine").read_text() == "mine"


@pytest.mark.parametrize("change", ["cover", "text"])
@pytest.mark.parametrize("has_appeared", [False, True])
def test_a_file_that_a_killed_run_has_replaced_is_known_as_ours(place, first, change, has_appeared):
    """The run ends right before or right after the new file appears under its name."""
    path = first.files[0].path
    before = path.read_bytes()
    job = CHANGES[change](place)
    with killed_at(encoder, "publish", is_done=has_appeared):
        rendered(job)
    assert (path.read_bytes() == before) is not has_appeared
    made = path.read_bytes()
    report = rendered(job)
    assert not any("changed" in note for note in report.notes)
    if has_appeared:
        assert report.result is None
        assert path.read_bytes() == made
    assert rendered(job).result is None


def test_what_its_owner_does_after_a_killed_run_stays_too(place, first):
    path = first.files[0].path
    job = CHANGES["text"](place)
    with killed_at(encoder, "publish"):
        rendered(job)
    theirs = retagged_by_its_owner(path)
    with pytest.raises(OutputUnwritable, match="was changed"):
        rendered(job)
    assert path.read_bytes() == theirs


@pytest.mark.parametrize("is_there", [False, True])
def test_a_file_that_somebody_puts_there_while_the_run_encodes_stays(
    place, first, monkeypatch, is_there
):
    path = first.files[0].path
    if not is_there:
        path.unlink()

    def after_somebody_else(paths, own):
        path.write_bytes(b"mine")
        publish(paths, own)

    job = CHANGES["text"](place) if is_there else BOOK.job(place, formats=["flac"])
    with monkeypatch.context() as patched, pytest.raises(OutputUnwritable, match="during the run"):
        patched.setattr(encoder, "publish", after_somebody_else)
        rendered(job)
    assert path.read_bytes() == b"mine"
    assert not list(path.parent.glob(".*"))
    path.unlink()
    assert rendered(job).files[0].path.read_bytes()[:4] == b"fLaC"
