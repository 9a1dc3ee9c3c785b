"""Other metadata: what is only tagged anew, and what gets a folder of its own."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.pipeline.report import Report
from audiomill.outputs.checking.profiles import PROFILES, DeliveryChoices, delivery_of
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import contents, files_in, rendered
from support.changed_book import ChangedBook

BOOK = ChangedBook()
# The folder of the book stays the same in all of these.
CHANGES = {
    "cover": replace(BOOK, has_cover=True),
    "chapter": replace(BOOK, chapters=("The Sea", "The “Hill”: a very other title", "Ende")),
}
ALL_CHANGES = CHANGES | {
    "author": replace(BOOK, author="Ben Writer"),
    "title": replace(BOOK, title="The Old Mill"),
}


@pytest.fixture
def nothing_works(monkeypatch):
    """No engine renders, no store opens and nothing is encoded."""

    def forbid(*_args, **_kwargs):
        raise AssertionError("this run has nothing to render or encode")

    def forbid_all() -> None:
        for name in (
            "encode_book.open_store",
            "encode_recordings.encode_recording",
            "render_book.measure_chapter",
        ):
            monkeypatch.setattr(f"audiomill.flows.pipeline.{name}", forbid)
        monkeypatch.setattr(ToneRenderer, "render", forbid)

    return forbid_all


# One format is enough for many files.
@pytest.mark.prove
@pytest.mark.parametrize(("split", "formats"), [(False, [*FORMATS]), (True, ["m4a"])])
def test_changed_metadata_gives_the_files_of_a_first_run(tmp_path, nothing_works, split, formats):
    """One change after the other, each back from the one before."""
    choices = {"split": split, "formats": formats, "transcripts": ["vtt", "srt"]}
    fresh = {
        change: rendered(book.job(tmp_path, out=change, **choices))
        for change, book in ALL_CHANGES.items()
    }
    before = contents(rendered(BOOK.job(tmp_path, **choices)))
    shutil.rmtree(tmp_path / "store")
    nothing_works()
    for change, first in fresh.items():
        after = rendered(ALL_CHANGES[change].job(tmp_path, **choices))
        assert contents(after) == contents(first)
        assert contents(after) != before
        assert [file.path.relative_to(tmp_path / "library") for file in after.files] == [
            file.path.relative_to(tmp_path / change) for file in first.files
        ]
        assert after.result is None
        assert rendered(ALL_CHANGES[change].job(tmp_path, **choices)).retagged == ()
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("change", CHANGES)
def test_the_run_says_what_it_did(place, first_run, change):
    before = first_run(BOOK.job(place, formats=["flac", "mp3"]))
    levels = json.loads(before.path.read_text())["work"]
    after = rendered(CHANGES[change].job(place, formats=["flac", "mp3"]))
    names = [file.path.name for file in after.files]
    assert list(after.retagged) == names == after.summary()["retagged"]
    assert (after.rendered, after.cached) == (0, after.segments)
    (note,) = after.notes
    assert "without encoding" in note
    report = json.loads(after.path.read_text())
    assert report["retagged"] == names
    assert {name: report["work"][name] for name in ("loudness_lufs", "true_peak_dbtp")} == {
        name: levels[name] for name in ("loudness_lufs", "true_peak_dbtp")
    }
    assert [one["title"] for one in report["work"]["chapters"]] == [*CHANGES[change].chapters]
    assert report["ledger"]


def test_a_title_that_credits_speak_is_encoded_with_the_old_words_from_the_store(place, first_run):
    first_run(BOOK.job(place, formats=["flac"], credits=True))
    after = rendered(ALL_CHANGES["title"].job(place, formats=["flac"], credits=True))
    assert after.retagged == ()
    assert (after.rendered, after.cached) == (2, 3)


def test_only_what_sounds_otherwise_is_encoded(place, first):
    after = rendered(CHANGES["cover"].job(place, formats=["flac", "mp3"]))
    assert after.retagged == ("The Mill.flac",)
    assert [spec.format for spec in after.result.files] == ["mp3"]
    assert after.rendered == 0


def with_bit_rate(job):
    return replace(
        job, delivery=delivery_of(PROFILES["archive"], DeliveryChoices(bit_rate_kbps=32))
    )


@pytest.mark.parametrize("kind", ["format", "bit rate", "split", "cover", "title"])
def test_no_change_of_files_renders_again(place, first_run, monkeypatch, kind):
    first_run(BOOK.job(place, formats=["m4b"]))
    changed = {
        "format": lambda: BOOK.job(place, formats=["opus", "mp3"]),
        "bit rate": lambda: with_bit_rate(BOOK.job(place, formats=["m4b"])),
        "split": lambda: BOOK.job(place, formats=["m4b"], split=True),
        "cover": lambda: CHANGES["cover"].job(place, formats=["m4b", "mp3"]),
        "title": lambda: ALL_CHANGES["title"].job(place, formats=["m4b", "mp3"]),
    }[kind]()

    def forbid(*_args):
        raise AssertionError("everything has been rendered")

    monkeypatch.setattr(ToneRenderer, "render", forbid)
    report = rendered(changed)
    assert report.rendered == 0
    assert all(file.path.is_file() for file in report.files)


def records_of(folder: Path) -> Path:
    (path,) = (folder / "library" / ".audiomill").glob("*.json")
    return path


def test_records_of_before_are_read_and_their_files_encoded_at_most_once(place, first):
    path = records_of(place)
    records = json.loads(path.read_text())
    del records["folder"]
    for record in records["files"].values():
        del record["audio"], record["lengths"], record["levels"]
    path.write_text(json.dumps(records))
    assert rendered(BOOK.job(place, formats=["flac"])).result is None
    once = rendered(CHANGES["cover"].job(place, formats=["flac"]))
    assert (once.rendered, once.retagged) == (0, ())
    again = rendered(BOOK.job(place, formats=["flac"]))
    assert again.retagged == ("The Mill.flac",)
    assert contents(again) == {"The Mill.flac": first.files[0].path.read_bytes()}


def test_a_file_that_was_changed_is_not_reused(place, first):
    fresh = rendered(ALL_CHANGES["title"].job(place, out="fresh", formats=["flac"]))
    path = first.files[0].path
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    after = rendered(ALL_CHANGES["title"].job(place, formats=["flac"]))
    assert after.retagged == ()
    assert contents(after) == contents(fresh)


def test_forged_records_lead_to_no_file_outside_the_library(place, first):
    """Another folder's records name a file elsewhere, which has the right bytes."""
    path = records_of(place)
    records = json.loads(path.read_text())
    elsewhere = place / "elsewhere.flac"
    shutil.move(first.files[0].path, elsewhere)
    records["files"] = {"../../../elsewhere.flac": records["files"]["The Mill.flac"]}
    path.write_text(json.dumps(records))
    after = rendered(ALL_CHANGES["title"].job(place, formats=["flac"]))
    assert after.retagged == ()
    assert after.result is not None


def test_chapters_that_swap_names_are_not_mixed_up(tmp_path):
    """Both files are replaced: neither may be read after that."""
    first = replace(BOOK, chapters=("A", "B", "C"))
    other = replace(BOOK, chapters=("B", "A", "C"))
    fresh = rendered(other.job(tmp_path, out="fresh", formats=["flac"], split=True))
    rendered(first.job(tmp_path, formats=["flac"], split=True))
    after = rendered(other.job(tmp_path, formats=["flac"], split=True))
    assert contents(after) == contents(fresh)


def test_a_disk_that_fills_up_keeps_the_files_and_the_records(tmp_path):
    resource = pytest.importorskip("resource")
    book = replace(BOOK, chapters=tuple("abc"))
    report = rendered(book.job(tmp_path, formats=["flac", "mp3", "m4b"], speed=1.0))
    before = contents(report)
    records = json.loads(records_of(tmp_path).read_text())["files"]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    changed = replace(book, has_cover=True).job(tmp_path, formats=["flac", "mp3", "m4b"], speed=1.0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(OutputUnwritable, match=r"cannot be written \(File too large\)"):
            rendered(changed)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert contents(report) == before
    assert json.loads(records_of(tmp_path).read_text())["files"] == records
    assert not list(tmp_path.rglob("*.part"))


def test_a_run_that_is_stopped_keeps_what_it_has_retagged(tmp_path):
    rendered(BOOK.job(tmp_path))
    context = RunContext()
    context.stop.set()
    with pytest.raises(Interrupted):
        rendered(CHANGES["cover"].job(tmp_path), context)
    assert rendered(CHANGES["cover"].job(tmp_path)).retagged == tuple(
        f"The Mill.{name}" for name in FORMATS
    )


RENAMED = {
    "series": (BOOK, {"metadata": {"series": "Valley"}}, "Ann Author/Valley/The Mill"),
    "title": (replace(BOOK, title="The Old Mill"), {}, "Ann Author/The Old Mill"),
    "author": (replace(BOOK, author="Ben Writer"), {}, "Ben Writer/The Mill"),
}


def is_told(folder: Path, report: Report) -> bool:
    return any(note.startswith(f"{folder} has this book") for note in report.notes)


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize("kind", RENAMED)
def test_the_files_are_in_the_new_folder_and_the_old_one_is_told(
    place: Path, first_run, kind: str, spoken: bool
) -> None:
    book, choices, name = RENAMED[kind]
    choices = choices | {"formats": ["flac"], "credits": spoken}
    old = first_run(BOOK.job(place, formats=["flac"], credits=spoken)).path.parent
    before = files_in(old)
    report = rendered(book.job(place, **choices))
    assert report.path.parent == place / "library" / name
    assert files_in(old) == before
    assert is_told(old, report)
    # Credits do not say the series.
    is_said = spoken and kind != "series"
    assert (report.result is not None) == is_said
    fresh = rendered(book.job(place, out="fresh", **choices))
    assert report.files[0].path.read_bytes() == fresh.files[0].path.read_bytes()
    assert rendered(book.job(place, **choices)).notes == ()


def test_another_edition_has_not_been_renamed(tmp_path: Path) -> None:
    other = rendered(BOOK.job(tmp_path, formats=["flac"], credits=True, speed=2.0))
    renamed = RENAMED["title"][0]
    report = rendered(renamed.job(tmp_path, formats=["flac"], credits=True))
    assert not is_told(other.path.parent, report)


def test_an_old_folder_that_was_deleted_is_not_told(place: Path, first_run) -> None:
    before = first_run(BOOK.job(place, formats=["flac"], credits=True))
    before.files[0].path.unlink()
    report = rendered(RENAMED["title"][0].job(place, formats=["flac"], credits=True))
    assert report.notes == ()
